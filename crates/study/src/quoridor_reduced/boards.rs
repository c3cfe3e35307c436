use hindsight_core::{Notation, Ranked, Value};
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};
use hindsight_solve::Layer;

use super::{Cells, Found, Table, Watch, solve_down};
use crate::report::Cell;

pub(super) fn cells(found: &Found<'_>, watch: &mut Watch<'_>) -> Vec<Cell> {
    let mut cells = Cells::new(Table::Boards);
    let (widest, highest) = (found.setup.width, found.setup.height);
    for height in 2..=highest {
        for width in 2..=widest {
            let setup = QuoridorSetup {
                width,
                height,
                ..*found.setup
            };
            let row = format!("{width}x{height}");
            let solved = solve_down(setup, found.limits, watch);
            let positions = solved.as_ref().map(|(_, o, _)| o.summary.positions);
            cells.add(&row, "positions", positions);
            let start = solved.as_ref().map(|(_, outcome, _)| outcome.start);
            cells.add(&row, "start", start);
            if (width, height) != (widest, highest) {
                let without_fences =
                    |(game, _, kept): (Quoridor, _, hindsight_solve::MemoryStore)| {
                        kept_values(found, &game, kept.0.last()?)
                    };
                let same = solved.and_then(without_fences);
                let show = |n: fn(&Same) -> u64| {
                    let same = same.as_ref()?;
                    Some(format!("{} of {}", n(same), same.positions))
                };
                cells.add(&row, "same here", show(|same| same.wdl));
                cells.add(&row, "with plies", show(|same| same.value));
            }
        }
    }
    cells.cells
}

/// Positions of a smaller board with the same value on the larger one.
#[derive(Default)]
struct Same {
    positions: u64,
    wdl: u64,
    value: u64,
}

/// Compares the positions without fences, on the squares of the same names.
fn kept_values(found: &Found<'_>, small: &Quoridor, layer: &Layer) -> Option<Same> {
    let here = found.outcome.as_ref()?.layers.first()?;
    let mut same = Same::default();
    for (i, &tier) in layer.tiers.iter().enumerate() {
        // Its images are other squares of the larger board; but without fences it has none.
        assert_eq!(small.tier_orbit_size(tier), 1, "the tier without fences");
        for (rank, &code) in (0..).zip(layer.tier_codes(i)) {
            let Some(value) = layer.palette[usize::from(code)] else {
                continue;
            };
            same.positions += 1;
            let position = small.unrank(tier, rank)?;
            if let Some(other) = value_here(found, here, &small.format(position)) {
                same.wdl += u64::from(other.wdl() == value.wdl());
                same.value += u64::from(other == value);
            }
        }
    }
    Some(same)
}

/// `None` where the text is no position of this board.
fn value_here(found: &Found<'_>, layer: &Layer, text: &str) -> Option<Value> {
    let position = found.game.parse(text).ok()?;
    let (tier, rank) = found.game.rank(position)?;
    layer.value(tier, rank)
}
