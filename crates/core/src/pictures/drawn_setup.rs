//! Positions that are put together from pictures.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::{BoardCell, Drawing, MarkKind, ParseError, PieceShape};

/// Game whose positions can be put together from pictures. [`Notation::drawn_setup`] hands it out.
///
/// # Laws
/// `hindsight_testkit::check_notation` checks them on pictures of random games, and on such
/// pictures with things removed, moved, exchanged and added:
///
/// * The text of a picture is read as the position whose picture it is, but for the words below
///   the board, or it is refused.
/// * The text of the picture of a position is not refused.
/// * All that is on the board can be put there by [`DrawnSetup::kinds`].
///
/// [`Notation::drawn_setup`]: crate::Notation::drawn_setup
pub trait DrawnSetup {
    /// Returns what can be put into a picture.
    fn kinds(&self) -> SetupKinds;

    /// Writes the position of a picture as [`Notation::format`](crate::Notation::format) does.
    ///
    /// Whatever the picture shows, there is a text. If it shows no position, `parse` refuses the
    /// text, and [`PlacedText::place_of`] tells where the picture has the fault. The words below
    /// the board and pieces beside it have no part in the text; no move is forbidden.
    fn text_of(&self, drawing: &Drawing) -> PlacedText;
}

/// Kind of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceKind {
    /// Owner; `None` if nobody owns the piece.
    pub player: Option<usize>,
    /// Form of the piece.
    pub shape: PieceShape,
}

impl PieceKind {
    /// Returns the kind of a player's pieces of a form.
    #[must_use]
    pub const fn of(player: usize, shape: PieceShape) -> Self {
        Self { player: Some(player), shape }
    }
}

/// Things that can be put into a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetupKinds {
    /// Kinds of pieces that can be on the board.
    pub pieces: Vec<PieceKind>,
    /// Special cells that can be moved.
    pub marks: Vec<MarkKind>,
    /// Most fences in the hand of each player; `None` in games without.
    pub most_in_hand: Option<[u8; 2]>,
    /// True if the player to move is set; false if that follows from the board.
    pub has_turn: bool,
}

/// Part of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DrawnPlace {
    /// A cell of the board.
    Cell(BoardCell),
    /// Cards or fences in the hand of a player.
    Hand(usize),
    /// The cards that nobody holds.
    Aside,
    /// The fence of a name.
    Fence(String),
    /// The player to move.
    Turn,
}

/// Text whose parts stand for parts of a picture.
///
/// ```
/// use hindsight_core::{DrawnPlace, ParseError, PlacedText};
///
/// let mut text = PlacedText::default();
/// text.push("2,1", Some(DrawnPlace::Hand(0)));
/// text.push(" ", None);
/// text.push("left", Some(DrawnPlace::Turn));
/// assert_eq!(text.to_string(), "2,1 left");
/// let fault = ParseError::new(4, "it is the turn of white or black, not 'left'");
/// assert_eq!(text.place_of(&fault), Some(&DrawnPlace::Turn));
/// assert_eq!(text.place_of(&ParseError::new(0, "two parts are needed").spanning(8)), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlacedText {
    parts: Vec<TextPart>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct TextPart {
    text: String,
    place: Option<DrawnPlace>,
}

impl PlacedText {
    /// Adds a part; `None` stands for no part of the picture.
    pub fn push(&mut self, text: impl Into<String>, place: Option<DrawnPlace>) {
        let text = text.into();
        self.parts.push(TextPart { text, place });
    }

    /// Adds the rows of a board from the top, with `/` between them.
    ///
    /// `signs` are those of the kinds of pieces; `?` stands for a piece of another kind, `O` for a
    /// hole, `.` for an empty cell. A cell with several things has several signs.
    pub fn push_rows(&mut self, drawing: &Drawing, signs: &[(PieceKind, char)]) {
        for row in (0..drawing.rows).rev() {
            for column in 0..drawing.columns {
                let cell = BoardCell { column, row };
                let mut written = signs_on(drawing, cell, signs);
                if written.is_empty() {
                    written.push('.');
                }
                self.push(written, Some(DrawnPlace::Cell(cell)));
            }
            if row > 0 {
                self.push("/", None);
            }
        }
    }

    /// As [`PlacedText::push_rows`], but a number stands for empty cells side by side.
    pub fn push_counted_rows(&mut self, drawing: &Drawing, signs: &[(PieceKind, char)]) {
        for row in (0..drawing.rows).rev() {
            let mut empty = 0;
            for column in 0..drawing.columns {
                let cell = BoardCell { column, row };
                let written = signs_on(drawing, cell, signs);
                if written.is_empty() {
                    empty += 1;
                    continue;
                }
                self.push_count(core::mem::take(&mut empty));
                self.push(written, Some(DrawnPlace::Cell(cell)));
            }
            self.push_count(empty);
            if row > 0 {
                self.push("/", None);
            }
        }
    }

    fn push_count(&mut self, empty: u8) {
        if empty > 0 {
            self.push(empty.to_string(), None);
        }
    }

    /// Adds texts with their places and commas between them; `-` if there are none.
    pub fn push_list(&mut self, items: impl Iterator<Item = (String, DrawnPlace)>) {
        let first = self.parts.len();
        for (text, place) in items {
            if self.parts.len() > first {
                self.push(",", None);
            }
            self.push(text, Some(place));
        }
        if self.parts.len() == first {
            self.push("-", None);
        }
    }

    /// Adds a space and the player to move, in one of the two words; `-` if nobody is.
    pub fn push_turn(&mut self, drawing: &Drawing, words: [&str; 2]) {
        let word = drawing.player_to_move.and_then(|player| words.get(player));
        self.push(" ", None);
        self.push(*word.unwrap_or(&"-"), Some(DrawnPlace::Turn));
    }

    /// Returns the place in the picture that a fault in the text is at; `None` if it is at none, or
    /// at several.
    #[must_use]
    pub fn place_of(&self, fault: &ParseError) -> Option<&DrawnPlace> {
        let (start, end) = (fault.offset, fault.offset + fault.length);
        let mut places = Vec::new();
        let mut at = 0;
        for part in &self.parts {
            let part_end = at + part.text.len();
            if at < end && start < part_end {
                places.push(part.place.as_ref());
            }
            at = part_end;
        }
        let first = *places.first()?;
        first.filter(|_| places.iter().all(|place| *place == first))
    }
}

impl fmt::Display for PlacedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| f.write_str(&part.text))
    }
}

/// Returns the signs of what stands on a cell, the pieces first.
fn signs_on(drawing: &Drawing, cell: BoardCell, signs: &[(PieceKind, char)]) -> String {
    let sign = |kind: PieceKind| {
        let found = signs.iter().find(|(of, _)| *of == kind);
        found.map_or('?', |&(_, sign)| sign)
    };
    let pieces = drawing.pieces.iter().filter(|piece| piece.cell == cell);
    let pieces = pieces.map(|piece| sign(piece.kind()));
    let marks = drawing.marks.iter().filter(|mark| mark.cell == cell);
    let holes = marks.filter(|mark| mark.kind == MarkKind::Hole);
    pieces.chain(holes.map(|_| 'O')).collect()
}
