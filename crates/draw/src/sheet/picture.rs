//! A puzzle of a page: number, task and stars above the board, and the players beside it.

use hindsight_core::Drawing;

use super::layout::line_size;
use super::panel::draw_panel;
use super::puzzle::NumberedPuzzle;
use super::stars::draw_stars;
use crate::board::{NAME_SIZE, board_height, board_width, draw_board};
use crate::canvas::Canvas;
use crate::last_move::LastMove;
use crate::picture::Anchor;

/// Height of the line above the picture.
const CAPTION: f64 = 19.0;
/// Room below a picture.
const BELOW: f64 = 10.0;
/// Room between the board and the players.
const PANEL_GAP: f64 = 10.0;
/// Width of the players beside the board, at least.
const PANEL_WIDTH: f64 = 104.0;
/// Size of the names of rows and columns on paper.
const PRINTED_NAME: f64 = 6.5;
/// Most that a square is wide, as a part of its own width.
const MOST_SCALE: f64 = 0.6;
/// Size of a star.
const STAR: f64 = 4.2;
/// Width of the stars and of the number.
const STARS_WIDTH: f64 = 54.0;
const NUMBER_WIDTH: f64 = 20.0;

impl NumberedPuzzle<'_> {
    /// Draws number, task and stars as a line of some width, whose letters stand at `y`.
    pub(super) fn draw_caption(&self, canvas: &mut Canvas, width: f64, y: f64, size: f64) {
        let task = &self.puzzle.task;
        canvas.text(0.0, y, size, Anchor::Start, &format!("{}.", self.number));
        let room = width - NUMBER_WIDTH - STARS_WIDTH;
        let task_size = line_size(task, room, size);
        canvas.text(NUMBER_WIDTH, y, task_size, Anchor::Start, task);
        let stars = [self.puzzle.stars, self.most_stars];
        draw_stars(canvas, width, y - 0.33 * size, STAR, stars);
    }

    /// Draws the puzzle below and to the right of the origin.
    pub(super) fn draw(&self, canvas: &mut Canvas, width: f64, height: f64) {
        self.draw_caption(canvas, width, 10.0, 10.0);
        let drawing = &self.puzzle.drawing;
        let height = height - CAPTION - BELOW;
        let scale = BoardScale::new(drawing, width - PANEL_GAP - PANEL_WIDTH, height);
        canvas.scaled(0.0, CAPTION, scale.scale, |canvas| {
            draw_board(canvas, drawing, &LastMove::default(), scale.name_size);
        });
        let board = scale.scale * board_width(drawing, scale.name_size);
        let board_height = scale.scale * board_height(drawing, scale.name_size);
        let panel = [width - board - PANEL_GAP, board_height];
        canvas.within(board + PANEL_GAP, CAPTION, |canvas| {
            draw_panel(canvas, drawing, panel);
        });
    }
}

/// Scale of a board on paper, and the size of its names before they are scaled.
#[derive(Clone, Copy)]
struct BoardScale {
    scale: f64,
    name_size: f64,
}

impl BoardScale {
    /// Returns the largest scale at which a board fits.
    fn new(drawing: &Drawing, width: f64, height: f64) -> Self {
        let mut fitted = Self { scale: MOST_SCALE, name_size: NAME_SIZE };
        // The names grow as the board shrinks: a second round gives them their room.
        for _ in 0..3 {
            let scales = [
                width / board_width(drawing, fitted.name_size),
                height / board_height(drawing, fitted.name_size),
                MOST_SCALE,
            ];
            fitted.scale = scales.into_iter().fold(f64::INFINITY, f64::min);
            fitted.scale = (1000.0 * fitted.scale).floor() / 1000.0;
            fitted.name_size = (PRINTED_NAME / fitted.scale).round().max(NAME_SIZE);
        }
        fitted
    }
}
