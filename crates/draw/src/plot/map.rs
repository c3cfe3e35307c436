//! Maps: the squares of a board in shades, with their numbers.

use super::ink::PlotColor;
use super::layout::{PlotPlace, TICK_SIZE, WORD_SIZE, rounded};
use super::scale::number_text;
use super::words::draw_lines;
use crate::canvas::Canvas;
use crate::colors::{INK, LINE};
use crate::picture::{Anchor, Paint};
use crate::text_width::{fitting_size, text_width};

/// Width of a square.
const SQUARE: f64 = 64.0;
/// Most opacity of a shade, over which letters can be read.
const DARKEST: f64 = 0.6;
/// Shades of the scale beside the board.
const SHADES: u32 = 5;

/// Numbers of the squares of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct PlotMap {
    /// Name of the numbers.
    pub label: String,
    /// Name of the columns; empty for none.
    pub columns_label: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names and numbers of the rows, from the top.
    pub rows: Vec<(String, Vec<f64>)>,
    /// Number of the darkest shade; greater ones have it too.
    pub darkest: f64,
}

impl PlotMap {
    fn shade(&self, number: f64) -> Paint {
        let part = (number / self.darkest).clamp(0.0, 1.0);
        Paint {
            opacity: rounded(DARKEST * if part.is_finite() { part } else { 0.0 }),
            ..Paint::new(PlotColor::Blue.hex(), LINE, 1.0)
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, place: PlotPlace) -> f64 {
        let board = SQUARE * self.columns.len() as f64;
        let scale = 150.0;
        let left = ((place.width - board - 40.0 - scale) / 2.0).max(20.0);
        let top = place.top + 10.0;
        for (row, (name, numbers)) in self.rows.iter().enumerate() {
            let y = top + SQUARE * row as f64;
            let line = y + SQUARE / 2.0 + 5.0;
            canvas.text(left - 9.0, line, WORD_SIZE, Anchor::End, name);
            for (column, &number) in numbers.iter().enumerate() {
                let x = left + SQUARE * column as f64;
                canvas.rect([x, y, SQUARE, SQUARE], 0.0, self.shade(number));
                let text = number_text(number);
                let size = fitting_size(text_width(&text), SQUARE - 6.0).min(TICK_SIZE);
                canvas.text(x + SQUARE / 2.0, line, size, Anchor::Middle, &text);
            }
        }
        let height = SQUARE * self.rows.len() as f64;
        let frame = Paint::line(INK, 1.4);
        canvas.rect([left, top, board, height], 0.0, frame);
        for (column, name) in self.columns.iter().enumerate() {
            let x = left + SQUARE * (column as f64 + 0.5);
            canvas.text(x, top + height + 20.0, WORD_SIZE, Anchor::Middle, name);
        }
        let x = left + board + 40.0;
        let middle = [x + scale / 2.0, top];
        let below = draw_lines(canvas, &self.label, WORD_SIZE, middle, scale);
        let numbers = self.rows.iter().flat_map(|row| &row.1);
        let greatest = numbers.copied().fold(0.0, f64::max);
        let shades = if self.darkest > 0.0 { SHADES } else { 1 };
        for shade in 0..shades {
            let part = f64::from(SHADES - 1 - shade) / f64::from(SHADES - 1);
            let number = part * self.darkest;
            let y = below + 8.0 + 28.0 * f64::from(shade);
            canvas.rect([x + 20.0, y, 36.0, 28.0], 0.0, self.shade(number));
            let or_more = if shade == 0 && greatest > self.darkest { " or more" } else { "" };
            let text = format!("{}{or_more}", number_text(rounded(number)));
            canvas.text(x + 64.0, y + 19.0, TICK_SIZE, Anchor::Start, &text);
        }
        let middle = left + board / 2.0;
        canvas.text(middle, top + height + 42.0, WORD_SIZE, Anchor::Middle, &self.columns_label);
        top + height + 48.0
    }
}
