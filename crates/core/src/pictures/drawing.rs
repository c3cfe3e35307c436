//! Pictures of positions as data, for renderers that know no game.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::{BoardCell, PieceKind};

/// Form of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceShape {
    /// An ordinary piece.
    Pawn,
    /// A piece that may not be lost.
    Leader,
    /// A square block.
    Block,
    /// An X.
    Cross,
    /// An O.
    Ring,
    /// A piece that goes one way: columns to the right and rows up at each step.
    Arrow(i8, i8),
    /// Any other piece, by its sign.
    Sign(char),
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawnPiece {
    /// Place of the piece.
    pub cell: BoardCell,
    /// Player who owns the piece; `None` if nobody does, or that is not known.
    pub player: Option<usize>,
    /// Form of the piece.
    pub shape: PieceShape,
}

impl DrawnPiece {
    /// Returns the kind of the piece.
    #[must_use]
    pub const fn kind(&self) -> PieceKind {
        PieceKind { player: self.player, shape: self.shape }
    }
}

/// Meaning of a special cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    /// The home of a player's leader.
    Home(usize),
    /// A hole into which pieces fall.
    Hole,
}

/// A special cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawnMark {
    /// Place of the mark.
    pub cell: BoardCell,
    /// Meaning of the cell.
    pub kind: MarkKind,
}

/// A fence of two cells' length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnFence {
    /// Name of the fence in the texts of moves.
    pub name: String,
    /// Cell south-west of the middle of the fence.
    pub cell: BoardCell,
    /// True for a fence between columns, false for one between rows.
    pub is_vertical: bool,
}

impl DrawnFence {
    /// Returns a fence, whose name is its cell, and `v` or `h`.
    #[must_use]
    pub fn new(cell: BoardCell, is_vertical: bool) -> Self {
        let direction = if is_vertical { 'v' } else { 'h' };
        Self { name: format!("{}{direction}", cell.name()), cell, is_vertical }
    }

    /// Returns the fence of a name, in any ASCII case.
    ///
    /// ```
    /// use hindsight_core::DrawnFence;
    ///
    /// assert_eq!(DrawnFence::named("E3H").map(|fence| fence.name).as_deref(), Some("e3h"));
    /// assert_eq!(DrawnFence::named("e3"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let cut = name.len().checked_sub(1)?;
        let is_vertical = match name.as_bytes()[cut].to_ascii_lowercase() {
            b'v' => true,
            b'h' => false,
            _ => return None,
        };
        Some(Self::new(BoardCell::named(&name[..cut])?, is_vertical))
    }
}

/// A card with moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnCard {
    /// Name of the card.
    pub name: String,
    /// Steps to the right and forward, at most two each way, as the holder sees them.
    pub steps: Vec<(i8, i8)>,
}

/// A player beside the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawnSeat {
    /// Name of the player.
    pub name: String,
    /// True if the player sits at the top of the board that is not turned.
    pub is_at_top: bool,
    /// True if the pieces of the player are dark.
    pub is_dark: bool,
    /// Cards of the player.
    pub cards: Vec<DrawnCard>,
    /// Words for what the player has in hand, such as `7 fences`; empty for nothing.
    pub stock: String,
    /// Number of fences that the player has in hand; `None` in games without.
    pub in_hand: Option<u8>,
}

/// Picture of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    /// Number of columns.
    pub columns: u8,
    /// Number of rows.
    pub rows: u8,
    /// Pieces on the board.
    pub pieces: Vec<DrawnPiece>,
    /// Special cells.
    pub marks: Vec<DrawnMark>,
    /// Fences on the board.
    pub fences: Vec<DrawnFence>,
    /// Players 0 and 1.
    pub seats: [DrawnSeat; 2],
    /// Cards that nobody holds.
    pub cards_aside: Vec<DrawnCard>,
    /// Player to move; `None` if the game is over, or nobody has asked.
    pub player_to_move: Option<usize>,
    /// Words below the board, such as a forbidden move; empty for none.
    pub note: String,
    /// True if fences can stand between the cells.
    pub has_fences: bool,
    /// True if the board is seen from its upper side. Cells keep their names, and all other fields
    /// are those of the board that is not turned.
    pub is_turned: bool,
}

