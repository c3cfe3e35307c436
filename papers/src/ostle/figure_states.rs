//! Positions and lines of the paper's figures. The positions were reconstructed from the text.

use std::time::Instant;

use hindsight_core::{Game, Notation, Value};
use hindsight_rules::ostle::{BasePosition, Ostle, OstleMove, OstlePosition};

use super::options::OstleStateValues;
use super::shortest_line::shortest_line;
use super::study::{OstleStudy, READINGS};
use crate::step_monitor::StepFn;
use FigureMove::{Forbidden, Played};
use hindsight_study::Cell;

/// Maximum length of the lines that are searched for, in plies.
const MAX_LINE_PLIES: u16 = 24;

/// Approximate memory per entry of the search for a line, in bytes.
const BYTES_PER_STATE: u64 = 100;

/// Position of a figure, with the move that is forbidden or played there, and the value that the
/// paper gives for the side to move.
struct FigureState {
    row: &'static str,
    position: &'static str,
    mv: FigureMove,
    value: Value,
}

enum FigureMove {
    Played(&'static str),
    Forbidden(&'static str),
}

/// Position of Figure 1B. No other position has three properties that the text gives: only d2L and
/// e2L win, in 7 and 9 plies; both cost a piece; the line of the text can be played.
const FIGURE_1B: &str = "..O../.B.../W.W../BWBBB/WW... black";

/// Position of Figure 5B, one of the two that are won in 147 plies. The text has the move c3U, but
/// c3 is empty: c1U is meant.
const FIGURE_5B: &str = "W..W./OB.WW/....B/BBW../..B.. black";
/// Position of Figure 5C, the other one that is won in 147 plies.
const FIGURE_5C: &str = "...OW/.B.B./B..B./..WWW/...BW black";

#[rustfmt::skip]
const FIGURE_STATES: [FigureState; 9] = [
    figure_state("1B: d2L", FIGURE_1B, Played("d2L"), Value::Win(7)),
    figure_state("1B: e2L", FIGURE_1B, Played("e2L"), Value::Win(9)),
    figure_state("1B: the best of the others, d2U", FIGURE_1B, Played("d2U"), Value::Draw),
    figure_state("5B, a2R forbidden", FIGURE_5B, Forbidden("a2R"), Value::Loss(58)),
    figure_state("5B, c1U forbidden", FIGURE_5B, Forbidden("c1U"), Value::Win(147)),
    figure_state("5B, b2R forbidden", FIGURE_5B, Forbidden("b2R"), Value::Win(147)),
    figure_state("5B, e3U forbidden", FIGURE_5B, Forbidden("e3U"), Value::Win(147)),
    figure_state("5B, a4D forbidden", FIGURE_5B, Forbidden("a4D"), Value::Win(147)),
    figure_state("5C, d5L forbidden", FIGURE_5C, Forbidden("d5L"), Value::Win(147)),
];

const fn figure_state(
    row: &'static str,
    position: &'static str,
    mv: FigureMove,
    value: Value,
) -> FigureState {
    FigureState { row, position, mv, value }
}

impl OstleStudy<'_> {
    /// Cells of the figures.
    pub(super) fn figures(&self, on_step: &mut StepFn<'_>) -> Vec<Cell> {
        let mut cells = self.shortest_lines(on_step);
        if self.is_paper_game {
            cells.extend(FIGURE_STATES.iter().flat_map(|state| self.state_cells(state)));
        }
        cells
    }

    /// Returns the lengths of the shortest lines to images of the start.
    fn shortest_lines(&self, on_step: &mut StepFn<'_>) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (rule8, column) in READINGS {
            let game = self.game(rule8);
            let rows: [(&str, &str, BasePosition); 2] = [
                ("3: plies to the start, the other to move", "9", start_with_other_to_move(&game)),
                (
                    "4: plies to the start, turned by a quarter",
                    "16",
                    start_turned_by_quarter(&game),
                ),
            ];
            for (row, theirs, to) in rows {
                let go_on = on_step(&format!("{}, figure {row}", game.setup().spec()));
                let max_states = (self.options.limits.memory / BYTES_PER_STATE) as usize;
                let begin = Instant::now();
                let is_in_time = || {
                    let time = self.options.limits.time;
                    time.is_none_or(|time| begin.elapsed() < time)
                };
                let mut fits = |states: usize| states <= max_states && is_in_time() && on_step("");
                let plies = go_on.then(|| shortest_line(&game, to, MAX_LINE_PLIES, &mut fits));
                let ours = plies.flatten().map(|plies| plies.to_string());
                let theirs = self.is_paper_game.then(|| theirs.to_string());
                let row = row.to_string();
                cells.push(Cell::new("figures", row, column.into(), theirs, ours));
            }
        }
        cells
    }

