//! Pictures as text for a terminal.

mod inks;
mod signs;
mod text_board;
mod text_canvas;
mod text_seats;

use hindsight_core::Drawing;
use unicode_width::UnicodeWidthStr;

use crate::last_move::LastMove;
pub(crate) use inks::Ink;
use text_board::{NAMES_WIDTH, TextBoard, board_height, board_width};
pub(crate) use text_canvas::{TextCanvas, start_of, wrapped};
use text_seats::{
    CARDS_HEIGHT, NAME_INDENT, aside_words, draw_grids, grids_width, has_cards, put_signs,
    seat_words,
};

/// Columns between the board and the players.
const PANEL_GAP: usize = 2;

/// Style of a picture in a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerminalStyle {
    /// True for control sequences that select colours.
    pub has_colors: bool,
    /// Most columns of the picture.
    pub columns: usize,
}

/// Draws a picture as text in several lines, without a line break at the end; `None` if the board
/// is wider than the terminal.
///
/// `last_move` is the text of the last move: its cells stand in brackets, and its fence is a
/// double line. Filled pieces are those of the dark player. The signs of the
/// picture are one column wide, but in terminals that show ambiguous signs as two.
/// Cards are grids if there is room for them beside the board, else names.
///
/// ```
/// use hindsight_core::Drawing;
/// use hindsight_draw::{TerminalStyle, terminal};
///
/// let drawing = Drawing::of_signs("x./.o", ["X", "O"]);
/// let style = TerminalStyle {
///     has_colors: false,
///     columns: 80,
/// };
/// let text = terminal(&drawing, "b1", style).expect("a board of less than 80 columns");
/// let lines = [
///     "   ┌───┬───┐",
///     " 2 │ × │   │    ○ O",
///     "   ├───┼───┤",
///     " 1 │   │[○]│    × X",
///     "   └───┴───┘",
///     "     a   b",
/// ];
/// assert_eq!(text, lines.join("\n"));
/// ```
#[must_use]
pub fn terminal(drawing: &Drawing, last_move: &str, style: TerminalStyle) -> Option<String> {
    let beside_board = style.columns.checked_sub(board_width(drawing))?;
    let room = beside_board.saturating_sub(PANEL_GAP);
    let mut picture = TextPicture {
        drawing,
        last: LastMove::read(drawing, last_move),
        columns: style.columns,
        canvas: TextCanvas::default(),
    };
    if has_cards(drawing) && grids_width(drawing) <= room {
        picture.draw_grids_beside();
    } else if picture.words_width() <= room {
        picture.draw_words_beside();
    } else {
        picture.draw_words_around();
    }
    picture.draw_note();
    Some(picture.canvas.text(style.has_colors))
}

/// A picture that is being drawn.
struct TextPicture<'a> {
    drawing: &'a Drawing,
    last: LastMove,
    columns: usize,
    canvas: TextCanvas,
}

impl TextPicture<'_> {
    fn draw_board(&mut self, top: usize) {
        TextBoard { canvas: &mut self.canvas, drawing: self.drawing, last: &self.last, top }.draw();
    }

    /// Draws the players with their cards as grids beside the board.
    fn draw_grids_beside(&mut self) {
        let height = board_height(self.drawing).max(CARDS_HEIGHT);
        self.draw_board((height - board_height(self.drawing)) / 2);
        let column = board_width(self.drawing) + PANEL_GAP;
        draw_grids(&mut self.canvas, self.drawing, column, height);
    }

    /// Returns the columns of the players in words.
    fn words_width(&self) -> usize {
        let seats = [0, 1].map(|player| seat_words(self.drawing, player));
        let texts = [&seats[0], &seats[1], &aside_words(self.drawing)];
        let widths = texts.map(|text| text.width());
        NAME_INDENT + widths.iter().max().unwrap_or(&0)
    }

    /// Draws the players in words beside the board.
    fn draw_words_beside(&mut self) {
        self.draw_board(0);
        let column = board_width(self.drawing) + PANEL_GAP;
        let bottom = board_height(self.drawing).saturating_sub(3);
        for player in [0, 1] {
            let line = if self.drawing.is_at_top(player) { 1 } else { bottom.max(2) };
            self.draw_seat_words(player, column, line);
        }
        let aside = aside_words(self.drawing);
        let line = board_height(self.drawing) / 2 - 1;
        let column = column + NAME_INDENT;
        self.canvas.put(column, line, &aside, Ink::PLAIN);
    }

    /// Draws the players in words above and below the board.
    fn draw_words_around(&mut self) {
        let top = [0, 1].into_iter().find(|&it| self.drawing.is_at_top(it));
        let top = top.unwrap_or(1);
        let height = self.draw_seat_words(top, 0, 0);
        self.draw_board(height);
        let aside = aside_words(self.drawing);
        if !aside.is_empty() {
            let (line, room) = (self.canvas.height(), self.columns - NAME_INDENT);
            self.canvas.put_words(NAME_INDENT, line, &aside, room);
        }
        let line = self.canvas.height();
        self.draw_seat_words(1 - top, 0, line);
    }

    /// Draws a player in words, and returns the number of lines.
    fn draw_seat_words(&mut self, player: usize, column: usize, line: usize) -> usize {
        put_signs(&mut self.canvas, column, line, self.drawing, player);
        let words = seat_words(self.drawing, player);
        let column = column + NAME_INDENT;
        let room = self.columns - column;
        self.canvas.put_words(column, line, &words, room)
    }

    fn draw_note(&mut self) {
        if self.drawing.note.is_empty() {
            return;
        }
        let (line, room) = (self.canvas.height(), self.columns - NAMES_WIDTH);
        let note = &self.drawing.note;
        self.canvas.put_words(NAMES_WIDTH, line, note, room);
    }
}
