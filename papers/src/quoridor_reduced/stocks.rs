//! Games with smaller stocks.
//!
//! Invariant: the positions of a game with smaller stocks are those of the study's game in which
//! neither player has placed more fences than the smaller stock.

use hindsight_core::{Ranked, Value};
use hindsight_rules::quoridor::{QuoridorPlayer, QuoridorPosition, QuoridorSetup};

use super::study::QuoridorStudy;
use super::table::{QuoridorPaperTable, TableCells};
use super::top_down::{TopDownSolution, solve_top_down};
use crate::step_monitor::StepFn;
use hindsight_study::Cell;

pub(super) fn cells(study: &QuoridorStudy<'_>, on_step: &mut StepFn<'_>) -> Vec<Cell> {
    let mut cells = TableCells::new(QuoridorPaperTable::Stocks);
    let [first, second] = study.setup.stock;
    let solve = |stock: [u8; 2], on_step: &mut StepFn<'_>| {
        let setup = QuoridorSetup { stock, ..*study.setup };
        solve_top_down(setup, study.limits, on_step)
    };
    // Solutions of the games with one white fence fewer. Index: number of black fences.
    let mut previous_row: Vec<Option<TopDownSolution>> = Vec::new();
    for white in 0..=first {
        let mut row: Vec<Option<TopDownSolution>> = Vec::new();
        for black in 0..=second {
            let solved = solve([white, black], on_step);
            let name = format!("White {white}, Black {black}");
            let positions = solved.as_ref().map(|solved| solved.solution.summary.positions);
            cells.add(&name, "positions", positions);
            let start = solved.as_ref().map(|solved| solved.solution.start);
            cells.add(&name, "start", start);
            if white > 0 {
                let smaller = previous_row[usize::from(black)].as_ref();
                cells.add(&name, "by White's fence", changed_text(smaller, solved.as_ref()));
            }
            if black > 0 {
                let smaller = row[usize::from(black) - 1].as_ref();
                cells.add(&name, "by Black's fence", changed_text(smaller, solved.as_ref()));
            }
            row.push(solved);
        }
        previous_row = row;
    }
    cells.cells
}

/// Returns the number of positions of the smaller game that have another win, draw or loss in the
/// larger one, as "`n` of all".
fn changed_text(
    smaller: Option<&TopDownSolution>,
    larger: Option<&TopDownSolution>,
) -> Option<String> {
    let (smaller, larger) = (smaller?, larger?);
    let [[white, black], [fewer_white, fewer_black]] =
        [larger, smaller].map(TopDownSolution::stock);
    let more = [white - fewer_white, black - fewer_black];
    // With equal stocks a tier also stands for the tiers with the players exchanged, which the
    // other game tells apart. So the loop goes over the game with unequal stocks. At most one of
    // the two games has equal stocks.
    let changed = if fewer_white == fewer_black {
        larger.positions_with_other_wdl(smaller, |hands| {
            Some([hands[0].checked_sub(more[0])?, hands[1].checked_sub(more[1])?])
        })
    } else {
        smaller.positions_with_other_wdl(larger, |hands| {
            Some([hands[0] + more[0], hands[1] + more[1]])
        })
    };
    let all = smaller.solution.summary.positions;
    Some(format!("{changed} of {all}"))
}

impl TopDownSolution {
    fn stock(&self) -> [u8; 2] {
        self.game.setup().stock
    }

    /// Returns the number of positions that have another win, draw or loss in `other`. `hands` maps
    /// the fences in hand to those in the other game; `None` if the position does not exist there.
    fn positions_with_other_wdl(
        &self,
        other: &Self,
        hands: impl Fn([u8; 2]) -> Option<[u8; 2]>,
    ) -> u64 {
        let mut differing = 0;
        for layer in &self.layers.0 {
            for (i, &tier) in layer.tiers.iter().enumerate() {
                let copies = self.game.tier_orbit_size(tier);
                for (rank, &code) in (0..).zip(layer.tier_codes(i)) {
                    let Some(value) = layer.palette[usize::from(code)] else {
                        continue;
                    };
                    let position = self.game.unrank(tier, rank);
                    let position = position.expect("a rank with a value has a position");
                    let own = [QuoridorPlayer::White, QuoridorPlayer::Black]
                        .map(|player| position.hand(player));
                    if let Some(hands) = hands(own) {
                        let there = other.value(position.with_hands(hands));
                        differing += copies * u64::from(there.wdl() != value.wdl());
                    }
                }
            }
        }
        differing
    }

    fn value(&self, position: QuoridorPosition) -> Value {
        let (tier, rank) = self.game.rank(position).expect("every position has a rank");
        let mut layers = self.layers.0.iter();
        let value = layers.find_map(|layer| layer.value(tier, rank));
        value.expect("a position of one game is one of the other")
    }
}
