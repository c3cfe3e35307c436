//! A page of characters in colours.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::inks::Ink;

/// A character in a colour.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Glyph {
    sign: char,
    ink: Ink,
}

impl Glyph {
    const SPACE: Self = Self { sign: ' ', ink: Ink::PLAIN };
    /// Sign of the second column of a wide character, which is not written.
    const SECOND_COLUMN: char = '\0';
}

/// Lines of characters, which grow where something is written.
#[derive(Default)]
pub(crate) struct TextCanvas {
    lines: Vec<Vec<Glyph>>,
}

impl TextCanvas {
    /// Writes text in a line from a column on, over what was there, without marks that combine
    /// with the letter before.
    pub(crate) fn put(&mut self, mut column: usize, line: usize, text: &str, ink: Ink) {
        for sign in text.chars() {
            for sign in [sign, Glyph::SECOND_COLUMN].into_iter().take(sign.width().unwrap_or(0)) {
                self.put_sign(column, line, sign, ink);
                column += 1;
            }
        }
    }

    /// Writes a character of one column, over what was there.
    pub(crate) fn put_sign(&mut self, column: usize, line: usize, sign: char, ink: Ink) {
        if self.lines.len() <= line {
            self.lines.resize(line + 1, Vec::new());
        }
        let glyphs = &mut self.lines[line];
        if glyphs.len() <= column {
            glyphs.resize(column + 1, Glyph::SPACE);
        }
        glyphs[column] = Glyph { sign, ink };
    }

    /// Writes words below each other in at most `width` columns, and returns the number of lines.
    /// A longer word is cut.
    pub(crate) fn put_words(
        &mut self,
        column: usize,
        line: usize,
        words: &str,
        width: usize,
    ) -> usize {
        let lines = wrapped(words, width);
        for (text, line) in lines.iter().zip(line..) {
            self.put(column, line, text, Ink::PLAIN);
        }
        lines.len()
    }

    /// Returns the number of lines.
    pub(crate) fn height(&self) -> usize {
        self.lines.len()
    }

    /// Returns the text, without spaces at the ends of lines and without a line break at its end.
    pub(crate) fn text(&self, has_colors: bool) -> String {
        let lines = self.lines.iter().map(|line| line_text(line, has_colors));
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn line_text(line: &[Glyph], has_colors: bool) -> String {
    let end = line.iter().rposition(|glyph| glyph.sign != ' ');
    let line = &line[..end.map_or(0, |last| last + 1)];
    let mut text = String::new();
    for run in line.chunk_by(|one, next| one.ink == next.ink) {
        let signs = run.iter().map(|glyph| glyph.sign);
        let signs = signs.filter(|&sign| sign != Glyph::SECOND_COLUMN);
        match run[0].ink.code() {
            Some(code) if has_colors => {
                text.push_str(&format!("\u{1b}[{code}m"));
                text.extend(signs);
                text.push_str("\u{1b}[0m");
            }
            _ => text.extend(signs),
        }
    }
    text
}

/// Breaks words into lines of at most `width` columns.
pub(crate) fn wrapped(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        let word = start_of(word, width);
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Returns the start of a text that takes at most `width` columns.
pub(crate) fn start_of(text: &str, width: usize) -> &str {
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let end = ends.take_while(|&end| text[..end].width() <= width).last();
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::{Ink, TextCanvas, wrapped};

    #[test]
    fn colours_are_around_their_signs_only() {
        let mut canvas = TextCanvas::default();
        canvas.put(1, 0, "abc", Ink::LAST);
        canvas.put(2, 0, "x", Ink::PLAIN);
        canvas.put(6, 1, " ", Ink::LAST);
        assert_eq!(canvas.text(false), " axc\n");
        let code = Ink::LAST.code().expect("a colour");
        let colored = format!(" \u{1b}[{code}ma\u{1b}[0mx\u{1b}[{code}mc\u{1b}[0m\n");
        assert_eq!(canvas.text(true), colored);
    }

    #[test]
    fn words_are_wrapped_and_cut() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdef g", 4), ["abcd", "g"]);
        assert_eq!(wrapped("", 4), [""]);
        assert_eq!(wrapped("\u{732b}\u{72ac}\u{9ce5} a", 5), ["\u{732b}\u{72ac}", "a"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let mut canvas = TextCanvas::default();
        canvas.put(0, 0, "\u{732b}x", Ink::PLAIN);
        canvas.put(4, 0, "y", Ink::PLAIN);
        canvas.put(0, 1, "abcde\u{301}f", Ink::PLAIN);
        assert_eq!(canvas.text(false), "\u{732b}x y\nabcdef");
    }
}
