//! Small games of numbers, made for one test.

use hindsight_core::{Game, Wdl};
use hindsight_testkit::pack_numbers;

/// Property of a position.
type Rule<T> = Box<dyn Fn(u32) -> T + Send + Sync>;

/// Game whose positions are numbers, and whose moves are the numbers that they lead to. The side to
/// move is always player 0.
pub(crate) struct NumberGame {
    pub(crate) start: u32,
    pub(crate) terminal: Rule<Option<Wdl>>,
    pub(crate) moves: Rule<Vec<u32>>,
}

impl Game for NumberGame {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        self.start
    }

    fn player_to_move(&self, _: u32) -> usize {
        0
    }

    fn terminal(&self, position: u32) -> Option<Wdl> {
        (self.terminal)(position)
    }

    fn moves(&self, position: u32, out: &mut Vec<u32>) {
        if self.terminal(position).is_none() {
            out.extend((self.moves)(position));
        }
    }

    fn play(&self, _: u32, to: u32) -> u32 {
        to
    }
}

pack_numbers!(NumberGame, u32, "numbers");
