//! Words of plots, in lines that fit.

use crate::canvas::Canvas;
use crate::picture::Anchor;
use crate::text_width::text_width;

/// Height of a line, of its size.
const LEADING: f64 = 1.3;

/// Breaks words into lines of at most `room`: at a space, else behind a sign, else anywhere.
pub(super) fn wrapped(words: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = words;
    while size * text_width(rest) > room {
        let mut ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let first = ends.next().unwrap_or(rest.len());
        let fits = |end: usize| size * text_width(rest[..end].trim_end()) <= room;
        let most = ends.take_while(|&end| fits(end)).last().unwrap_or(first);
        let space = rest[..most].rfind(' ');
        let behind = space.or_else(|| rest[..most].rfind([',', ':', ';', '-', '/']));
        let end = behind.map_or(most, |at| at + 1);
        lines.push(rest[..end].trim_end().to_string());
        rest = &rest[end..];
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest.to_string());
    }
    lines
}

/// Returns the width of the widest line in letters of size 1.
pub(super) fn greatest_width(lines: &[String]) -> f64 {
    let widths = lines.iter().map(|line| text_width(line));
    widths.fold(0.0, f64::max)
}

/// Draws words around the middle of a line of some width, and returns the place below them.
pub(super) fn draw_lines(
    canvas: &mut Canvas,
    words: &str,
    size: f64,
    [middle, top]: [f64; 2],
    width: f64,
) -> f64 {
    let mut line = top - 0.3 * size;
    for words in wrapped(words, size, width) {
        line += LEADING * size;
        canvas.text(middle, line, size, Anchor::Middle, &words);
    }
    line + 0.5 * size
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn words_break_behind_signs_and_long_ones_anywhere() {
        assert_eq!(wrapped("iii iii", 1.0, 1.0), ["iii", "iii"]);
        assert_eq!(wrapped("ii:ii,ii", 1.0, 1.0), ["ii:", "ii,", "ii"]);
        assert_eq!(wrapped("i i:iiii", 1.0, 1.0), ["i", "i:", "iii", "i"]);
        assert_eq!(wrapped("iiiiii", 1.0, 1.0), ["iii", "iii"]);
        assert_eq!(wrapped("WW", 1.0, 0.1), ["W", "W"]);
        assert_eq!(wrapped("", 1.0, 1.0), [""]);
    }
}
