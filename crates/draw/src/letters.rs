//! Letters of the fonts that come with the program.

use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId};
use unicode_width::UnicodeWidthChar;

use crate::canvas::FIXED_WIDTH;
use crate::picture::{Anchor, TextLine};

/// Error of a picture that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
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

/// The fonts: letters of their own widths, and letters of one width.
pub(crate) const FONTS: [&[u8]; 2] =
    [epaint_default_fonts::UBUNTU_LIGHT, epaint_default_fonts::HACK_REGULAR];

/// The fonts, read.
pub(crate) struct Letters {
    pub(crate) faces: [Face<'static>; 2],
}

/// A letter at its place.
#[derive(Clone, Copy)]
pub(crate) struct PlacedLetter {
    pub(crate) font: usize,
    pub(crate) glyph: GlyphId,
    /// Left end on the line below the letters.
    pub(crate) place: [f64; 2],
    /// Size of a unit of the font.
    pub(crate) unit: f64,
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "a PDF names its letters"))]
    pub(crate) letter: char,
}

impl Letters {
    pub(crate) fn new() -> Self {
        let faces = FONTS.map(|font| Face::parse(font, 0).expect("a font of the program"));
        Self { faces }
    }

    /// Returns the letters of a line at their places. A letter that no font has is an empty box.
    pub(crate) fn placed(&self, line: &TextLine) -> Vec<PlacedLetter> {
        let first = usize::from(line.fixed_width.is_some());
        let [left, y] = line.place;
        let mut x = 0.0;
        let mut letters: Vec<PlacedLetter> = Vec::new();
        for letter in line.text.chars().filter(|letter| !letter.is_control()) {
            let fonts = [first, 1 - first].into_iter();
            let mut found =
                fonts.filter_map(|font| Some((font, self.faces[font].glyph_index(letter)?)));
            let (font, glyph) = found.next().unwrap_or((first, GlyphId(0)));
            let face = &self.faces[font];
            let unit = line.size / f64::from(face.units_per_em());
            if let Some(last) = letters.last().filter(|last| last.font == font) {
                x += unit * f64::from(kerning(face, [last.glyph, glyph]));
            }
            letters.push(PlacedLetter { font, glyph, place: [x, y], unit, letter });
            x += match line.fixed_width {
                Some(_) => FIXED_WIDTH * line.size * letter.width().unwrap_or(0) as f64,
                None => unit * f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)),
            };
        }
        let left = match line.anchor {
            Anchor::Start => left,
            Anchor::Middle => left - x / 2.0,
            Anchor::End => left - x,
        };
        for letter in &mut letters {
            letter.place[0] += left;
        }
        letters
    }
}

/// Returns by how much two letters come closer than their widths say, in units of their font.
fn kerning(face: &Face<'_>, [left, right]: [GlyphId; 2]) -> i16 {
    let Some(table) = face.tables().gpos else {
        return 0;
    };
    let adjusted = table.lookups.into_iter().filter_map(|lookup| {
        let subtables = lookup.subtables.into_iter::<PositioningSubtable<'_>>();
        let mut found = subtables.filter_map(|subtable| {
            let PositioningSubtable::Pair(pairs) = subtable else {
                return None;
            };
            let index = pairs.coverage().get(left)?;
            let values = match pairs {
                PairAdjustment::Format1 { sets, .. } => sets.get(index)?.get(right)?,
                PairAdjustment::Format2 { classes, matrix, .. } => {
                    matrix.get((classes.0.get(left), classes.1.get(right)))?
                }
            };
            Some(values.0.x_advance)
        });
        found.next()
    });
    adjusted.sum()
}

#[cfg(test)]
mod tests {
    use super::Letters;
    use crate::picture::{Anchor, TextLine};

    fn places(text: &str, anchor: Anchor, fixed_width: Option<f64>) -> Vec<(usize, u16, f64)> {
        let line = TextLine {
            place: [50.0, 0.0],
            size: 10.0,
            anchor,
            fixed_width,
            text: text.to_string(),
        };
        let placed = Letters::new().placed(&line).into_iter();
        placed.map(|letter| (letter.font, letter.glyph.0, letter.place[0])).collect()
    }

    #[test]
    fn letters_come_from_a_font_that_has_them() {
        let [plain, fixed] = [None, Some(0.0)].map(|width| places("a→猫", Anchor::Start, width));
        let fonts = |letters: &[(usize, u16, f64)]| [letters[0].0, letters[1].0];
        assert_eq!((fonts(&plain), fonts(&fixed)), ([0, 1], [1, 1]));
        // A letter that no font has is a box, which every font has first.
        assert_eq!((plain[2].1, fixed[2].1), (0, 0));
    }

    #[test]
    fn lines_end_or_have_their_middle_at_their_place() {
        // Letters of one width: 0.6 of their size.
        let at = |anchor| places("abc", anchor, Some(18.0))[0].2;
        assert_eq!(at(Anchor::Start), 50.0);
        assert!((at(Anchor::Middle) - 41.0).abs() < 1e-9);
        assert!((at(Anchor::End) - 32.0).abs() < 1e-9);
    }

    #[test]
    fn some_pairs_of_letters_come_closer() {
        let widths = ["AV", "AA"].map(|text| places(text, Anchor::Start, None)[1].2);
        assert!(widths[0] < widths[1] - 0.1, "{widths:?}");
    }
}
