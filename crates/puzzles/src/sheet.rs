/// A diagram with a line above and some below.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Above the diagram.
    pub title: String,
    /// The diagram, and what stands below it, with line breaks.
    pub text: String,
}

/// Pixels of a letter: its width, and the height of a line.
const LETTER: (usize, usize) = (9, 18);

/// Pixels around everything.
const MARGIN: usize = 24;

/// Figures side by side.
const COLUMNS: usize = 3;

/// A sheet of figures as SVG, three in a row, in letters of one width.
#[must_use]
pub fn sheet(heading: &str, figures: &[Figure]) -> String {
    let (letter, line) = LETTER;
    let lines = |figure: &Figure| figure.text.lines().count() + 1;
    let widths = figures
        .iter()
        .flat_map(|figure| figure.text.lines().chain([figure.title.as_str()]))
        .map(|text| text.chars().count());
    let width = MARGIN + letter * widths.max().unwrap_or(0);
    let height = MARGIN + line * figures.iter().map(lines).max().unwrap_or(0);
    let top = MARGIN + 2 * line;
    let across = (MARGIN + COLUMNS * width).max(2 * MARGIN + letter * heading.chars().count());
    let down = top + figures.len().div_ceil(COLUMNS) * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across}\" height=\"{down}\" viewBox=\"0 0 {across} {down}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g font-family=\"monospace\" font-size=\"15\" fill=\"black\">\n"
    );
    svg.push_str(&text((MARGIN, MARGIN + line / 2), true, heading));
    for (i, figure) in figures.iter().enumerate() {
        let x = MARGIN + i % COLUMNS * width;
        let y = top + i / COLUMNS * height;
        svg.push_str(&text((x, y), true, &figure.title));
        for (row, content) in (1..).zip(figure.text.lines()) {
            svg.push_str(&text((x, y + row * line), false, content));
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// A line of text at a place. Each letter has its width whatever the font, so that columns stay columns.
fn text((x, y): (usize, usize), bold: bool, content: &str) -> String {
    let letters = content.chars().count();
    if content.trim().is_empty() {
        return String::new();
    }
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let length = LETTER.0 * letters;
    let escaped = content
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!(
        "<text x=\"{x}\" y=\"{y}\"{weight} textLength=\"{length}\" xml:space=\"preserve\">{escaped}</text>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{Figure, sheet};

    #[test]
    fn letters_that_mean_something_are_written_out() {
        let figure = Figure {
            title: String::from("a < b"),
            text: String::from("1 & 2\n\n3 > 2"),
        };
        let svg = sheet("four", &vec![figure; 4]);
        assert_eq!(svg.matches("a &lt; b").count(), 4);
        assert_eq!(svg.matches("1 &amp; 2").count(), 4);
        assert_eq!(svg.matches("<text").count(), 13);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
