//! Four in a row: discs that fall into the columns of an upright board.
//!
//! Source: J. D. Allen, *A Note on the Computer Solution of Connect-Four* (1988), for the usual
//! board of seven columns and six rows.

mod columns;
mod countdown;
mod notation;

use alloc::format;
use alloc::vec::Vec;

use hindsight_core::{Countdown, Game, Grid, PackedGame, Packing, ParseError, Symmetry, Wdl};

use crate::game_entry::{GameEntry, Setup, TextToken};
use crate::grammar::parse_size;
use crate::words::{halves, whole};
use columns::Columns;

/// Discs in a line unless the spec says another number.
const USUAL_LINE: u8 = 4;

/// The rules on a board of any width and height, with any length of a line.
#[derive(Clone, Copy, Debug)]
pub struct Four {
    columns: Columns,
    line: u8,
    symmetry: Symmetry,
}

/// Columns from the left in `height + 1` bits each, from the bottom. A bit is 0 for a disc of the
/// first player and 1 for one of the second. The bit above the discs of a column is 1, and all
/// higher bits of the column are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FourPosition(u64);

/// Column of the new disc, from the left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FourMove(u8);

impl Four {
    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry = GameEntry {
        name: "four",
        form: "four:WIDTHxHEIGHT[:LINE]",
        about: "four in a row, or another number, of discs that fall into columns",
        example: "four:5x4",
        options: &[],
        rules: |spec, setup| Ok(PackedGame::new(Self::from_spec(spec, setup)?)),
    };
    fn from_spec(spec: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        let tokens: Vec<_> = spec.split(':').collect();
        let (size, line) = match tokens.as_slice() {
            [_, size] => (*size, None),
            [_, size, line] => (*size, Some(*line)),
            _ => {
                let message = "four needs a size, then the number in a row if it is not four";
                let example = "four:WIDTHxHEIGHT:LINE, such as four:7x6 or four:4x4:3";
                return Err(ParseError::new(spec.end(), format!("{message}: {example}")));
            }
        };
        let (width, height) = parse_size(size, |width, height| {
            if width >= 2 && height >= 2 && width.saturating_mul(height.saturating_add(1)) <= 64 {
                return Ok(());
            }
            let message = "four is played on 2x2 or more, with WIDTH x (HEIGHT + 1) at most 64";
            Err(format!("{message}, not on {width}x{height}"))
        })?;
        let longest = width.max(height);
        let line = match line {
            Some(line) => line.number("the number in a row", 2..=longest)?,
            None if longest < USUAL_LINE => {
                return size.reject(format!(
                    "no line of four fits on {width}x{height}; \
                     a smaller number is behind the size: four:{width}x{height}:{longest}"
                ));
            }
            None => USUAL_LINE,
        };
        Ok(Self::new([width, height], line, setup.symmetry))
    }
}

impl Four {
    /// Returns the rules on a board of `[width, height]` with lines of `line` discs.
    ///
    /// # Panics
    /// If a side or `line` is below 2, `line` exceeds both sides, or `width * (height + 1)` exceeds
    /// 64.
    #[must_use]
    pub fn new(size: [u8; 2], line: u8, symmetry: Symmetry) -> Self {
        let [width, height] = size;
        assert!(line >= 2 && width >= 2 && height >= 2, "at least two");
        assert!(line <= width.max(height), "a line fits on the board");
        Self { columns: Columns::new(width, height), line, symmetry }
    }

    fn grid(&self) -> Grid {
        Grid::new(self.columns.width, self.columns.height)
    }

    fn has_line(&self, discs: u64) -> bool {
        self.columns.has_line(discs, self.line)
    }
}

impl Game for Four {
    type Position = FourPosition;
    type Move = FourMove;
    fn start(&self) -> FourPosition {
        FourPosition(self.columns.bottom)
    }
    #[inline]
    fn player_to_move(&self, position: FourPosition) -> usize {
        let discs = self.columns.discs(position.0).count_ones();
        (discs % 2) as usize
    }
    #[inline]
    fn terminal(&self, position: FourPosition) -> Option<Wdl> {
        let discs = self.columns.discs(position.0);
        let of_second = position.0 & discs;
        let of_last_mover = match discs.count_ones() % 2 {
            0 => of_second,
            _ => discs ^ of_second,
        };
        let is_full = discs == self.columns.squares;
        let lost = self.has_line(of_last_mover).then_some(Wdl::Loss);
        lost.or(is_full.then_some(Wdl::Draw))
    }
    #[inline]
    fn is_position(&self, position: FourPosition) -> bool {
        self.columns.are_columns(position.0)
    }
    fn moves(&self, position: FourPosition, out: &mut Vec<FourMove>) {
        if self.terminal(position).is_none() {
            let is_open = |&column: &u8| self.columns.is_open(position.0, column);
            out.extend((0..self.columns.width).filter(is_open).map(FourMove));
        }
    }
    fn play(&self, position: FourPosition, mv: FourMove) -> FourPosition {
        let player = self.player_to_move(position);
        FourPosition(self.columns.dropped(position.0, mv.0, player))
    }
    #[inline]
    fn successors(&self, position: FourPosition, out: &mut Vec<FourPosition>) {
        if self.terminal(position).is_none() {
            let player = self.player_to_move(position);
            let open = (0..self.columns.width).filter(|&c| self.columns.is_open(position.0, c));
            let dropped = open.map(|column| self.columns.dropped(position.0, column, player));
            out.extend(dropped.map(FourPosition));
        }
    }
    /// The one symmetry exchanges left and right; the players are not exchanged.
    #[inline]
    fn images(&self, position: FourPosition, out: &mut Vec<FourPosition>) {
        if self.symmetry == Symmetry::All {
            out.push(FourPosition(self.columns.mirrored(position.0)));
        }
    }
    #[inline]
    fn canonical(&self, position: FourPosition) -> FourPosition {
        match self.symmetry {
            Symmetry::All => position.min(FourPosition(self.columns.mirrored(position.0))),
            _ => position,
        }
    }
    fn countdown(&self) -> Option<&dyn Countdown<Position = FourPosition, Move = FourMove>> {
        Some(self)
    }
}

impl Packing<2> for Four {
    #[inline]
    fn pack(&self, position: FourPosition) -> [u32; 2] {
        halves(position.0)
    }
    #[inline]
    fn unpack(&self, words: [u32; 2]) -> FourPosition {
        FourPosition(whole(words))
    }
    fn pack_move(&self, mv: FourMove) -> u64 {
        mv.0.into()
    }
    fn unpack_move(&self, number: u64) -> FourMove {
        FourMove(number as u8)
    }
}
