use std::collections::HashMap;

use hindsight_core::{PawnPairs, Ranked, Tiers};
use hindsight_engine::Layer;
use hindsight_rules::quoridor::{QuoridorPlayer, QuoridorPosition};

use super::study::QuoridorStudy;
use super::table::{QuoridorPaperTable, TableCells};
use hindsight_study::Cell;

/// Sizes of a partition of all positions into parts that are solved one after the other.
#[derive(Default)]
struct Partition {
    /// Number of parts.
    parts: u64,
    /// Positions of the largest part.
    largest: u64,
    /// Maximum number of positions that a part looks up.
    looked_up: u64,
    /// Maximum over the parts of `positions + looked_up`.
    at_once: u64,
}

impl Partition {
    /// Adds `copies` parts of `positions` positions, each of which looks up `looked_up` others.
    fn add(&mut self, copies: u64, positions: u64, looked_up: u64) {
        self.parts += copies;
        self.largest = self.largest.max(positions);
        self.looked_up = self.looked_up.max(looked_up);
        self.at_once = self.at_once.max(positions + looked_up);
    }
}

/// Returns the number of positions of each layer, `S'_0` first.
fn layer_sizes(study: &QuoridorStudy<'_>) -> Option<Vec<u64>> {
    let sets = &study.bottom_up.as_ref()?.sets;
    Some(sets.iter().map(|set| set.added.positions).collect())
}

/// Returns the number of all positions.
pub(super) fn all_positions(study: &QuoridorStudy<'_>) -> Option<u64> {
    Some(layer_sizes(study)?.iter().sum())
}

/// Returns the maximum number of positions of a layer and of the one that it looks up.
pub(super) fn at_once_by_fences(study: &QuoridorStudy<'_>) -> Option<u64> {
    Some(by_fences(&layer_sizes(study)?).at_once)
}

pub(super) fn cells(study: &QuoridorStudy<'_>) -> Vec<Cell> {
    let sizes = layer_sizes(study);
    let one_piece = |sizes: &Vec<u64>| {
        let mut partition = Partition::default();
        partition.add(1, sizes.iter().sum(), 0);
        partition
    };
    let layers = study.bottom_up.as_ref().map(|outcome| &outcome.layers[..]);
    let rows = [
        ("one piece", sizes.as_ref().map(one_piece)),
        ("by fences on the board", sizes.as_deref().map(by_fences)),
        ("by who has placed", layers.map(|l| by_hands(study, l))),
        ("by the fences themselves", layers.map(|l| by_tier(study, l))),
    ];
    let mut cells = TableCells::new(QuoridorPaperTable::Partitions);
    for (row, partition) in rows {
        let size = |size: fn(&Partition) -> u64| partition.as_ref().map(size);
        cells.add(row, "parts", size(|p| p.parts));
        cells.add(row, "largest part", size(|p| p.largest));
        cells.add(row, "looked up", size(|p| p.looked_up));
        cells.add(row, "both at once", size(|p| p.at_once));
    }
    cells.cells
}

/// Returns the partition into layers. A layer looks up the next one.
fn by_fences(sizes: &[u64]) -> Partition {
    let mut partition = Partition::default();
    for (j, &positions) in sizes.iter().enumerate() {
        partition.add(1, positions, sizes.get(j + 1).copied().unwrap_or(0));
    }
    partition
}

/// Fences in the hands of White and Black.
type Hands = [u8; 2];

/// Returns the hands of a tier, which all its positions share. `None` if it has no position.
fn hands(study: &QuoridorStudy<'_>, tier: u64) -> Option<Hands> {
    let mut ranks = 0..study.game.tier_len(tier);
    let position: QuoridorPosition = ranks.find_map(|rank| study.game.unrank(tier, rank))?;
    Some([position.hand(QuoridorPlayer::White), position.hand(QuoridorPlayer::Black)])
}

/// Returns the partition by hands. A fence leads to the part with one fence fewer in the hand of
/// the player who places it.
fn by_hands(study: &QuoridorStudy<'_>, layers: &[Layer]) -> Partition {
    let mut parts: HashMap<Hands, u64> = HashMap::new();
    let [first, second] = study.setup.stock;
    for layer in layers {
        for (&tier, positions) in layer.tiers.iter().zip(positions_by_tier(layer)) {
            let Some([white, black]) = hands(study, tier) else {
                continue;
            };
            let copies = study.game.tier_orbit_size(tier) * positions;
            // With equal stocks a tier also stands for the tiers with the players exchanged, whose
            // hands are exchanged. These are half of its copies.
            if first == second && white != black {
                *parts.entry([white, black]).or_default() += copies / 2;
                *parts.entry([black, white]).or_default() += copies / 2;
            } else {
                *parts.entry([white, black]).or_default() += copies;
            }
        }
    }
    let mut partition = Partition::default();
    for (&[white, black], &positions) in &parts {
        let next = [
            white.checked_sub(1).map(|white| [white, black]),
            black.checked_sub(1).map(|black| [white, black]),
        ];
        let next = next.into_iter().flatten();
        let looked_up = next.map(|part| parts.get(&part).copied().unwrap_or(0));
        partition.add(1, positions, looked_up.sum());
    }
    partition
}

/// Returns the partition into tiers, which have the same fences on the board and in hand. Our
/// solvers solve them one by one.
fn by_tier(study: &QuoridorStudy<'_>, layers: &[Layer]) -> Partition {
    let mut partition = Partition::default();
    // Layers in descending order of fences, so that `above` is the layer that the tiers look up.
    let mut above: HashMap<u64, u64> = HashMap::new();
    for layer in layers.iter().rev() {
        let positions = positions_by_tier(layer);
        let own: HashMap<u64, u64> = layer.tiers.iter().copied().zip(positions).collect();
        for (&tier, &positions) in &own {
            let mut exits = Vec::new();
            for side in 0..2 {
                study.game.tiers_after(tier, side, &mut exits);
            }
            // Each exit places another fence, so no tier is counted twice.
            let looked_up = exits.iter().map(|(to, _)| above.get(to).copied().unwrap_or(0));
            partition.add(study.game.tier_orbit_size(tier), positions, looked_up.sum());
        }
        above = own;
    }
    partition
}

/// Returns the number of positions of each tier of a layer.
fn positions_by_tier(layer: &Layer) -> Vec<u64> {
    let is_position = |code: &&u8| layer.palette[usize::from(**code)].is_some();
    let tiers = 0..layer.tiers.len();
    tiers.map(|i| layer.tier_codes(i).iter().filter(is_position).count() as u64).collect()
}
