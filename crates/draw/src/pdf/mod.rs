//! Pictures as the pages of a PDF.

mod content;
mod fonts;
mod objects;

use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use crate::letters::PictureError;
use crate::picture::Picture;
use content::content_of;
use fonts::PdfFonts;
use objects::{ObjectNumbers, compressed};

/// Draws pictures as the pages of a PDF.
///
/// Texts are in fonts that come with the program; the PDF has the letters that it needs. Shapes
/// have plain colours.
///
/// # Errors
/// [`PictureError`] if a font cannot be read.
pub fn pdf(pages: &[&Picture], title: &str) -> Result<Vec<u8>, PictureError> {
    let mut numbers = ObjectNumbers::default();
    let mut used = PdfFonts::new();
    let [catalog, page_tree, info] = [(); 3].map(|()| numbers.next());
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(page_tree);
    pdf.document_info(info).title(TextStr(title));
    let contents: Vec<Vec<u8>> =
        pages.iter().map(|page| compressed(&content_of(page, &mut used))).collect();
    let font_numbers: Vec<Ref> = used.fonts.iter().map(|_| numbers.next()).collect();
    let page_numbers: Vec<Ref> = pages.iter().map(|_| numbers.next()).collect();
    let count = i32::try_from(pages.len()).expect("fewer than 2^31 pages");
    let mut tree_writer = pdf.pages(page_tree);
    tree_writer.kids(page_numbers.iter().copied()).count(count);
    tree_writer.finish();
    for ((picture, &number), content) in pages.iter().zip(&page_numbers).zip(&contents) {
        let stream = numbers.next();
        let mut page = pdf.page(number);
        let [width, height] = picture.points();
        page.media_box(Rect::new(0.0, 0.0, width, height));
        page.parent(page_tree).contents(stream);
        let mut resources = page.resources();
        let mut fonts = resources.fonts();
        for (font, &number) in used.fonts.iter().zip(&font_numbers) {
            fonts.pair(Name(font.name.as_bytes()), number);
        }
        fonts.finish();
        resources.finish();
        page.finish();
        pdf.stream(stream, content).filter(Filter::FlateDecode);
    }
    for (font, &number) in used.fonts.iter().zip(&font_numbers) {
        let face = &used.letters.faces[font.index];
        font.write(face, &mut pdf, number, &mut numbers)?;
    }
    Ok(pdf.finish())
}
