//! SVG pictures with the fonts that come with the program.

use std::sync::Arc;

use resvg::usvg::{Options, Tree, fontdb};

/// Error of a picture that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
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

/// Returns the elements of SVG pictures, whose letters are in fonts that come with the program.
///
/// # Errors
/// [`PictureError::NotSvg`] if one is no SVG picture.
pub(crate) fn trees_of<S: AsRef<str>>(pictures: &[S]) -> Result<Vec<Tree>, PictureError> {
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
    let trees = pictures.iter();
    let trees = trees.map(|svg| Tree::from_str(svg.as_ref(), &options));
    Ok(trees.collect::<Result<_, _>>()?)
}