impl Drawing {
    /// Returns the picture of an empty board. Player 1 sits at the top and has dark pieces.
    #[must_use]
    pub fn empty(columns: u8, rows: u8, names: [&str; 2]) -> Self {
        let seat = |player: usize| DrawnSeat {
            name: names[player].to_string(),
            is_at_top: player == 1,
            is_dark: player == 1,
            ..DrawnSeat::default()
        };
        Self { columns, rows, seats: [seat(0), seat(1)], ..Self::default() }
    }

    /// Returns the picture of a board in rows of signs from the top, with `/` between them.
    ///
    /// A sign is a piece of the player whose name begins with it, in any case, or else of nobody;
    /// `.` is an empty cell. The signs `x` and `o` are drawn as a cross and a ring.
    ///
    /// ```
    /// use hindsight_core::Drawing;
    ///
    /// let drawing = Drawing::of_signs("x../.o.", ["X", "O"]);
    /// assert_eq!((drawing.columns, drawing.rows), (3, 2));
    /// assert_eq!(drawing.pieces[0].cell.name(), "a2");
    /// assert_eq!(drawing.pieces[1].player, Some(1));
    /// ```
    #[must_use]
    pub fn of_signs(board: &str, names: [&str; 2]) -> Self {
        let rows: Vec<&str> = board.split('/').collect();
        let columns = rows.iter().map(|row| row.chars().count()).max();
        let begins_with = |name: &str, sign: char| {
            let first = name.chars().next();
            first.is_some_and(|first| first.eq_ignore_ascii_case(&sign))
        };
        let small = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        let mut drawing = Self::empty(small(columns.unwrap_or(0)), small(rows.len()), names);
        for (from_top, row) in rows.iter().enumerate() {
            for (column, sign) in row.chars().enumerate().filter(|(_, sign)| *sign != '.') {
                drawing.pieces.push(DrawnPiece {
                    cell: BoardCell {
                        column: small(column),
                        row: small(rows.len() - 1 - from_top),
                    },
                    player: names.iter().position(|name| begins_with(name, sign)),
                    shape: match sign.to_ascii_lowercase() {
                        'x' => PieceShape::Cross,
                        'o' => PieceShape::Ring,
                        _ => PieceShape::Sign(sign),
                    },
                });
            }
        }
        drawing
    }

    /// Returns the same picture seen from the other side of the board.
    ///
    /// ```
    /// use hindsight_core::Drawing;
    ///
    /// let drawing = Drawing::of_signs("x../.o.", ["X", "O"]);
    /// let cell = drawing.pieces[0].cell;
    /// let turned = drawing.clone().turned();
    /// assert_eq!(turned.pieces[0].cell.name(), "a2");
    /// assert_eq!(turned.place_of(cell).name(), "c1");
    /// assert_eq!(turned.turned(), drawing);
    /// ```
    #[must_use]
    pub fn turned(self) -> Self {
        Self { is_turned: !self.is_turned, ..self }
    }

    /// Returns the place of a cell as the picture lies: its column from the left and its row from
    /// the bottom.
    #[must_use]
    pub fn place_of(&self, cell: BoardCell) -> BoardCell {
        if self.is_turned {
            BoardCell { column: self.columns - 1 - cell.column, row: self.rows - 1 - cell.row }
        } else {
            cell
        }
    }

    /// Returns the place of the cell to the left of and below the middle of a fence, as the picture
    /// lies.
    #[must_use]
    pub fn place_of_fence(&self, fence: &DrawnFence) -> BoardCell {
        let BoardCell { column, row } = fence.cell;
        self.place_of(if self.is_turned {
            BoardCell { column: column + 1, row: row + 1 }
        } else {
            fence.cell
        })
    }

    /// Returns the form of a piece as the picture lies.
    #[must_use]
    pub fn shape_of(&self, piece: &DrawnPiece) -> PieceShape {
        match piece.shape {
            PieceShape::Arrow(right, up) if self.is_turned => PieceShape::Arrow(-right, -up),
            shape => shape,
        }
    }

    /// Returns true if a player sits at the top as the picture lies.
    ///
    /// # Panics
    /// If `player` is not 0 or 1.
    #[must_use]
    pub fn is_at_top(&self, player: usize) -> bool {
        self.seats[player].is_at_top != self.is_turned
    }
}
