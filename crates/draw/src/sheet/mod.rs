//! Sheets of puzzles, as pages of paper.

mod layout;
mod panel;
mod picture;
mod puzzle;
mod solutions;
mod stars;

use crate::canvas::Canvas;
use crate::picture::{Anchor, Picture};
use layout::{PageLayout, line_size};
use puzzle::NumberedPuzzle;

pub use layout::Paper;
pub use puzzle::SheetPuzzle;

/// Puzzles on a page.
pub const PUZZLES_PER_PAGE: usize = layout::COLUMNS * layout::ROWS;

/// A sheet of puzzles, each with a number, and their solutions on pages of their own.
///
/// ```
/// use hindsight_core::Drawing;
/// use hindsight_draw::{Paper, Sheet, SheetPuzzle};
///
/// let puzzle = SheetPuzzle {
///     task: "X to move wins in 1 move".to_string(),
///     stars: 1,
///     drawing: Drawing::of_signs("xx./oo./...", ["X", "O"]),
///     moves: vec!["c3".to_string()],
///     note: "1 ply".to_string(),
/// };
/// let sheet = Sheet {
///     title: "Tic-tac-toe: 12 puzzles".to_string(),
///     footer: "tic-tac-toe".to_string(),
///     most_stars: 5,
///     paper: Paper::A4,
///     puzzles: vec![puzzle; 12],
/// };
/// let pages = sheet.pages();
/// assert_eq!((pages.puzzles.len(), pages.solutions.len()), (2, 2));
/// assert!(pages.puzzles[1].svg().contains(">12.</text>"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// Title, at the top of every page.
    pub title: String,
    /// Line at the foot of every page.
    pub footer: String,
    /// Stars of the most difficult puzzle there can be.
    pub most_stars: u8,
    /// Size of the pages.
    pub paper: Paper,
    /// The puzzles, in the order of their numbers.
    pub puzzles: Vec<SheetPuzzle>,
}

/// Pages of a sheet.
#[derive(Clone, PartialEq, Debug)]
pub struct SheetPages {
    /// Pages of puzzles, [`PUZZLES_PER_PAGE`] on each.
    pub puzzles: Vec<Picture>,
    /// Pages of solutions, one for each page of puzzles.
    pub solutions: Vec<Picture>,
}

impl Sheet {
    /// Draws the pages.
    #[must_use]
    pub fn pages(&self) -> SheetPages {
        let numbered = (1..).zip(&self.puzzles).map(|(number, puzzle)| NumberedPuzzle {
            number,
            puzzle,
            most_stars: self.most_stars,
        });
        let numbered: Vec<_> = numbered.collect();
        let parts: Vec<_> = numbered.chunks(PUZZLES_PER_PAGE).collect();
        let puzzles = parts.iter().enumerate().map(|(i, part)| {
            self.page("", i, |canvas, layout| {
                for (place, numbered) in part.iter().enumerate() {
                    let [x, y, width, height] = layout.cell(place);
                    canvas.within(x, y, |canvas| numbered.draw(canvas, width, height));
                }
            })
        });
        let solutions = parts.iter().enumerate().map(|(i, part)| {
            let page = parts.len() + i;
            self.page(" (solutions)", page, |canvas, layout| {
                solutions::draw_solutions(canvas, layout, part);
            })
        });
        SheetPages { puzzles: puzzles.collect(), solutions: solutions.collect() }
    }

    /// Draws the page of some index with its header and footer.
    fn page(
        &self,
        kind: &str,
        index: usize,
        draw: impl FnOnce(&mut Canvas, &PageLayout),
    ) -> Picture {
        let layout = PageLayout::new(self.paper);
        let title = format!("{}{kind}", self.title);
        let pages = 2 * self.puzzles.len().div_ceil(PUZZLES_PER_PAGE);
        let mut canvas = Canvas::page(layout.width, layout.height, &title);
        let [left, right, top, bottom] = layout.edges();
        let size = line_size(&title, right - left, 17.0);
        canvas.text(left, top + 13.0, size, Anchor::Start, &title);
        canvas.path(&format!("M {left} {} H {right}", top + 20.0), layout::RULE);
        let number = format!("{} / {pages}", index + 1);
        let size = line_size(&self.footer, right - left - 60.0, 8.0);
        canvas.text(left, bottom, size, Anchor::Start, &self.footer);
        canvas.text(right, bottom, 8.0, Anchor::End, &number);
        draw(&mut canvas, &layout);
        canvas.finish()
    }
}
