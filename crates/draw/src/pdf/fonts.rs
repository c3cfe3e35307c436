//! Fonts of a PDF, with the letters that its pages need.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::writers::FontDescriptor;
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::{Face, GlyphId};

use super::objects::{ObjectNumbers, compressed};
use crate::letters::{FONTS, Letters, PictureError};

/// Numbering of letters that a PDF gives a font of its own.
const IDENTITY: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Width of the stems of letters, about.
const STEM_WIDTH: f32 = 80.0;

/// Units of a PDF for the size of a letter.
const PDF_UNITS: f32 = 1000.0;

/// Fonts that pages need, in the order of their first letters.
pub(super) struct PdfFonts {
    pub(super) letters: Letters,
    pub(super) fonts: Vec<PdfFont>,
}

impl PdfFonts {
    pub(super) fn new() -> Self {
        Self { letters: Letters::new(), fonts: Vec::new() }
    }

    /// Returns a font of the program by its index.
    pub(super) fn font(&mut self, index: usize) -> &mut PdfFont {
        let known = self.fonts.iter().position(|font| font.index == index);
        let place = known.unwrap_or_else(|| {
            self.fonts.push(PdfFont {
                index,
                name: format!("F{}", self.fonts.len()),
                letters: GlyphRemapper::new(),
                texts: BTreeMap::new(),
            });
            self.fonts.len() - 1
        });
        &mut self.fonts[place]
    }
}

/// A font with the letters that pages need.
pub(super) struct PdfFont {
    /// Index of the font among those of the program.
    pub(super) index: usize,
    /// Name of the font in pages.
    pub(super) name: String,
    /// Numbers of the letters in the PDF.
    letters: GlyphRemapper,
    /// Letters by their numbers in the PDF.
    texts: BTreeMap<u16, char>,
}

impl PdfFont {
    /// Returns the number of a letter in the PDF.
    pub(super) fn number(&mut self, glyph: GlyphId, letter: char) -> u16 {
        let number = self.letters.remap(glyph.0);
        self.texts.entry(number).or_insert(letter);
        number
    }

    /// Writes the font as object `number`.
    ///
    /// # Errors
    /// [`PictureError::Encode`] if the font cannot be read.
    pub(super) fn write(
        &self,
        face: &Face<'_>,
        pdf: &mut Pdf,
        number: Ref,
        numbers: &mut ObjectNumbers,
    ) -> Result<(), PictureError> {
        let [cid_font, descriptor, file, unicode] = [(); 4].map(|()| numbers.next());
        let subset = subsetter::subset(FONTS[self.index], 0, &self.letters);
        let subset = subset.map_err(|error| PictureError::Encode(error.to_string()))?;
        let base_name = format!("HNDSGT+{}", postscript_name(face, &self.name));
        let base_name = Name(base_name.as_bytes());
        pdf.type0_font(number)
            .base_font(base_name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid_font)
            .to_unicode(unicode);
        let scale = PDF_UNITS / f32::from(face.units_per_em());
        let mut font = pdf.cid_font(cid_font);
        font.subtype(CidFontType::Type2)
            .base_font(base_name)
            .system_info(IDENTITY)
            .font_descriptor(descriptor)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let widths = self.letters.remapped_gids().map(|glyph| {
            let width = face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0);
            f32::from(width) * scale
        });
        font.widths().consecutive(0, widths);
        font.finish();
        let mut descriptor = pdf.font_descriptor(descriptor);
        descriptor.name(base_name).font_file2(file);
        describe(&mut descriptor, face);
        descriptor.finish();
        let bytes = compressed(&subset);
        let length = i32::try_from(subset.len()).expect("a font of a program");
        let mut stream = pdf.stream(file, &bytes);
        stream.filter(Filter::FlateDecode);
        stream.pair(Name(b"Length1"), length);
        stream.finish();
        let mut texts = UnicodeCmap::new(Name(b"Custom"), IDENTITY);
        for (&number, &letter) in &self.texts {
            texts.pair(number, letter);
        }
        let texts = texts.finish();
        pdf.cmap(unicode, texts.as_slice());
        Ok(())
    }
}

/// Returns the name of a font for printers, or another one.
fn postscript_name(face: &Face<'_>, other: &str) -> String {
    let names = face.names().into_iter();
    let mut names = names.filter(|name| name.name_id == ttf_parser::name_id::POST_SCRIPT_NAME);
    let name = names.find_map(|name| name.to_string());
    name.unwrap_or_else(|| other.to_string())
}

/// Writes the measures of a font.
fn describe(descriptor: &mut FontDescriptor<'_>, face: &Face<'_>) {
    let scaled = |units: i16| f32::from(units) * PDF_UNITS / f32::from(face.units_per_em());
    let bbox = face.global_bounding_box();
    let [left, bottom, right, top] = [bbox.x_min, bbox.y_min, bbox.x_max, bbox.y_max].map(scaled);
    let mut flags = FontFlags::SYMBOLIC;
    flags.set(FontFlags::FIXED_PITCH, face.is_monospaced());
    descriptor
        .flags(flags)
        .bbox(Rect::new(left, bottom, right, top))
        .italic_angle(0.0)
        .ascent(scaled(face.ascender()))
        .descent(scaled(face.descender()))
        .cap_height(scaled(face.capital_height().unwrap_or(face.ascender())))
        .stem_v(STEM_WIDTH);
}
