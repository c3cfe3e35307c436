//! Sheets of several pictures with texts.

use hindsight_core::Drawing;

use crate::canvas::{Canvas, LETTER_WIDTH, LINE_HEIGHT};
use crate::last_move::LastMove;
use crate::{draw_picture, picture_size};

/// Pictures in a row.
const COLUMNS: usize = 3;
/// Size of a picture on a sheet, as a part of its own.
const SCALE: f64 = 0.62;
/// Room around the sheet and between pictures.
const GAP: f64 = 26.0;

/// A picture on a sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetPicture {
    /// Line above the picture.
    pub title: String,
    /// The picture.
    pub drawing: Drawing,
    /// Lines below the picture, in letters of one width.
    pub text: String,
}

impl SheetPicture {
    /// Returns the width and height that the picture takes with its texts.
    fn size(&self) -> (f64, f64) {
        let (width, height) = picture_size(&self.drawing);
        let lines = self.text.lines().chain([self.title.as_str()]);
        let letters = lines.map(|line| line.chars().count()).max().unwrap_or(0);
        let width = (SCALE * width).max(LETTER_WIDTH * letters as f64);
        (width, SCALE * height + LINE_HEIGHT * self.lines())
    }

    /// Number of lines above and below the picture.
    fn lines(&self) -> f64 {
        1.5 + self.text.lines().count() as f64
    }

    fn draw(&self, canvas: &mut Canvas) {
        canvas.fixed_text(0.0, 0.0, true, &self.title);
        canvas.scaled(0.0, 0.5 * LINE_HEIGHT, SCALE, |canvas| {
            draw_picture(canvas, &self.drawing, &LastMove::default());
        });
        let below = SCALE * picture_size(&self.drawing).1 + 1.5 * LINE_HEIGHT;
        for (row, line) in self.text.lines().enumerate() {
            canvas.fixed_text(0.0, below + LINE_HEIGHT * row as f64, false, line);
        }
    }
}

/// Draws a sheet of pictures as SVG, three in a row.
#[must_use]
pub fn sheet(heading: &str, pictures: &[SheetPicture]) -> String {
    let sizes = pictures.iter().map(SheetPicture::size);
    let (width, height) = sizes.fold((0.0_f64, 0.0_f64), |(width, height), size| {
        (width.max(size.0 + GAP), height.max(size.1 + GAP))
    });
    let top = GAP + 2.5 * LINE_HEIGHT;
    let heading_width = LETTER_WIDTH * heading.chars().count() as f64;
    let columns = COLUMNS.min(pictures.len()) as f64;
    let across = (GAP + columns * width).max(2.0 * GAP + heading_width);
    let rows = pictures.len().div_ceil(COLUMNS) as f64;
    let mut canvas = Canvas::new(across.ceil(), (top + rows * height).ceil(), heading);
    canvas.fixed_text(GAP, GAP + LINE_HEIGHT / 2.0, true, heading);
    for (i, picture) in pictures.iter().enumerate() {
        let x = GAP + (i % COLUMNS) as f64 * width;
        let y = top + (i / COLUMNS) as f64 * height;
        canvas.within(x, y, |canvas| picture.draw(canvas));
    }
    canvas.finish()
}

#[cfg(test)]
mod tests {
    use super::{SheetPicture, sheet};
    use hindsight_core::Drawing;

    #[test]
    fn pictures_and_texts_are_on_the_sheet() {
        let picture = SheetPicture {
            title: String::from("a < b"),
            drawing: Drawing::of_signs("x../.o.", ["X", "O"]),
            text: String::from("1 & 2\n\n3 > 2"),
        };
        let svg = sheet("four", &vec![picture; 4]);
        assert_eq!(svg.matches("a &lt; b").count(), 4);
        assert_eq!(svg.matches("1 &amp; 2").count(), 4);
        assert_eq!(svg.matches(">O</text>").count(), 4);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
