//! Places on a page of a sheet, in points.

use crate::colors::INK;
use crate::picture::Paint;
use crate::text_width::{fitting_size, text_width};

/// Puzzles in a row.
pub(super) const COLUMNS: usize = 2;
/// Rows of puzzles.
pub(super) const ROWS: usize = 5;
/// Room around a page, which printers leave white.
const MARGIN: f64 = 36.0;
/// Height of the header.
const HEADER: f64 = 32.0;
/// Height of the footer.
const FOOTER: f64 = 16.0;
/// Room between columns.
const GUTTER: f64 = 20.0;
/// Least size of letters that are made smaller to fit.
const LEAST_SIZE: f64 = 3.0;

/// Thin line below a title.
pub(super) const RULE: Paint = Paint::line(INK, 0.7);

/// Size of paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Paper {
    /// 210 x 297 millimetres.
    #[default]
    A4,
    /// 8.5 x 11 inches.
    Letter,
}

impl Paper {
    /// Returns width and height in points of 1/72 inch.
    fn points(self) -> [f64; 2] {
        match self {
            Self::A4 => [595.28, 841.89],
            Self::Letter => [612.0, 792.0],
        }
    }
}

/// Width, height and places of a page.
pub(super) struct PageLayout {
    pub(super) width: f64,
    pub(super) height: f64,
}

impl PageLayout {
    pub(super) fn new(paper: Paper) -> Self {
        let [width, height] = paper.points();
        Self { width, height }
    }

    /// Returns left, right, top and bottom of the printed part.
    pub(super) fn edges(&self) -> [f64; 4] {
        let (right, bottom) = (self.width - MARGIN, self.height - MARGIN);
        [MARGIN, right, MARGIN, bottom]
    }

    /// Returns left, top, width and height of a column between header and footer.
    pub(super) fn column(&self, column: usize) -> [f64; 4] {
        let [left, right, top, bottom] = self.edges();
        let width = (right - left - GUTTER) / COLUMNS as f64;
        let x = left + column as f64 * (width + GUTTER);
        [x, top + HEADER, width, bottom - FOOTER - top - HEADER]
    }

    /// Returns left, top, width and height of the place of a puzzle; places go row by row.
    pub(super) fn cell(&self, place: usize) -> [f64; 4] {
        let [x, top, width, height] = self.column(place % COLUMNS);
        let height = height / ROWS as f64;
        [x, top + (place / COLUMNS) as f64 * height, width, height]
    }
}

/// Returns the size of the letters of a line that fits a width, at most `size`.
pub(super) fn line_size(text: &str, width: f64, size: f64) -> f64 {
    fitting_size(text_width(text), width).clamp(LEAST_SIZE, size)
}
