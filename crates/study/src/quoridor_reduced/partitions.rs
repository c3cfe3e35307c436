use std::collections::HashMap;

use hindsight_core::{PawnPairs, Ranked};
use hindsight_rules::quoridor::{QuoridorPlayer, QuoridorPosition};
use hindsight_solve::Layer;

use super::{Cells, Found, Table, positions_by_tier};
use crate::report::Cell;

/// A way to split all positions into parts that are solved one after the other.
#[derive(Default)]
struct Partition {
    parts: u64,
    /// Positions of the largest part.
    largest: u64,
    /// The most positions that a part looks up.
    looked_up: u64,
    /// The most positions of a part and of what it looks up.
    at_once: u64,
}

impl Partition {
    /// Adds equal parts.
    fn add(&mut self, copies: u64, positions: u64, looked_up: u64) {
        self.parts += copies;
        self.largest = self.largest.max(positions);
        self.looked_up = self.looked_up.max(looked_up);
        self.at_once = self.at_once.max(positions + looked_up);
    }
}

/// Positions of each layer, S'_0 first.
fn sizes(found: &Found<'_>) -> Option<Vec<u64>> {
    let sets = &found.outcome.as_ref()?.sets;
    Some(sets.iter().map(|set| set.added.positions).collect())
}

/// All positions.
pub(super) fn all(found: &Found<'_>) -> Option<u64> {
    Some(sizes(found)?.iter().sum())
}

/// The most positions of a layer and of the one that it looks up.
pub(super) fn at_once_by_fences(found: &Found<'_>) -> Option<u64> {
    Some(by_fences(&sizes(found)?).at_once)
}

pub(super) fn cells(found: &Found<'_>) -> Vec<Cell> {
    let sizes = sizes(found);
    let one = |sizes: &Vec<u64>| {
        let mut one = Partition::default();
        one.add(1, sizes.iter().sum(), 0);
        one
    };
    let layers = found.outcome.as_ref().map(|outcome| &outcome.layers[..]);
    let rows = [
        ("one piece", sizes.as_ref().map(one)),
        ("by fences on the board", sizes.as_deref().map(by_fences)),
        ("by who has placed", layers.map(|l| by_hands(found, l))),
        (
            "by the fences themselves",
            layers.map(|l| by_tier(found, l)),
        ),
    ];
    let mut cells = Cells::new(Table::Partitions);
    for (row, partition) in rows {
        let of = |of: fn(&Partition) -> u64| partition.as_ref().map(of);
        cells.add(row, "parts", of(|p| p.parts));
        cells.add(row, "largest part", of(|p| p.largest));
        cells.add(row, "looked up", of(|p| p.looked_up));
        cells.add(row, "both at once", of(|p| p.at_once));
    }
    cells.cells
}

fn by_fences(sizes: &[u64]) -> Partition {
    let mut partition = Partition::default();
    for (j, &positions) in sizes.iter().enumerate() {
        partition.add(1, positions, sizes.get(j + 1).copied().unwrap_or(0));
    }
    partition
}

/// Fences in the hands of White and Black.
type Hands = [u8; 2];

/// The hands of all positions of a tier.
fn hands(found: &Found<'_>, tier: u64) -> Option<Hands> {
    let mut ranks = 0..found.game.tier_len(tier);
    let position: QuoridorPosition = ranks.find_map(|rank| found.game.unrank(tier, rank))?;
    Some([
        position.hand(QuoridorPlayer::White),
        position.hand(QuoridorPlayer::Black),
    ])
}

/// Parts by the hands; the moves of a player lead to the part with one fence fewer in its hand.
fn by_hands(found: &Found<'_>, layers: &[Layer]) -> Partition {
    let mut parts: HashMap<Hands, u64> = HashMap::new();
    let [first, second] = found.setup.stock;
    for layer in layers {
        for (&tier, positions) in layer.tiers.iter().zip(positions_by_tier(layer)) {
            let Some([white, black]) = hands(found, tier) else {
                continue;
            };
            let copies = found.game.tier_orbit_size(tier) * positions;
            // With equal stocks a tier stands for those with the players exchanged, too: as many
            // positions with the hands exchanged. Each half is added to its part.
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

/// Each set of fences with the fences in hand is a part: the tiers that our solvers solve one by one.
fn by_tier(found: &Found<'_>, layers: &[Layer]) -> Partition {
    let mut partition = Partition::default();
    // S'_0 comes first, and looks up the layer that comes next.
    let mut above: HashMap<u64, u64> = HashMap::new();
    for layer in layers.iter().rev() {
        let positions = positions_by_tier(layer);
        let own: HashMap<u64, u64> = layer.tiers.iter().copied().zip(positions).collect();
        for (&tier, &positions) in &own {
            let mut exits = Vec::new();
            for side in 0..2 {
                found.game.tiers_after(tier, side, &mut exits);
            }
            // Each exit is a fence of its own, so these are different sets.
            let looked_up = exits
                .iter()
                .map(|(to, _)| above.get(to).copied().unwrap_or(0));
            partition.add(found.game.tier_orbit_size(tier), positions, looked_up.sum());
        }
        above = own;
    }
    partition
}
