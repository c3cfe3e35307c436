//! What the paper's figures show. Its diagrams were looked for by what the text says of them.

use hindsight_core::{Game, Notation, Value};
use hindsight_rules::ostle::{BasePosition, Ostle, OstleMove, OstlePosition};

use super::shortest::shortest;
use super::{Cell, READINGS, Study, Watch};

/// Lines that take longer are not looked for.
const MOST_PLIES: u16 = 24;

/// Bytes for what one line to a position is looked for among, each.
const BYTES_A_STATE: u64 = 100;

/// A position of a figure, the move that is forbidden or played there, and the value that the paper gives
/// it for the side to move.
struct Shown {
    row: &'static str,
    position: &'static str,
    mv: Mv,
    value: Value,
}

enum Mv {
    Played(&'static str),
    Forbidden(&'static str),
}

/// The only position of all in which d2L and e2L are the moves that win, in seven and nine plies, both at
/// the cost of a piece, and the line of the text is played.
const FIGURE_1B: &str = "..O../.B.../W.W../BWBBB/WW... black";

/// The two positions that are won in 147 plies. For 5B the text has c3U, where c3 is empty: c1U is meant.
const FIGURE_5B: &str = "W..W./OB.WW/....B/BBW../..B.. black";
const FIGURE_5C: &str = "...OW/.B.B./B..B./..WWW/...BW black";

#[rustfmt::skip]
const SHOWN: [Shown; 9] = [
    shown("1B: d2L", FIGURE_1B, Mv::Played("d2L"), Value::Win(7)),
    shown("1B: e2L", FIGURE_1B, Mv::Played("e2L"), Value::Win(9)),
    shown("1B: the best of the others, d2U", FIGURE_1B, Mv::Played("d2U"), Value::Draw),
    shown("5B, a2R forbidden", FIGURE_5B, Mv::Forbidden("a2R"), Value::Loss(58)),
    shown("5B, c1U forbidden", FIGURE_5B, Mv::Forbidden("c1U"), Value::Win(147)),
    shown("5B, b2R forbidden", FIGURE_5B, Mv::Forbidden("b2R"), Value::Win(147)),
    shown("5B, e3U forbidden", FIGURE_5B, Mv::Forbidden("e3U"), Value::Win(147)),
    shown("5B, a4D forbidden", FIGURE_5B, Mv::Forbidden("a4D"), Value::Win(147)),
    shown("5C, d5L forbidden", FIGURE_5C, Mv::Forbidden("d5L"), Value::Win(147)),
];

const fn shown(row: &'static str, position: &'static str, mv: Mv, value: Value) -> Shown {
    Shown {
        row,
        position,
        mv,
        value,
    }
}

impl Study<'_> {
    pub(super) fn figures(&self, watch: &mut Watch<'_>) -> Vec<Cell> {
        let mut cells = self.lines(watch);
        if self.published {
            cells.extend(SHOWN.iter().flat_map(|shown| self.shown(shown)));
        }
        cells
    }

    /// The shortest lines to images of the start.
    fn lines(&self, watch: &mut Watch<'_>) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (rule8, column) in READINGS {
            let game = self.game(rule8);
            let rows: [(&str, &str, BasePosition); 2] = [
                (
                    "3: plies to the start, the other to move",
                    "9",
                    passed(&game),
                ),
                (
                    "4: plies to the start, turned by a quarter",
                    "16",
                    turned(&game),
                ),
            ];
            for (row, theirs, to) in rows {
                let go_on = watch(&format!("{}, figure {row}", game.setup().spec()));
                let most = (self.options.limits.memory / BYTES_A_STATE) as usize;
                let mut fits = |states: usize| states <= most && watch("");
                let plies = go_on.then(|| shortest(&game, to, MOST_PLIES, &mut fits));
                let ours = plies.flatten().map(|plies| plies.to_string());
                let theirs = self.published.then(|| theirs.to_string());
                let row = row.to_string();
                cells.push(Cell::new("figures", row, column.into(), theirs, ours));
            }
        }
        cells
    }

    /// The value of a state that a figure shows, by the tables that are known.
    fn shown(&self, shown: &Shown) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (rule8, column) in READINGS {
            let known = self.options.known.iter().find(|known| known.rule8 == rule8);
            let value = known.and_then(|known| shown.value_in(&self.game(rule8), &known.values));
            let theirs = Some(shown.value.to_string());
            let ours = value.map(|value| value.to_string());
            let row = shown.row.to_string();
            cells.push(Cell::new("figures", row, column.into(), theirs, ours));
        }
        cells
    }
}

impl Shown {
    /// The value by what is known of every state; of a move that is played, for the one who plays it.
    fn value_in(&self, game: &Ostle, values: &Values) -> Option<Value> {
        let (state, mv) = self.read(game)?;
        match mv {
            None => (values.0)(state),
            Some(mv) => (values.0)(game.play(state, mv)).map(Value::before),
        }
    }

    /// The state, and the move to be played there.
    fn read(&self, game: &Ostle) -> Option<(OstlePosition, Option<OstleMove>)> {
        let forbidden = match self.mv {
            Mv::Played(_) => "-",
            Mv::Forbidden(mv) => mv,
        };
        let state = format!("{} {forbidden}", self.position);
        let state = game.parse(&state).ok()?;
        match self.mv {
            Mv::Played(mv) => Some((state, Some(game.parse_move(state, mv).ok()?))),
            Mv::Forbidden(_) => Some((state, None)),
        }
    }
}

/// The start with the other side to move.
fn passed(game: &Ostle) -> BasePosition {
    let start = game.start().base;
    BasePosition {
        own: start.other,
        other: start.own,
        white: !start.white,
        ..start
    }
}

/// The start turned by a quarter: as each side's row is its own mirror image, files become ranks.
fn turned(game: &Ostle) -> BasePosition {
    const FILES_BECOME_RANKS: usize = 4;
    game.board().map_base(FILES_BECOME_RANKS, game.start().base)
}

/// Answers with the value of a state.
pub struct Values(pub Box<dyn Fn(OstlePosition) -> Option<Value>>);

impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Values")
    }
}

#[cfg(test)]
mod tests {
    use super::SHOWN;
    use hindsight_core::{Game, Notation, Symmetry};
    use hindsight_rules::ostle::{Ostle, OstleSetup};

    #[test]
    fn the_figures_are_positions_and_the_solution_of_1b_is_played() {
        let game = Ostle::new(OstleSetup::OFFICIAL, Symmetry::None);
        for shown in &SHOWN {
            assert!(shown.read(&game).is_some(), "{}", shown.row);
        }
        let (mut state, _) = SHOWN[0].read(&game).expect("a position");
        for mv in ["d2L", "a1R", "c2L", "b1R", "b2R", "c1U", "c3U"] {
            assert_eq!(game.terminal(state), None);
            state = game.play(state, game.parse_move(state, mv).expect(mv));
        }
        assert_eq!(game.terminal(state), Some(hindsight_core::Wdl::Loss));
    }
}
