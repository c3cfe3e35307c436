//! Smaller boards with the same fences.

use hindsight_core::{Notation, Ranked, Value};
use hindsight_engine::Layer;
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};

use super::study::QuoridorStudy;
use super::table::{QuoridorPaperTable, TableCells};
use super::top_down::solve_top_down;
use crate::step_monitor::StepFn;
use hindsight_study::Cell;

pub(super) fn cells(study: &QuoridorStudy<'_>, on_step: &mut StepFn<'_>) -> Vec<Cell> {
    let mut cells = TableCells::new(QuoridorPaperTable::Boards);
    let (max_width, max_height) = (study.setup.width, study.setup.height);
    for height in 2..=max_height {
        for width in 2..=max_width {
            let setup = QuoridorSetup { width, height, ..*study.setup };
            let row = format!("{width}x{height}");
            let solved = solve_top_down(setup, study.limits, on_step);
            let solution = solved.as_ref().map(|solved| &solved.solution);
            let positions = solution.map(|solution| solution.summary.positions);
            cells.add(&row, "positions", positions);
            let start = solution.map(|solution| solution.start);
            cells.add(&row, "start", start);
            if (width, height) != (max_width, max_height) {
                let agreement = solved.and_then(|solved| {
                    let layer = solved.layers.0.last()?;
                    agreement_without_fences(study, &solved.game, layer)
                });
                let text = |count: fn(&ValueAgreement) -> u64| {
                    let agreement = agreement.as_ref()?;
                    Some(format!("{} of {}", count(agreement), agreement.positions))
                };
                cells.add(&row, "same here", text(|agreement| agreement.same_wdl));
                cells.add(&row, "with plies", text(|agreement| agreement.same_value));
            }
        }
    }
    cells.cells
}

/// Number of positions of a smaller board, and of those with the same value on the larger one.
#[derive(Default)]
struct ValueAgreement {
    positions: u64,
    same_wdl: u64,
    same_value: u64,
}

/// Compares the positions without fences, which are `layer` of the smaller board, with those on the
/// squares of the same names of the larger one.
fn agreement_without_fences(
    study: &QuoridorStudy<'_>,
    smaller: &Quoridor,
    layer: &Layer,
) -> Option<ValueAgreement> {
    let larger_layer = study.bottom_up.as_ref()?.layers.first()?;
    let mut agreement = ValueAgreement::default();
    for (i, &tier) in layer.tiers.iter().enumerate() {
        // An image of the tier would have other squares on the larger board, so there must be none.
        assert_eq!(smaller.tier_orbit_size(tier), 1, "the tier without fences");
        for (rank, &code) in (0..).zip(layer.tier_codes(i)) {
            let Some(value) = layer.palette[usize::from(code)] else {
                continue;
            };
            agreement.positions += 1;
            let position = smaller.unrank(tier, rank)?;
            let text = smaller.format(position);
            if let Some(other) = value_on_larger_board(study, larger_layer, &text) {
                agreement.same_wdl += u64::from(other.wdl() == value.wdl());
                agreement.same_value += u64::from(other == value);
            }
        }
    }
    Some(agreement)
}

/// Returns the value of a position on the board of the study, or `None` if it is no position there.
fn value_on_larger_board(study: &QuoridorStudy<'_>, layer: &Layer, text: &str) -> Option<Value> {
    let position = study.game.parse(text).ok()?;
    let (tier, rank) = study.game.rank(position)?;
    layer.value(tier, rank)
}
