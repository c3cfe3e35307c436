//! SVG pictures as PNG.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Error of a picture that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The text is no SVG picture.
    #[error("this is no SVG picture: {0}")]
    NotSvg(#[from] resvg::usvg::Error),
    /// The picture has no size, or too many pixels.
    #[error("a picture of {width} x {height} pixels cannot be made")]
    Size {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The encoder failed.
    #[error("the picture cannot be encoded: {0}")]
    Encode(String),
}

/// Adds a font; returns the name of its family.
fn add_font(fonts: &mut fontdb::Database, font: &'static [u8]) -> String {
    let faces = fonts.load_font_source(fontdb::Source::Binary(Arc::new(font)));
    let face = faces.first().and_then(|&face| fonts.face(face));
    let family = face.and_then(|face| face.families.first());
    family.map_or(String::new(), |(name, _)| name.clone())
}

/// Draws an SVG picture as PNG, with `scale` pixels for each unit.
///
/// Texts are in fonts that come with the program, so the pixels are the same everywhere.
///
/// # Errors
/// [`PngError`] if `svg` is no SVG picture, or its size is too large.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut fonts = fontdb::Database::new();
    let family = add_font(&mut fonts, epaint_default_fonts::UBUNTU_LIGHT);
    let fixed = add_font(&mut fonts, epaint_default_fonts::HACK_REGULAR);
    fonts.set_sans_serif_family(family.clone());
    fonts.set_monospace_family(fixed);
    let options = Options {
        font_family: family,
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size();
    let pixels = |units: f32| (units * scale).ceil() as u32;
    let (width, height) = (pixels(size.width()), pixels(size.height()));
    let mut pixmap = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixmap.as_mut(),
    );
    let encoded = pixmap.encode_png();
    encoded.map_err(|error| PngError::Encode(error.to_string()))
}
