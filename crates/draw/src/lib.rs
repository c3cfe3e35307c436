//! Pictures of positions, made from the drawing data of any game ([`Drawing`]), and of numbers.
//!
//! | function | result |
//! |---|---|
//! | [`picture()`] | the picture, as large as the board needs |
//! | [`Sheet`] | puzzles on pages of paper and their solutions |
//! | [`Plot`] | curves, bars and maps of numbers, also as text |
//! | [`Picture::svg`] | a picture as SVG |
//! | [`Picture::png`] | a picture as PNG, with letters of its own font (feature `png`) |
//! | [`pdf`] | pictures as the pages of a PDF, with the same letters (feature `pdf`) |
//! | [`terminal`] | the picture as text for a terminal, with or without colours |
//!
//! A [`Picture`] is a list of shapes, from which SVG, PNG and PDF come alike: PNG and PDF with the
//! letters of fonts that the program has. Nothing here knows a game.
//!
//! Players differ by light and dark and by the outline, so a picture can be read in black and
//! white. The player at the bottom plays upwards; the cards of the player at the top are turned.
//! A drawing that is turned ([`Drawing::turned`]) is seen from the other side of the board.
//!
//! ```
//! use hindsight_core::Drawing;
//!
//! let drawing = Drawing::of_signs("x../.o./...", ["X", "O"]);
//! let svg = hindsight_draw::picture(&drawing, "three in a row", "c1").svg();
//! assert!(svg.starts_with("<svg "));
//! ```

mod board;
mod canvas;
mod cards;
mod colors;
mod last_move;
#[cfg(feature = "png")]
mod letters;
#[cfg(feature = "png")]
mod outline;
#[cfg(feature = "pdf")]
mod pdf;
mod picture;
mod pieces;
mod plot;
#[cfg(feature = "png")]
mod png;
mod seats;
mod sheet;
mod terminal;
mod text_width;

use hindsight_core::Drawing;

#[cfg(feature = "png")]
pub use letters::PictureError;
#[cfg(feature = "pdf")]
pub use pdf::pdf;
pub use picture::Picture;
pub use plot::{
    CurveForm, Plot, PlotAxis, PlotBar, PlotBars, PlotColor, PlotContent, PlotCurve, PlotCurves,
    PlotInk, PlotMap, PlotMark, PlotPoint,
};
#[cfg(feature = "png")]
pub use png::png_memory;
pub use sheet::{PUZZLES_PER_PAGE, Paper, Sheet, SheetPages, SheetPuzzle};
pub use terminal::{TerminalStyle, terminal};

use board::{BOARD_TOP, CELL, NAME_SIZE, board_height, board_width, draw_board};
use canvas::Canvas;
use last_move::LastMove;
use picture::Anchor;
use seats::{PANEL_GAP, draw_seats, panel_size};

/// Room around the picture.
const MARGIN: f64 = 14.0;

/// Returns true if the text of a move names a cell or a fence of a picture.
#[must_use]
pub fn names_a_place(drawing: &Drawing, last_move: &str) -> bool {
    let last = LastMove::read(drawing, last_move);
    last.fence.is_some() || !last.cells.is_empty()
}

/// Draws a position.
///
/// `title` names the picture for those who cannot see it. `last_move` is the text of the last move,
/// whose cells and fence are marked; empty for none.
#[must_use]
pub fn picture(drawing: &Drawing, title: &str, last_move: &str) -> Picture {
    let last = LastMove::read(drawing, last_move);
    let (width, height) = picture_size(drawing);
    let mut canvas = Canvas::new(width + 2.0 * MARGIN, height + 2.0 * MARGIN, title);
    canvas.within(MARGIN, MARGIN, |canvas| draw_picture(canvas, drawing, &last));
    canvas.finish()
}

/// Returns the width and height of a picture.
fn picture_size(drawing: &Drawing) -> (f64, f64) {
    let (panel_width, panel_height) = panel_size(drawing);
    let note_height = if drawing.note.is_empty() { 0.0 } else { 26.0 };
    let height = board_height(drawing, NAME_SIZE).max(panel_height) + note_height;
    (board_width(drawing, NAME_SIZE) + PANEL_GAP + panel_width, height)
}

/// Draws the board, the players beside it and the note below.
fn draw_picture(canvas: &mut Canvas, drawing: &Drawing, last: &LastMove) {
    draw_board(canvas, drawing, last, NAME_SIZE);
    let (_, panel_height) = panel_size(drawing);
    let seats_height = board_height(drawing, NAME_SIZE).max(panel_height) - BOARD_TOP;
    canvas.within(board_width(drawing, NAME_SIZE) + PANEL_GAP, 0.0, |canvas| {
        draw_seats(canvas, drawing, seats_height);
    });
    if !drawing.note.is_empty() {
        let (_, height) = picture_size(drawing);
        canvas.text(CELL / 2.0, height - 6.0, 15.0, Anchor::Start, &drawing.note);
    }
}
