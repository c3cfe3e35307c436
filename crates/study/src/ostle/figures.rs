//! What the paper's figures show. Its diagrams were looked for by what the text says of them.

use game::{Game, Notation, Value};
use games::ostle::{Base, Ostle, Position};

use super::shortest::shortest;
use super::{Cell, READINGS, Study, Watch};

/// Lines that take longer are not looked for.
const MOST_PLIES: u16 = 24;

/// Bytes for what one line to a position is looked for among, each.
const BYTES_A_STATE: u64 = 100;

/// A state of a figure, and the value that the paper gives it.
struct Shown {
    row: &'static str,
    position: &'static str,
    value: Option<Value>,
}

/// Of the official game.
const SHOWN: [Shown; 0] = [];

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
            let rows: [(&str, &str, Base); 2] = [
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
                let mut fits = |states: usize| states <= most && watch("a line is looked for");
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
            let value = known.and_then(|known| {
                let state = self.game(rule8).parse(shown.position).ok()?;
                (known.values.0)(state)
            });
            let theirs = shown.value.map(|value| value.to_string());
            let ours = value.map(|value| value.to_string());
            let row = shown.row.to_string();
            cells.push(Cell::new("figures", row, column.into(), theirs, ours));
        }
        cells
    }
}

/// The start with the other side to move.
fn passed(game: &Ostle) -> Base {
    let start = game.start().base;
    Base {
        own: start.other,
        other: start.own,
        white: !start.white,
        ..start
    }
}

/// The start turned by a quarter: as each side's row is its own mirror image, files become ranks.
fn turned(game: &Ostle) -> Base {
    const FILES_BECOME_RANKS: usize = 4;
    game.board().map_base(FILES_BECOME_RANKS, game.start().base)
}

/// Answers with the value of a state.
pub struct Values(pub Box<dyn Fn(Position) -> Option<Value>>);

impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Values")
    }
}
