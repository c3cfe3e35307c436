//! SVG pictures as PNG.

use hindsight_core::Drawing;
use resvg::tiny_skia::{Pixmap, Transform};

use crate::fonts::{PictureError, trees_of};
use crate::picture_size;

/// Returns the bytes of memory in which [`png`] draws the picture of a position: fonts, and its
/// pixels twice.
#[must_use]
pub fn png_memory(drawing: &Drawing, scale: f32) -> u64 {
    // Measured: 4 to 6 MiB beside the pixels.
    const FONTS: u64 = 8 << 20;
    const PIXEL_BYTES: u64 = 4;
    let (width, height) = picture_size(drawing);
    let pixels = |units: f64| (units * f64::from(scale)).ceil() as u64;
    FONTS + 2 * PIXEL_BYTES * pixels(width) * pixels(height)
}

/// Draws an SVG picture as PNG, with `scale` pixels for each unit.
///
/// Texts are in fonts that come with the program, so the pixels are the same everywhere.
///
/// # Errors
/// [`PictureError`] if `svg` is no SVG picture, or its size is too large.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PictureError> {
    let tree = trees_of(&[svg])?.remove(0);
    let size = tree.size();
    let pixels = |units: f32| (units * scale).ceil() as u32;
    let (width, height) = (pixels(size.width()), pixels(size.height()));
    let mut pixmap = Pixmap::new(width, height).ok_or(PictureError::Size { width, height })?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixmap.as_mut(),
    );
    let encoded = pixmap.encode_png();
    encoded.map_err(|error| PictureError::Encode(error.to_string()))
}
