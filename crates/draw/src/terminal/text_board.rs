//! The board as text: each cell is three columns wide, with lines around it.

use hindsight_core::{BoardCell, Drawing, DrawnFence, DrawnMark, MarkKind};

use super::inks::Ink;
use super::signs::{HOLE, HOME, HOME_EDGE, piece_sign};
use super::text_canvas::TextCanvas;
use crate::board::column_letter;
use crate::last_move::LastMove;

/// Columns for the names of rows.
pub(super) const NAMES_WIDTH: usize = 3;
/// Columns of a cell with the line on its left.
const CELL_WIDTH: usize = 4;
/// Lines of a cell with the line above it.
const CELL_HEIGHT: usize = 2;

pub(super) fn board_width(drawing: &Drawing) -> usize {
    NAMES_WIDTH + CELL_WIDTH * usize::from(drawing.columns) + 1
}

pub(super) fn board_height(drawing: &Drawing) -> usize {
    CELL_HEIGHT * usize::from(drawing.rows) + 2
}

/// The board on a canvas.
pub(super) struct TextBoard<'a> {
    pub(super) canvas: &'a mut TextCanvas,
    pub(super) drawing: &'a Drawing,
    pub(super) last: &'a LastMove,
    /// First line of the board.
    pub(super) top: usize,
}

impl TextBoard<'_> {
    /// Draws the board with all that lies on it.
    pub(super) fn draw(mut self) {
        self.draw_lines();
        self.draw_names();
        for mark in &self.drawing.marks {
            self.draw_mark(*mark);
        }
        for &cell in &self.last.cells {
            let [column, line] = self.middle(cell);
            self.canvas.put_sign(column - 1, line, '[', Ink::LAST);
            self.canvas.put_sign(column + 1, line, ']', Ink::LAST);
        }
        for piece in &self.drawing.pieces {
            let [column, line] = self.middle(piece.cell);
            let seat = piece.player.map(|player| &self.drawing.seats[player]);
            let ink = seat.map_or(Ink::PLAIN, Ink::of_seat);
            let is_dark = seat.is_some_and(|seat| seat.is_dark);
            let sign = piece_sign(self.drawing.shape_of(piece), is_dark);
            self.canvas.put_sign(column, line, sign, ink);
        }
        for fence in &self.drawing.fences {
            self.draw_fence(fence);
        }
    }

    /// Returns the column and the line of the middle of a cell.
    fn middle(&self, cell: BoardCell) -> [usize; 2] {
        let place = self.drawing.place_of(cell);
        let from_top = usize::from(self.drawing.rows - 1 - place.row);
        [
            NAMES_WIDTH + CELL_WIDTH * usize::from(place.column) + CELL_WIDTH / 2,
            self.top + CELL_HEIGHT * from_top + 1,
        ]
    }

    fn draw_lines(&mut self) {
        let [rows, columns] = [self.drawing.rows, self.drawing.columns].map(usize::from);
        for row in 0..=rows {
            let line = self.top + CELL_HEIGHT * row;
            let is_edge = row == 0 || row == rows;
            for column in 0..=columns {
                let at = NAMES_WIDTH + CELL_WIDTH * column;
                let is_side = column == 0 || column == columns;
                let corner = corner_sign([column, columns], [row, rows]);
                self.canvas.put_sign(at, line, corner, Ink::FAINT);
                if column < columns && (is_edge || !self.drawing.has_fences) {
                    self.canvas.put(at + 1, line, "───", Ink::FAINT);
                }
                if row < rows && (is_side || !self.drawing.has_fences) {
                    self.canvas.put_sign(at, line + 1, '│', Ink::FAINT);
                }
            }
        }
    }

    fn draw_names(&mut self) {
        for row in 0..self.drawing.rows {
            let [_, line] = self.middle(BoardCell { column: 0, row });
            let name = format!("{:>2}", row + 1);
            self.canvas.put(0, line, &name, Ink::PLAIN);
        }
        let line = self.top + board_height(self.drawing) - 1;
        for column in 0..self.drawing.columns {
            let [at, _] = self.middle(BoardCell { column, row: 0 });
            let name = column_letter(column);
            self.canvas.put_sign(at, line, name, Ink::PLAIN);
        }
    }

    fn draw_mark(&mut self, mark: DrawnMark) {
        let [column, line] = self.middle(mark.cell);
        match mark.kind {
            MarkKind::Hole => self.canvas.put(column - 1, line, HOLE, Ink::FAINT),
            MarkKind::Home(player) => {
                let ink = Ink::of_seat(&self.drawing.seats[player]);
                let edge = if self.drawing.is_at_top(player) { line - 1 } else { line + 1 };
                self.canvas.put_sign(column, line, HOME, ink);
                self.canvas.put(column - 1, edge, HOME_EDGE, ink);
            }
        }
    }

    fn draw_fence(&mut self, fence: &DrawnFence) {
        let place = self.drawing.place_of_fence(fence);
        let from_top = usize::from(self.drawing.rows - 1 - place.row);
        let column = NAMES_WIDTH + CELL_WIDTH * (usize::from(place.column) + 1);
        let line = self.top + CELL_HEIGHT * from_top;
        let (ink, [along_row, along_column]) = if self.last.fence.as_ref() == Some(&fence.name) {
            (Ink::LAST, ['═', '║'])
        } else {
            (Ink::WOOD, ['━', '┃'])
        };
        if fence.is_vertical {
            for line in line - 1..=line + 1 {
                self.canvas.put_sign(column, line, along_column, ink);
            }
        } else {
            for column in column - 3..=column + 3 {
                self.canvas.put_sign(column, line, along_row, ink);
            }
        }
    }
}

/// Returns the sign where lines meet; `[at, end]` are the number of a line and that of the last.
fn corner_sign(column: [usize; 2], row: [usize; 2]) -> char {
    let part = |[at, end]: [usize; 2]| match at {
        0 => 0,
        _ if at == end => 2,
        _ => 1,
    };
    [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']][part(row)][part(column)]
}
