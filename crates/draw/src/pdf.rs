//! SVG pictures as the pages of a PDF.

mod content;
mod fonts;
mod objects;

use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, TextStr};
use resvg::usvg::Tree;

use crate::fonts::{PictureError, trees_of};
use content::{POINTS_PER_PIXEL, content_of};
use fonts::PdfFonts;
use objects::{ObjectNumbers, compressed};

/// Draws SVG pictures as the pages of a PDF.
///
/// Texts are in fonts that come with the program; the PDF has the letters that it needs. Shapes
/// have plain colours.
///
/// # Errors
/// [`PictureError`] if one is no SVG picture, or a font cannot be read.
pub fn pdf<S: AsRef<str>>(pages: &[S], title: &str) -> Result<Vec<u8>, PictureError> {
    let trees = trees_of(pages)?;
    let mut numbers = ObjectNumbers::default();
    let mut used = PdfFonts::new(trees.first().map(Tree::fontdb));
    let [catalog, page_tree, info] = [(); 3].map(|()| numbers.next());
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(page_tree);
    pdf.document_info(info).title(TextStr(title));
    let contents: Vec<Vec<u8>> = trees
        .iter()
        .map(|tree| compressed(&content_of(tree, &mut used)))
        .collect();
    let font_numbers: Vec<Ref> = used.fonts.iter().map(|_| numbers.next()).collect();
    let page_numbers: Vec<Ref> = trees.iter().map(|_| numbers.next()).collect();
    let count = i32::try_from(trees.len()).expect("fewer than 2^31 pages");
    let mut tree_writer = pdf.pages(page_tree);
    tree_writer.kids(page_numbers.iter().copied()).count(count);
    tree_writer.finish();
    for ((tree, &number), content) in trees.iter().zip(&page_numbers).zip(&contents) {
        let stream = numbers.next();
        let [width, height] = [tree.size().width(), tree.size().height()];
        let mut page = pdf.page(number);
        let media_box = [width, height].map(|pixels| pixels * POINTS_PER_PIXEL);
        page.media_box(Rect::new(0.0, 0.0, media_box[0], media_box[1]));
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
        font.write(&mut pdf, number, &mut numbers)?;
    }
    Ok(pdf.finish())
}
