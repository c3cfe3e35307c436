//! The board: squares, marks, pieces and fences, with the names of rows and columns.

use hindsight_core::{BoardCell, Drawing, DrawnFence, DrawnMark, MarkKind};

use crate::canvas::Canvas;
use crate::colors::{INK, LAST, LAST_FRAME, LINE, PlayerColors, SQUARE, WOOD};
use crate::last_move::LastMove;
use crate::picture::{Anchor, Paint};
use crate::pieces::draw_piece;

/// Width and height of a square.
pub(crate) const CELL: f64 = 56.0;
/// Room above the board.
pub(crate) const BOARD_TOP: f64 = 4.0;
/// Size of the names of rows and columns.
pub(crate) const NAME_SIZE: f64 = 14.0;
/// Thickness of a fence.
const FENCE: f64 = 8.0;

/// Returns the room for the names of rows, of some size.
fn board_left(name_size: f64) -> f64 {
    name_size + 12.0
}

/// Returns the width of a board with names of some size.
pub(crate) fn board_width(drawing: &Drawing, name_size: f64) -> f64 {
    board_left(name_size) + CELL * f64::from(drawing.columns)
}

/// Returns the height of a board with names of some size.
pub(crate) fn board_height(drawing: &Drawing, name_size: f64) -> f64 {
    BOARD_TOP + CELL * f64::from(drawing.rows) + name_size + 10.0
}

/// Returns the upper left corner of a cell.
fn corner(drawing: &Drawing, cell: BoardCell) -> [f64; 2] {
    let place = drawing.place_of(cell);
    let from_top = f64::from(drawing.rows) - 1.0 - f64::from(place.row);
    [CELL * f64::from(place.column), CELL * from_top]
}

/// Draws the board with all that lies on it, and names of some size.
pub(crate) fn draw_board(canvas: &mut Canvas, drawing: &Drawing, last: &LastMove, name_size: f64) {
    canvas.within(board_left(name_size), BOARD_TOP, |canvas| {
        draw_squares(canvas, drawing, last);
        draw_names(canvas, drawing, name_size);
        for mark in &drawing.marks {
            draw_mark(canvas, drawing, *mark);
        }
        for piece in &drawing.pieces {
            let [x, y] = corner(drawing, piece.cell);
            let seat = piece.player.map(|player| &drawing.seats[player]);
            let colors = seat.map_or(PlayerColors::NOBODY, PlayerColors::of);
            canvas.within(x + CELL / 2.0, y + CELL / 2.0, |canvas| {
                draw_piece(canvas, drawing.shape_of(piece), colors);
            });
        }
        for fence in &drawing.fences {
            let is_last = last.fence.as_ref() == Some(&fence.name);
            draw_fence(canvas, drawing, fence, is_last);
        }
    });
}

fn draw_squares(canvas: &mut Canvas, drawing: &Drawing, last: &LastMove) {
    for row in 0..drawing.rows {
        for column in 0..drawing.columns {
            let cell = BoardCell { column, row };
            let [x, y] = corner(drawing, cell);
            let paint = Paint::new(SQUARE, LINE, 1.0);
            canvas.rect([x, y, CELL, CELL], 0.0, paint);
            if last.cells.contains(&cell) {
                let paint = Paint::new(LAST, LAST_FRAME, 2.5);
                canvas.rect([x + 2.0, y + 2.0, CELL - 4.0, CELL - 4.0], 4.0, paint);
            }
        }
    }
    let (columns, rows) = (f64::from(drawing.columns), f64::from(drawing.rows));
    let frame = Paint::line(INK, 1.8);
    canvas.rect([0.0, 0.0, CELL * columns, CELL * rows], 1.0, frame);
}

fn draw_names(canvas: &mut Canvas, drawing: &Drawing, size: f64) {
    for row in 0..drawing.rows {
        let [_, y] = corner(drawing, BoardCell { column: 0, row });
        let name = (row + 1).to_string();
        let middle = y + CELL / 2.0;
        canvas.text(-9.0, middle + size * 5.0 / 14.0, size, Anchor::End, &name);
    }
    for column in 0..drawing.columns {
        let [x, _] = corner(drawing, BoardCell { column, row: 0 });
        let x = x + CELL / 2.0;
        let name = column_letter(column).to_string();
        let y = CELL * f64::from(drawing.rows) + size + 5.0;
        canvas.text(x, y, size, Anchor::Middle, &name);
    }
}

/// Returns the last letter of the name of a column, which is its name up to `z`.
pub(crate) fn column_letter(column: u8) -> char {
    char::from(b'a' + column % 26)
}

fn draw_mark(canvas: &mut Canvas, drawing: &Drawing, mark: DrawnMark) {
    let [x, y] = corner(drawing, mark.cell);
    match mark.kind {
        MarkKind::Hole => {
            let paint = |fill, width| Paint::new(fill, INK, width);
            let [x, y] = [x + CELL / 2.0, y + CELL / 2.0];
            canvas.circle(x, y, CELL * 0.40, paint("#6d6a64", 1.5));
            canvas.circle(x, y + 2.0, CELL * 0.33, paint("#1a1a1a", 0.0));
        }
        MarkKind::Home(player) => {
            let seat = &drawing.seats[player];
            let paint = Paint::line(PlayerColors::of(seat).outline, 2.0);
            let turn = if drawing.is_at_top(player) { -1.0 } else { 1.0 };
            let [left, right] = [x + CELL * 0.14, x + CELL * 0.86];
            let middle = y + CELL / 2.0;
            let [foot, roof] = [0.45, 0.36].map(|part| middle + turn * CELL * part);
            canvas.path(&format!("M {left} {foot} V {roof} H {right} V {foot}"), paint);
        }
    }
}

fn draw_fence(canvas: &mut Canvas, drawing: &Drawing, fence: &DrawnFence, is_last: bool) {
    let place = drawing.place_of_fence(fence);
    let from_top = drawing.rows - 1 - place.row;
    let middle_x = CELL * f64::from(place.column + 1);
    let middle_y = CELL * f64::from(from_top);
    let (half, thick) = (CELL - 4.0, FENCE / 2.0);
    let place = if fence.is_vertical {
        [middle_x - thick, middle_y - half, FENCE, 2.0 * half]
    } else {
        [middle_x - half, middle_y - thick, 2.0 * half, FENCE]
    };
    let paint = Paint::new(
        if is_last { LAST } else { WOOD },
        if is_last { LAST_FRAME } else { "#3f230a" },
        if is_last { 2.5 } else { 1.0 },
    );
    canvas.rect(place, 3.0, paint);
}
