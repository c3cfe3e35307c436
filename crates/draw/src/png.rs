//! Pictures as PNG.

use hindsight_core::Drawing;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint as SkiaPaint, Path, PathBuilder, Pixmap, Stroke,
    StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use crate::letters::{Letters, PictureError};
use crate::outline::{OutlinePart, outline};
use crate::picture::{LETTERS, Paint, Picture, Shape, TextLine};
use crate::{MARGIN, picture_size};

/// Returns the bytes of memory in which [`Picture::png`] draws the picture of a position: fonts,
/// and its pixels twice.
#[must_use]
pub fn png_memory(drawing: &Drawing, scale: f32) -> u64 {
    // Measured: 4 to 6 MiB beside the pixels.
    const FONTS: u64 = 8 << 20;
    const PIXEL_BYTES: u64 = 4;
    let (width, height) = picture_size(drawing);
    let pixels = |units: f64| ((units + 2.0 * MARGIN) * f64::from(scale)).ceil() as u64;
    FONTS + 2 * PIXEL_BYTES * pixels(width) * pixels(height)
}

impl Picture {
    /// Draws the picture as PNG, with `scale` pixels for each 1/96 inch.
    ///
    /// Texts are in fonts that come with the program, so the pixels are the same everywhere.
    ///
    /// # Errors
    /// [`PictureError`] if its size is too large.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, PictureError> {
        let scale = scale * self.pixels_per_unit();
        let [width, height] = self.size.map(|size| (size as f32 * scale).ceil() as u32);
        let mut pixels = Pixmap::new(width, height).ok_or(PictureError::Size { width, height })?;
        pixels.fill(Color::WHITE);
        let mut raster = Raster {
            pixels,
            letters: Letters::new(),
            places: vec![Transform::from_scale(scale, scale)],
        };
        for shape in &self.shapes {
            raster.draw(shape);
        }
        let encoded = raster.pixels.encode_png();
        encoded.map_err(|error| PictureError::Encode(error.to_string()))
    }

    fn pixels_per_unit(&self) -> f32 {
        if self.is_paper { 96.0 / 72.0 } else { 1.0 }
    }
}

/// Pixels of a picture that is being drawn.
struct Raster {
    pixels: Pixmap,
    letters: Letters,
    /// Where shapes come to lie, now and in what is around.
    places: Vec<Transform>,
}

/// Returns the parts of a colour that a picture has; `None` for `none`.
pub(crate) fn rgb(color: &str) -> Option<[u8; 3]> {
    let number = u32::from_str_radix(color.strip_prefix('#')?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}

fn ink(color: &str, opacity: f64) -> Option<SkiaPaint<'static>> {
    let [red, green, blue] = rgb(color)?;
    let mut ink = SkiaPaint::default();
    ink.set_color_rgba8(red, green, blue, (255.0 * opacity).round() as u8);
    Some(ink)
}

impl Raster {
    fn place(&self) -> Transform {
        *self.places.last().expect("an end for each begin")
    }

    fn draw(&mut self, shape: &Shape) {
        match *shape {
            Shape::Begin { x, y, scale } => {
                let [x, y, scale] = [x, y, scale].map(|number| number as f32);
                let place = Transform::from_row(scale, 0.0, 0.0, scale, x, y);
                self.places.push(self.place().pre_concat(place));
            }
            Shape::End => {
                self.places.pop();
            }
            Shape::Rect { paint, .. } | Shape::Circle { paint, .. } => {
                self.draw_path(shape, paint, LineCap::Butt, LineJoin::Miter);
            }
            Shape::Path { paint, .. } => {
                self.draw_path(shape, paint, LineCap::Round, LineJoin::Round);
            }
            Shape::Text(ref line) => self.draw_text(line),
        }
    }

    fn draw_path(&mut self, shape: &Shape, paint: Paint, line_cap: LineCap, line_join: LineJoin) {
        let Some(path) = path_of(&outline(shape)) else {
            return;
        };
        let place = self.place();
        if let Some(ink) = ink(paint.fill, paint.opacity) {
            self.pixels.fill_path(&path, &ink, FillRule::Winding, place, None);
        }
        if let Some(ink) = ink(paint.stroke, 1.0).filter(|_| paint.width > 0.0) {
            let stroke = Stroke {
                width: paint.width as f32,
                line_cap,
                line_join,
                dash: StrokeDash::new(paint.dash.to_vec(), 0.0),
                ..Stroke::default()
            };
            self.pixels.stroke_path(&path, &ink, &stroke, place, None);
        }
    }

    fn draw_text(&mut self, line: &TextLine) {
        let mut glyphs = GlyphOutlines::default();
        for letter in self.letters.placed(line) {
            let [x, y] = letter.place;
            glyphs.place = [x, y, letter.unit].map(|number| number as f32);
            self.letters.faces[letter.font].outline_glyph(letter.glyph, &mut glyphs);
        }
        if let (Some(path), Some(ink)) = (glyphs.path.finish(), ink(LETTERS, 1.0)) {
            let place = self.place();
            self.pixels.fill_path(&path, &ink, FillRule::Winding, place, None);
        }
    }
}

fn path_of(parts: &[OutlinePart]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let point = |point: [f64; 2]| point.map(|number| number as f32);
    for part in parts {
        match *part {
            OutlinePart::Move(to) => {
                let [x, y] = point(to);
                path.move_to(x, y);
            }
            OutlinePart::Line(to) => {
                let [x, y] = point(to);
                path.line_to(x, y);
            }
            OutlinePart::Curve(points) => {
                let [[x1, y1], [x2, y2], [x, y]] = points.map(point);
                path.cubic_to(x1, y1, x2, y2, x, y);
            }
            OutlinePart::Close => path.close(),
        }
    }
    path.finish()
}

/// Outlines of letters; in a font the second coordinate goes up.
#[derive(Default)]
struct GlyphOutlines {
    path: PathBuilder,
    /// Left end of the letter, the line below it, and the size of a unit of the font.
    place: [f32; 3],
}

impl GlyphOutlines {
    fn point(&self, x: f32, y: f32) -> [f32; 2] {
        let [left, line, unit] = self.place;
        [left + unit * x, line - unit * y]
    }
}

impl OutlineBuilder for GlyphOutlines {
    fn move_to(&mut self, x: f32, y: f32) {
        let [x, y] = self.point(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let [x, y] = self.point(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let [[x1, y1], [x, y]] = [self.point(x1, y1), self.point(x, y)];
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let [x1, y1] = self.point(x1, y1);
        let [[x2, y2], [x, y]] = [self.point(x2, y2), self.point(x, y)];
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
