//! Small games of numbers, made for one test.

use hindsight_core::{Game, Notation, Packing, ParseError, Wdl};

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

impl Packing<1> for NumberGame {
    fn pack(&self, position: u32) -> [u32; 1] {
        [position]
    }

    fn unpack(&self, [position]: [u32; 1]) -> u32 {
        position
    }

    fn pack_move(&self, to: u32) -> u64 {
        to.into()
    }

    fn unpack_move(&self, to: u64) -> u32 {
        to as u32
    }
}

impl Notation for NumberGame {
    fn spec(&self) -> String {
        "numbers".into()
    }

    fn player_names(&self) -> [&'static str; 2] {
        ["First", "Second"]
    }

    fn format(&self, position: u32) -> String {
        position.to_string()
    }

    fn parse(&self, text: &str) -> Result<u32, ParseError> {
        text.parse().map_err(|_| ParseError::new(0, "a number is needed"))
    }

    fn format_move(&self, _: u32, to: u32) -> String {
        to.to_string()
    }
}