    /// Returns the value of a state that a figure shows, by each reading that is solved.
    fn state_cells(&self, state: &FigureState) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (rule8, column) in READINGS {
            let mut solved = self.options.solved.iter();
            let reading = solved.find(|reading| reading.rule8 == rule8);
            let value =
                reading.and_then(|reading| state.value_in(&self.game(rule8), &reading.values));
            let theirs = Some(state.value.to_string());
            let ours = value.map(|value| value.to_string());
            let row = state.row.to_string();
            cells.push(Cell::new("figures", row, column.into(), theirs, ours));
        }
        cells
    }
}

impl FigureState {
    /// Returns the value of the state. If a move is played, the value of that move for its player.
    fn value_in(&self, game: &Ostle, values: &OstleStateValues) -> Option<Value> {
        let (state, mv) = self.read(game)?;
        match mv {
            None => (values.0)(state),
            Some(mv) => (values.0)(game.play(state, mv)).map(Value::before),
        }
    }

    /// Returns the state, and the move that is played there, if any.
    fn read(&self, game: &Ostle) -> Option<(OstlePosition, Option<OstleMove>)> {
        let forbidden = match self.mv {
            FigureMove::Played(_) => "-",
            FigureMove::Forbidden(mv) => mv,
        };
        let state = format!("{} {forbidden}", self.position);
        let state = game.parse(&state).ok()?;
        match self.mv {
            FigureMove::Played(mv) => Some((state, Some(game.parse_move(state, mv).ok()?))),
            FigureMove::Forbidden(_) => Some((state, None)),
        }
    }
}

/// Returns the start with the other side to move.
fn start_with_other_to_move(game: &Ostle) -> BasePosition {
    let start = game.start().base;
    BasePosition { own: start.other, other: start.own, white: !start.white, ..start }
}

/// Returns the start turned by a quarter. Exchanging files and ranks is enough, since the row of
/// each side is its own mirror image.
fn start_turned_by_quarter(game: &Ostle) -> BasePosition {
    const FILES_BECOME_RANKS: usize = 4;
    game.board().map_base(FILES_BECOME_RANKS, game.start().base)
}

#[cfg(test)]
mod tests {
    use super::FIGURE_STATES;
    use hindsight_core::{Game, Notation, Symmetry};
    use hindsight_rules::ostle::{Ostle, OstleSetup};

    #[test]
    fn the_figures_are_positions_and_the_solution_of_1b_is_played() {
        let game = Ostle::new(OstleSetup::OFFICIAL, Symmetry::None);
        for state in &FIGURE_STATES {
            assert!(state.read(&game).is_some(), "{}", state.row);
        }
        let (mut state, _) = FIGURE_STATES[0].read(&game).expect("a position");
        for mv in ["d2L", "a1R", "c2L", "b1R", "b2R", "c1U", "c3U"] {
            assert_eq!(game.terminal(state), None);
            state = game.play(state, game.parse_move(state, mv).expect(mv));
        }
        assert_eq!(game.terminal(state), Some(hindsight_core::Wdl::Loss));
    }
}
