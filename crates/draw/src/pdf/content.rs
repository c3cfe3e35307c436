//! Shapes and letters of a picture as the content of a page.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Name, Str};

use super::fonts::PdfFonts;
use crate::outline::{OutlinePart, outline};
use crate::picture::{LETTERS, Paint, Picture, Shape, TextLine};
use crate::png::rgb;

impl Picture {
    /// Returns width and height in points.
    pub(super) fn points(&self) -> [f32; 2] {
        self.size.map(|size| size as f32 * self.points_per_unit())
    }

    fn points_per_unit(&self) -> f32 {
        if self.is_paper { 1.0 } else { 72.0 / 96.0 }
    }
}

/// Returns the content of a page; notes the letters that it needs.
pub(super) fn content_of(picture: &Picture, fonts: &mut PdfFonts) -> Vec<u8> {
    let mut page = PageContent { content: Content::new(), fonts };
    let scale = picture.points_per_unit();
    let [_, height] = picture.points();
    // In a PDF the second coordinate goes up.
    page.content.transform([scale, 0.0, 0.0, -scale, 0.0, height]);
    for shape in &picture.shapes {
        page.draw(shape);
    }
    page.content.finish().to_vec()
}

/// Content of a page that is being written.
struct PageContent<'a> {
    content: Content,
    fonts: &'a mut PdfFonts,
}

/// Returns red, green and blue of a colour, from 0 to 1.
fn parts(color: &str) -> Option<[f32; 3]> {
    let part = |part: u8| (f32::from(part) / 2.55).round() / 100.0;
    rgb(color).map(|parts| parts.map(part))
}

impl PageContent<'_> {
    fn draw(&mut self, shape: &Shape) {
        match *shape {
            Shape::Begin { x, y, scale } => {
                let [x, y, scale] = [x, y, scale].map(|number| number as f32);
                self.content.save_state();
                self.content.transform([scale, 0.0, 0.0, scale, x, y]);
            }
            Shape::End => {
                self.content.restore_state();
            }
            Shape::Rect { paint, .. } | Shape::Circle { paint, .. } => {
                self.content.set_line_cap(LineCapStyle::ButtCap);
                self.content.set_line_join(LineJoinStyle::MiterJoin);
                self.draw_path(shape, paint);
            }
            Shape::Path { paint, .. } => {
                self.content.set_line_cap(LineCapStyle::RoundCap);
                self.content.set_line_join(LineJoinStyle::RoundJoin);
                self.draw_path(shape, paint);
            }
            Shape::Text(ref line) => self.draw_text(line),
        }
    }

    fn draw_path(&mut self, shape: &Shape, paint: Paint) {
        let fill = parts(paint.fill);
        let stroke = parts(paint.stroke).filter(|_| paint.width > 0.0);
        if let Some([red, green, blue]) = fill {
            self.content.set_fill_rgb(red, green, blue);
        }
        if let Some([red, green, blue]) = stroke {
            self.content.set_stroke_rgb(red, green, blue);
            self.content.set_line_width(paint.width as f32);
            self.content.set_dash_pattern(paint.dash.iter().copied(), 0.0);
        }
        self.add_outline(shape);
        match (fill, stroke) {
            (Some(_), Some(_)) => self.content.fill_nonzero_and_stroke(),
            (Some(_), None) => self.content.fill_nonzero(),
            (None, Some(_)) => self.content.stroke(),
            (None, None) => self.content.end_path(),
        };
    }

    fn add_outline(&mut self, shape: &Shape) {
        let point = |point: [f64; 2]| point.map(|number| number as f32);
        for part in outline(shape) {
            match part {
                OutlinePart::Move(to) => {
                    let [x, y] = point(to);
                    self.content.move_to(x, y);
                }
                OutlinePart::Line(to) => {
                    let [x, y] = point(to);
                    self.content.line_to(x, y);
                }
                OutlinePart::Curve(points) => {
                    let [[x1, y1], [x2, y2], [x, y]] = points.map(point);
                    self.content.cubic_to(x1, y1, x2, y2, x, y);
                }
                OutlinePart::Close => {
                    self.content.close_path();
                }
            }
        }
    }

    fn draw_text(&mut self, line: &TextLine) {
        if let Some([red, green, blue]) = parts(LETTERS) {
            self.content.set_fill_rgb(red, green, blue);
        }
        self.content.begin_text();
        let size = line.size as f32;
        for letter in self.fonts.letters.placed(line) {
            let font = self.fonts.font(letter.font);
            let number = font.number(letter.glyph, letter.letter);
            let [x, y] = letter.place.map(|number| number as f32);
            self.content.set_font(Name(font.name.as_bytes()), 1.0);
            self.content.set_text_matrix([size, 0.0, 0.0, -size, x, y]);
            self.content.show(Str(&number.to_be_bytes()));
        }
        self.content.end_text();
    }
}
