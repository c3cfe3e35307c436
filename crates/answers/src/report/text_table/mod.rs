mod fitted;

use std::fmt;

use textwrap::core::display_width;

use fitted::FittedTable;

/// Most letters of a cell: more than a spec, or a line of 254 plies, has.
const MAX_CELL_LETTERS: usize = 16_384;

/// Rows of cells, shown with aligned columns.
///
/// # Examples
/// ```
/// let mut table = hindsight_answers::report::TextTable::new("lr");
/// table.push(["game", "positions"]);
/// table.push(["nim", "7"]);
/// assert_eq!(table.to_string(), "game  positions\nnim           7\n");
/// ```
#[derive(Clone, Debug)]
pub struct TextTable {
    align: Vec<char>,
    /// First columns of groups; without groups each column is one.
    group_starts: Vec<usize>,
    gap: usize,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Makes a table without rows, with two spaces between columns.
    ///
    /// `align` has a letter for each column: `l` or `r`. Columns beyond it are aligned to the left.
    /// A `|` between letters begins a group of columns, which [`TextTable::fit`] keeps together.
    #[must_use]
    pub fn new(align: &str) -> Self {
        let (mut letters, mut group_starts) = (Vec::new(), Vec::new());
        for letter in align.chars() {
            match letter {
                '|' => group_starts.push(letters.len()),
                letter => letters.push(letter),
            }
        }
        Self { align: letters, group_starts, gap: 2, rows: Vec::new() }
    }

    /// Makes a table with a row for each name and its text, both aligned to the left.
    #[must_use]
    pub fn of_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let mut table = Self::new("ll");
        for (name, text) in pairs {
            table.push([name, &text]);
        }
        table
    }

    /// Sets the number of spaces between columns.
    #[must_use]
    pub fn with_gap(self, gap: usize) -> Self {
        Self { gap, ..self }
    }

    /// Adds a row, which may have fewer cells than others. Cells of over 16,384 letters are
    /// cut, and end in `..`.
    pub fn push<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let cells = cells.into_iter().map(|cell| cut(cell.into()));
        self.rows.push(cells.collect());
    }

    /// Returns the table as lines of at most `columns` columns of a terminal, where its cells allow
    /// it.
    ///
    /// If the last column is aligned to the left, its cells are wrapped. If not, columns that have
    /// no room follow in further blocks of rows, in which the first column is repeated. A key of
    /// more than half a line, or a long word, stands on a line of its own. The lines are
    /// [`unbroken`](crate::report::unbroken).
    #[must_use]
    pub fn fit(&self, columns: usize) -> String {
        FittedTable::new(self, columns).text()
    }

    /// Widths of the columns of the table, in columns of a terminal.
    fn widths(&self) -> Vec<usize> {
        let mut widths = Vec::new();
        for row in &self.rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = display_width(cell).max(*width);
            }
        }
        widths
    }
}

/// Returns a cell with at most [`MAX_CELL_LETTERS`] letters, and a mark where it was cut.
fn cut(mut cell: String) -> String {
    if let Some((end, _)) = cell.char_indices().nth(MAX_CELL_LETTERS) {
        cell.truncate(end);
        cell.push_str("..");
    }
    cell
}

/// Shows a line for each row, without spaces at its end.
impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            writeln!(f, "{}", self.line(row, &widths, 0..row.len()))?;
        }
        Ok(())
    }
}

impl TextTable {
    /// Returns the cells of some columns of a row, without spaces at the end.
    fn line(
        &self,
        row: &[String],
        widths: &[usize],
        columns: impl Iterator<Item = usize>,
    ) -> String {
        let cells = columns.map(|column| {
            let cell = row.get(column).map_or("", |cell| cell);
            let spaces = " ".repeat(widths[column].saturating_sub(display_width(cell)));
            match self.align.get(column) {
                Some('r') => spaces + cell,
                _ => format!("{cell}{spaces}"),
            }
        });
        let cells: Vec<String> = cells.collect();
        cells.join(&" ".repeat(self.gap)).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(table: &TextTable) -> Vec<String> {
        table.to_string().lines().map(String::from).collect()
    }

    #[test]
    fn numbers_end_in_one_column() {
        let mut table = TextTable::new("lrr");
        table.push(["plies", "wins", "losses"]);
        table.push(["0", "18,446,744,073,709,551,615", "-"]);
        table.push(["12", "7", "1,000,000,000"]);
        let expected = [
            "plies                        wins         losses",
            "0      18,446,744,073,709,551,615              -",
            "12                              7  1,000,000,000",
        ];
        assert_eq!(text(&table), expected);
    }

    #[test]
    fn characters_count_not_bytes() {
        let mut table = TextTable::new("lr");
        table.push(["größer", "→"]);
        table.push(["abcdef", "10"]);
        table.push(["●○", "é"]);
        assert_eq!(text(&table), ["größer   →", "abcdef  10", "●○       é"]);
    }

    #[test]
    fn wide_letters_take_two_columns() {
        let mut table = TextTable::new("lr");
        table.push(["\u{732b}", "\u{72ac}"]);
        table.push(["abc", "d"]);
        assert_eq!(text(&table), ["\u{732b}   \u{72ac}", "abc   d"]);
        table.push([&"\u{732b}".repeat(30), "e"]);
        assert!(table.fit(50).lines().all(|line| display_width(line) <= 62));
    }

    #[test]
    fn very_long_cells_are_cut() {
        let mut table = TextTable::new("lr");
        table.push([&"\u{e9}".repeat(70_000), "1"]);
        table.push(["a", &"b".repeat(16_384)]);
        let [first, second] = &text(&table)[..] else {
            panic!("two rows");
        };
        let cut = format!("{}..", "\u{e9}".repeat(16_384));
        assert!(first.starts_with(&cut) && first.ends_with(" 1"));
        assert!(second.ends_with("bb") && second.starts_with("a "));
        assert!(table.fit(80).contains(".."));
    }

    #[test]
    fn rows_may_be_short_or_empty_and_have_more_columns_than_letters() {
        let mut table = TextTable::new("r").with_gap(3);
        table.push(["10", "a", "b"]);
        table.push([String::from("1")]);
        table.push([""; 0]);
        table.push(["", "long", ""]);
        assert_eq!(text(&table), ["10   a      b", " 1", "", "     long"]);
        assert_eq!(TextTable::new("lr").to_string(), "");
    }

    #[test]
    fn pairs_have_names_to_the_left() {
        let pairs = [("won", String::from("12")), ("positions", String::from("7"))];
        assert_eq!(TextTable::of_pairs(pairs).to_string(), "won        12\npositions  7\n");
    }
}
