//! Three in a row on nine squares: the game to copy when adding one.

mod ranked;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hindsight_core::{Game, Notation, ParseError, Symmetry, TextToken, Wdl};

use crate::game_info::GameInfo;
use crate::registered::{Registered, Setup};
use crate::visitor::Visitor;

/// The rules. Bit `s` of a set is square `s`: a3 b3 c3 are 0 1 2, a2 b2 c2 are 3 4 5, a1 b1 c1 are
/// 6 7 8.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe {
    /// Symmetries of `canonical`: `All` merges the eight rotations and reflections; `Swap` acts as
    /// `None`.
    pub symmetry: Symmetry,
}

impl Registered for TicTacToe {
    const INFO: GameInfo = GameInfo {
        name: "tic-tac-toe",
        form: "tic-tac-toe",
        about: "three in a row on nine squares: the teaching game",
        example: "tic-tac-toe",
        options: &[],
    };

    fn from_spec(_: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        Ok(Self {
            symmetry: setup.symmetry,
        })
    }

    fn accept<V: Visitor>(self, visitor: V) -> V::Output {
        visitor.ranked(self)
    }
}

/// Stones of the player to move and of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicTacToePosition {
    own: u16,
    other: u16,
}

const FULL: u16 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn has_line(squares: u16) -> bool {
    LINES.iter().any(|line| squares & line == *line)
}

/// Image of a set under a map of squares: `to[s]` is the image of square `s`.
fn map_squares(squares: u16, to: [u8; 9]) -> u16 {
    (0..9)
        .filter(|s| squares >> s & 1 == 1)
        .map(|s| 1 << to[s])
        .sum()
}

const QUARTER_TURN: [u8; 9] = [2, 5, 8, 1, 4, 7, 0, 3, 6];
const MIRROR: [u8; 9] = [2, 1, 0, 5, 4, 3, 8, 7, 6];

impl Game for TicTacToe {
    type Position = TicTacToePosition;
    type Move = u8;

    fn start(&self) -> TicTacToePosition {
        TicTacToePosition { own: 0, other: 0 }
    }

    fn player_to_move(&self, position: TicTacToePosition) -> usize {
        usize::from(position.own.count_ones() < position.other.count_ones())
    }

    fn terminal(&self, position: TicTacToePosition) -> Option<Wdl> {
        if has_line(position.other) {
            Some(Wdl::Loss)
        } else {
            (position.own | position.other == FULL).then_some(Wdl::Draw)
        }
    }

    fn moves(&self, position: TicTacToePosition, out: &mut Vec<u8>) {
        if self.terminal(position).is_none() {
            let taken = position.own | position.other;
            out.extend((0..9).filter(|square| taken >> square & 1 == 0));
        }
    }

    fn play(&self, position: TicTacToePosition, square: u8) -> TicTacToePosition {
        TicTacToePosition {
            own: position.other,
            other: position.own | 1 << square,
        }
    }

    fn canonical(&self, position: TicTacToePosition) -> TicTacToePosition {
        let mut best = position;
        let mut image = position;
        let rounds = if self.symmetry == Symmetry::All { 8 } else { 0 };
        for i in 0..rounds {
            let map = if i == 4 { MIRROR } else { QUARTER_TURN };
            image = TicTacToePosition {
                own: map_squares(image.own, map),
                other: map_squares(image.other, map),
            };
            if (image.own, image.other) < (best.own, best.other) {
                best = image;
            }
        }
        best
    }
}

fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 3), 3 - square / 3)
}

impl TicTacToe {
    fn rows(&self, position: TicTacToePosition) -> [String; 3] {
        let (x, o) = match self.player_to_move(position) {
            0 => (position.own, position.other),
            _ => (position.other, position.own),
        };
        let sign = |s: u32| match (x >> s & 1, o >> s & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        };
        [0, 3, 6].map(|row| (row..row + 3).map(sign).collect())
    }
}

impl Notation for TicTacToe {
    fn spec(&self) -> String {
        "tic-tac-toe".to_string()
    }

    fn player_names(&self) -> [&'static str; 2] {
        ["X", "O"]
    }

    fn format(&self, position: TicTacToePosition) -> String {
        self.rows(position).join("/")
    }

    fn parse(&self, text: &str) -> Result<TicTacToePosition, ParseError> {
        let wrong = |message: &str| ParseError::new(0, message);
        let signs: Vec<char> = text.trim().chars().filter(|&c| c != '/').collect();
        let set = |sign: char| {
            let lower = |i: &usize| signs[*i].to_ascii_lowercase() == sign;
            (0..9).filter(lower).map(|i| 1_u16 << i).sum::<u16>()
        };
        if signs.len() != 9 || signs.iter().any(|c| !"xoXO.".contains(*c)) {
            return Err(wrong(
                "a position is three rows of x, o and '.', such as xo./.x./...",
            ));
        }
        let (x, o) = (set('x'), set('o'));
        let (own, other) = match x.count_ones().checked_sub(o.count_ones()) {
            Some(0) => (x, o),
            Some(1) => (o, x),
            _ => return Err(wrong("X begins, so there are as many x as o, or one more")),
        };
        if has_line(own) {
            return Err(wrong(
                "the side to move already has three in a row: the game ended before",
            ));
        }
        Ok(TicTacToePosition { own, other })
    }

    fn format_move(&self, _: TicTacToePosition, square: u8) -> String {
        square_name(square)
    }

    fn diagram(&self, position: TicTacToePosition) -> String {
        let rows = self.rows(position);
        let spaced = |row: &String| row.chars().flat_map(|c| [' ', c]).collect::<String>();
        let lines = (0..3).map(|i| format!("{} {}", 3 - i, spaced(&rows[i])));
        lines
            .chain(["   a b c".to_string()])
            .collect::<Vec<_>>()
            .join("\n")
    }
}
