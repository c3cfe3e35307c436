//! Shapes and letters of a picture as the content of a page.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Name, Str};
use resvg::tiny_skia::{PathSegment, Transform};
use resvg::usvg::{Color, Fill, Group, LineCap, LineJoin, Node, Paint, Path, Stroke, Text, Tree};

use super::fonts::PdfFonts;

/// Points of 1/72 inch for each pixel of 1/96 inch.
pub(super) const POINTS_PER_PIXEL: f32 = 0.75;

/// Returns the content of a page; notes the letters that it needs.
pub(super) fn content_of(tree: &Tree, fonts: &mut PdfFonts) -> Vec<u8> {
    let mut page = PageContent {
        content: Content::new(),
        fonts,
    };
    let scale = POINTS_PER_PIXEL;
    let height = tree.size().height() * scale;
    // In a PDF the second coordinate goes up.
    page.content
        .transform([scale, 0.0, 0.0, -scale, 0.0, height]);
    page.draw_group(tree.root());
    page.content.finish().to_vec()
}

/// Content of a page that is being written.
struct PageContent<'a> {
    content: Content,
    fonts: &'a mut PdfFonts,
}

/// Returns a matrix as a PDF writes it.
fn matrix(transform: Transform) -> [f32; 6] {
    let Transform {
        sx,
        kx,
        ky,
        sy,
        tx,
        ty,
    } = transform;
    [sx, ky, kx, sy, tx, ty]
}

/// Returns red, green and blue of a paint, from 0 to 1; black for anything but a plain colour.
fn rgb(paint: &Paint) -> [f32; 3] {
    let color = match paint {
        Paint::Color(color) => *color,
        _ => Color::black(),
    };
    [color.red, color.green, color.blue].map(|part| (f32::from(part) / 2.55).round() / 100.0)
}

impl PageContent<'_> {
    fn draw_group(&mut self, group: &Group) {
        for node in group.children() {
            match node {
                Node::Group(group) => self.draw_group(group),
                Node::Path(path) if path.is_visible() => self.draw_path(path),
                Node::Text(text) => self.draw_text(text),
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }

    fn set_fill(&mut self, fill: &Fill) {
        let [red, green, blue] = rgb(fill.paint());
        self.content.set_fill_rgb(red, green, blue);
    }

    fn set_stroke(&mut self, stroke: &Stroke) {
        let [red, green, blue] = rgb(stroke.paint());
        self.content.set_stroke_rgb(red, green, blue);
        self.content.set_line_width(stroke.width().get());
        self.content.set_line_cap(match stroke.linecap() {
            LineCap::Butt => LineCapStyle::ButtCap,
            LineCap::Round => LineCapStyle::RoundCap,
            LineCap::Square => LineCapStyle::ProjectingSquareCap,
        });
        self.content.set_line_join(match stroke.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
            LineJoin::Round => LineJoinStyle::RoundJoin,
            LineJoin::Bevel => LineJoinStyle::BevelJoin,
        });
    }

    fn draw_path(&mut self, path: &Path) {
        self.content.save_state();
        self.content.transform(matrix(path.abs_transform()));
        match (path.fill(), path.stroke()) {
            (Some(fill), Some(stroke)) => {
                self.set_fill(fill);
                self.set_stroke(stroke);
                self.add_outline(path);
                self.content.fill_nonzero_and_stroke();
            }
            (Some(fill), None) => {
                self.set_fill(fill);
                self.add_outline(path);
                self.content.fill_nonzero();
            }
            (None, Some(stroke)) => {
                self.set_stroke(stroke);
                self.add_outline(path);
                self.content.stroke();
            }
            (None, None) => {}
        }
        self.content.restore_state();
    }

    fn add_outline(&mut self, path: &Path) {
        let mut last = [0.0; 2];
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(to) => {
                    self.content.move_to(to.x, to.y);
                    last = [to.x, to.y];
                }
                PathSegment::LineTo(to) => {
                    self.content.line_to(to.x, to.y);
                    last = [to.x, to.y];
                }
                PathSegment::QuadTo(by, to) => {
                    // The same curve by two points: each at two thirds of the way to the one.
                    let third = |end: f32, by: f32| end + (by - end) * 2.0 / 3.0;
                    let [x, y] = last;
                    self.content.cubic_to(
                        third(x, by.x),
                        third(y, by.y),
                        third(to.x, by.x),
                        third(to.y, by.y),
                        to.x,
                        to.y,
                    );
                    last = [to.x, to.y];
                }
                PathSegment::CubicTo(first, second, to) => {
                    self.content
                        .cubic_to(first.x, first.y, second.x, second.y, to.x, to.y);
                    last = [to.x, to.y];
                }
                PathSegment::Close => {
                    self.content.close_path();
                }
            }
        }
    }

    fn draw_text(&mut self, text: &Text) {
        for span in text.layouted().iter().filter(|span| span.visible) {
            let Some(fill) = &span.fill else {
                continue;
            };
            self.set_fill(fill);
            self.content.begin_text();
            for glyph in &span.positioned_glyphs {
                let place = text.abs_transform().pre_concat(glyph.outline_transform());
                let Some(font) = self.fonts.font(glyph.font) else {
                    continue;
                };
                let letter = font.letter(glyph);
                let place = place.pre_scale(font.units_per_em, font.units_per_em);
                self.content.set_font(Name(font.name.as_bytes()), 1.0);
                self.content.set_text_matrix(matrix(place));
                self.content.show(Str(&letter.to_be_bytes()));
            }
            self.content.end_text();
        }
    }
}
