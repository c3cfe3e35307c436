use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Columns that text may take where no terminal says how many there are.
pub const DEFAULT_COLUMNS: usize = 80;

/// Most columns of a sentence: longer lines are hard to read.
pub const MAX_SENTENCE_COLUMNS: usize = 100;

/// Indent of a line that continues another one, beyond that of the first.
const HANGING_INDENT: &str = "  ";

/// Space at which [`wrap`] breaks no line: a noncharacter, which Unicode leaves to programs.
const UNBROKEN_SPACE: char = '\u{fdd0}';

/// Returns the text with spaces at which [`wrap`] breaks no line.
///
/// Diagrams, positions and rows of tables go through this.
///
/// # Examples
/// ```
/// use hindsight_answers::report::{unbroken, wrap};
/// let position = unbroken("e1 e9 9,9 - white");
/// assert_eq!(wrap(&format!("from {position}"), 12), "from\n  e1 e9 9,9 - white");
/// ```
#[must_use]
pub fn unbroken(text: &str) -> String {
    text.replace(' ', &UNBROKEN_SPACE.to_string())
}

/// Breaks each line longer than `columns` at spaces. Continued lines are indented by two more.
///
/// A word longer than a line stands on a line of its own. Shorter lines stay as they are. Columns
/// beyond [`MAX_SENTENCE_COLUMNS`] are for text that is [`unbroken`].
///
/// # Examples
/// ```
/// let text = "a short line\n  a line that is longer\n";
/// let wrapped = "a short line\n  a line that\n    is longer\n";
/// assert_eq!(hindsight_answers::report::wrap(text, 14), wrapped);
/// ```
#[must_use]
pub fn wrap(text: &str, columns: usize) -> String {
    let columns = columns.min(MAX_SENTENCE_COLUMNS);
    let lines = text.split('\n').map(|line| wrap_line(line, columns));
    let lines: Vec<String> = lines.collect();
    lines.join("\n").replace(UNBROKEN_SPACE, " ")
}

/// Wraps one line, in which the spaces of [`unbroken`] stay marked.
fn wrap_line(line: &str, columns: usize) -> String {
    if display_width(line) <= columns {
        return line.to_owned();
    }
    let words = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - words.len());
    let hanging = format!("{indent}{HANGING_INDENT}");
    let options = options(columns).initial_indent(&indent).subsequent_indent(&hanging);
    textwrap::wrap(words, options).join("\n")
}

/// Breaks words into lines of at most `columns`, without an indent. A longer word has its own line.
pub(crate) fn wrap_words(words: &str, columns: usize) -> Vec<String> {
    let lines = textwrap::wrap(words, options(columns)).into_iter();
    lines.map(String::from).collect()
}

/// Returns options that break lines at spaces only.
fn options<'a>(columns: usize) -> Options<'a> {
    Options::new(columns)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_keep_their_indent() {
        let text = "one two three\n    four five-six seven\n\nend";
        let lines = ["one two", "  three", "    four", "      five-six", "      seven"];
        assert_eq!(wrap(text, 10), format!("{}\n\nend", lines.join("\n")));
        assert_eq!(wrap("", 10), "");
        assert_eq!(wrap("a  b\n", 10), "a  b\n");
    }

    #[test]
    fn long_words_stand_alone_and_characters_count() {
        let lines = ["see", "  /a/long/path/of/a/file", "  for more"];
        assert_eq!(wrap("see /a/long/path/of/a/file for more", 12), lines.join("\n"));
        assert_eq!(wrap("größer ●○ é", 11), "größer ●○ é");
        assert_eq!(wrap("a b c", 0), "a\n  b\n  c");
    }

    #[test]
    fn unbroken_text_is_one_word() {
        let position = unbroken("x o / . x");
        assert_eq!(wrap(&position, 4), "x o / . x");
        let lines = ["win in 3:", "  x o / . x", "  red"];
        assert_eq!(wrap(&format!("win in 3: {position} red"), 11), lines.join("\n"));
        // A line that is short enough loses its marks too.
        assert_eq!(wrap(&position, 80), "x o / . x");
    }
}
