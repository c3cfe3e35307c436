/// A diagram with a title above and text below.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleDiagram {
    /// Line above the diagram.
    pub title: String,
    /// The diagram and the text below it, with line breaks.
    pub text: String,
}

/// Width of a letter in pixels.
const LETTER_WIDTH: usize = 9;

/// Height of a line of text in pixels.
const LINE_HEIGHT: usize = 18;

/// Margin around the sheet and between diagrams, in pixels.
const MARGIN: usize = 24;

/// Number of diagrams in a row.
const COLUMNS: usize = 3;

/// Returns a sheet of diagrams as SVG, three in a row, in a monospaced font.
#[must_use]
pub fn svg_sheet(heading: &str, diagrams: &[PuzzleDiagram]) -> String {
    let lines = |diagram: &PuzzleDiagram| diagram.text.lines().count() + 1;
    let widths = diagrams
        .iter()
        .flat_map(|diagram| diagram.text.lines().chain([diagram.title.as_str()]))
        .map(|text| text.chars().count());
    let width = MARGIN + LETTER_WIDTH * widths.max().unwrap_or(0);
    let height = MARGIN + LINE_HEIGHT * diagrams.iter().map(lines).max().unwrap_or(0);
    let top = MARGIN + 2 * LINE_HEIGHT;
    let heading_width = LETTER_WIDTH * heading.chars().count();
    let across = (MARGIN + COLUMNS * width).max(2 * MARGIN + heading_width);
    let down = top + diagrams.len().div_ceil(COLUMNS) * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across}\" height=\"{down}\" \
         viewBox=\"0 0 {across} {down}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <g font-family=\"monospace\" font-size=\"15\" fill=\"black\">\n"
    );
    svg.push_str(&svg_text(MARGIN, MARGIN + LINE_HEIGHT / 2, true, heading));
    for (i, diagram) in diagrams.iter().enumerate() {
        let x = MARGIN + i % COLUMNS * width;
        let y = top + i / COLUMNS * height;
        svg.push_str(&svg_text(x, y, true, &diagram.title));
        for (row, content) in (1..).zip(diagram.text.lines()) {
            svg.push_str(&svg_text(x, y + row * LINE_HEIGHT, false, content));
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Returns the SVG element of a line of text; empty for a blank line.
///
/// `textLength` fixes the width of each letter in any font, so that columns stay aligned.
fn svg_text(x: usize, y: usize, bold: bool, content: &str) -> String {
    let letters = content.chars().count();
    if content.trim().is_empty() {
        return String::new();
    }
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let length = LETTER_WIDTH * letters;
    let escaped = content
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!(
        "<text x=\"{x}\" y=\"{y}\"{weight} textLength=\"{length}\" \
         xml:space=\"preserve\">{escaped}</text>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{PuzzleDiagram, svg_sheet};

    #[test]
    fn markup_characters_are_escaped() {
        let diagram = PuzzleDiagram {
            title: String::from("a < b"),
            text: String::from("1 & 2\n\n3 > 2"),
        };
        let svg = svg_sheet("four", &vec![diagram; 4]);
        assert_eq!(svg.matches("a &lt; b").count(), 4);
        assert_eq!(svg.matches("1 &amp; 2").count(), 4);
        assert_eq!(svg.matches("<text").count(), 13);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
