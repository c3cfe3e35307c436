//! A table laid out in a number of columns of characters.

use std::ops::Range;

use textwrap::core::display_width;

use super::TextTable;
use crate::report::wrap::{unbroken, wrap, wrap_words};

/// Fewest characters into which the last column is wrapped.
const MIN_WRAPPED: usize = 20;

/// A table with the characters that a line may take.
pub(super) struct FittedTable<'a> {
    table: &'a TextTable,
    widths: Vec<usize>,
    /// Characters of a line.
    room: usize,
}

impl<'a> FittedTable<'a> {
    pub(super) fn new(table: &'a TextTable, room: usize) -> Self {
        let widths = table.widths();
        Self { table, widths, room }
    }

    pub(super) fn text(mut self) -> String {
        let columns = self.widths.len();
        if columns < 2 || self.width(0..columns) <= self.room {
            return unbroken(&self.table.to_string());
        }
        let lines = match self.wrapped_width() {
            Some(width) => self.wrapped_lines(width),
            None => {
                let blocks = self.blocks().into_iter();
                let blocks: Vec<_> = blocks.map(|block| self.block_lines(block)).collect();
                blocks.join(&String::new())
            }
        };
        let lines = lines.into_iter().map(|line| unbroken(&line) + "\n");
        lines.collect()
    }

    /// Returns the characters of some columns and of the gaps between them.
    fn width(&self, columns: Range<usize>) -> usize {
        let gaps = columns.len().saturating_sub(1) * self.table.gap;
        self.widths[columns].iter().sum::<usize>() + gaps
    }

    /// Returns the characters to which the last column is to be wrapped.
    fn wrapped_width(&self) -> Option<usize> {
        let last = self.widths.len() - 1;
        if self.table.align.get(last) == Some(&'r') {
            return None;
        }
        let before = self.width(0..last) + self.table.gap;
        let width = self.room.checked_sub(before)?;
        (width >= MIN_WRAPPED).then_some(width)
    }

    /// Returns the rows with the last column wrapped to `width`.
    fn wrapped_lines(&self, width: usize) -> Vec<String> {
        let last = self.widths.len() - 1;
        let offset = self.width(0..last) + self.table.gap;
        let mut lines = Vec::new();
        for row in &self.table.rows {
            let mut words = match row.get(last) {
                Some(cell) => wrap_words(cell, width),
                None => Vec::new(),
            };
            // A long word has more room on a line of its own.
            let is_short = |word: &String| display_width(word) <= width;
            let mut cells = row[..row.len().min(last)].to_vec();
            if words.first().is_some_and(is_short) {
                cells.push(words.remove(0));
            }
            lines.push(self.table.line(&cells, &self.widths, 0..cells.len()));
            lines.extend(words.into_iter().map(|words| {
                let free = self.room.saturating_sub(display_width(&words));
                format!("{}{words}", " ".repeat(free.clamp(2, offset)))
            }));
        }
        lines
    }

    /// Divides the columns behind the first into blocks, and sets the width of the first column.
    fn blocks(&mut self) -> Vec<Range<usize>> {
        let (gap, columns) = (self.table.gap, self.widths.len());
        let rest = self.width(1..columns) + gap;
        if self.widths[0] > self.room / 2 {
            let free = self.room.saturating_sub(rest);
            self.widths[0] = if free < self.room / 8 { self.room / 2 } else { free };
        }
        let mut blocks = Vec::new();
        let mut start = 1;
        while start < columns {
            let fits = |end: &usize| self.widths[0] + gap + self.width(start..*end) <= self.room;
            let mut end = (start + 1..=columns).take_while(fits).last().unwrap_or(start + 1);
            let group_starts = self.table.group_starts.iter();
            let last_group = group_starts.rev().find(|first| (start + 1..=end).contains(first));
            if let Some(&first) = last_group.filter(|_| end < columns) {
                end = first;
            }
            blocks.push(start..end);
            start = end;
        }
        blocks
    }

    /// Returns the rows of a block: the first column and those of `block`.
    ///
    /// Rows without a cell in the block are left out, unless they are empty in all blocks.
    fn block_lines(&self, block: Range<usize>) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.table.rows {
            let in_block = row.get(block.start..).unwrap_or_default().iter();
            let is_in_block = in_block.take(block.len()).any(|cell| !cell.is_empty());
            if !is_in_block && row.iter().any(|cell| !cell.is_empty()) {
                continue;
            }
            let columns = [0].into_iter().chain(block.clone());
            match row.first() {
                Some(key) if display_width(key) > self.widths[0] => {
                    let mut others = row.clone();
                    others[0].clear();
                    let wrapped = wrap(key, self.room);
                    lines.extend(wrapped.lines().map(String::from));
                    lines.push(self.table.line(&others, &self.widths, columns));
                }
                _ => lines.push(self.table.line(row, &self.widths, columns)),
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(align: &str, rows: &[&[&str]], room: usize) -> Vec<String> {
        let mut table = TextTable::new(align);
        for row in rows {
            table.push(row.iter().copied());
        }
        let text = wrap(&table.fit(room), room);
        text.lines().map(String::from).collect()
    }

    const COUNTS: [&[&str]; 3] =
        [&["layer", "won", "lost", "drawn"], &["0", "100", "20", "3"], &["all", "100", "20", "3"]];

    #[test]
    fn columns_without_room_follow_in_blocks() {
        let whole = fitted("rrrr", &COUNTS, 23);
        assert_eq!(whole[1], "    0  100    20      3");
        let expected = [
            "layer  won  lost",
            "    0  100    20",
            "  all  100    20",
            "",
            "layer  drawn",
            "    0      3",
            "  all      3",
        ];
        assert_eq!(fitted("rrrr", &COUNTS, 22), expected);
    }

    #[test]
    fn groups_of_columns_stay_together() {
        let lines = fitted("rr|rr", &COUNTS, 22);
        assert_eq!(lines[..2], ["layer  won", "    0  100"]);
        assert_eq!(lines[4..6], ["layer  lost  drawn", "    0    20      3"]);
        // A group that is wider than a line is divided.
        assert_eq!(fitted("rr|rr", &COUNTS, 13)[4], "layer  lost");
    }

    #[test]
    fn rows_without_a_cell_in_a_block_are_left_out() {
        let rows: [&[&str]; 4] = [&["", "a", "b"], &["x", "1", "22222"], &[], &["y", "3"]];
        let expected = ["   a", "x  1", "", "y  3", "", "       b", "x  22222", ""];
        assert_eq!(fitted("lrr", &rows, 8), expected);
    }

    #[test]
    fn text_in_the_last_column_is_wrapped() {
        let position = unbroken("an unbroken position that is long");
        let rows: [&[&str]; 3] =
            [&["name", "text of more words than fit"], &["x", &format!("see {position}")], &["y"]];
        let expected = [
            "name  text of more words",
            "      than fit",
            "x     see",
            "  an unbroken position that is long",
            "y",
        ];
        assert_eq!(fitted("ll", &rows, 26), expected);
    }

    #[test]
    fn long_keys_stand_alone() {
        let key = "a-long-name-of-something";
        let rows: [&[&str]; 3] =
            [&["", "wins", "share"], &[key, "1", "2 %"], &["ties", "0", "1 %"]];
        let expected = [
            "              wins  share",
            key,
            "                 1    2 %",
            "ties             0    1 %",
        ];
        assert_eq!(fitted("lrr", &rows, 25), expected);
        let rows: [&[&str]; 1] = [&["a name of several words", "1", "2"]];
        let expected = ["a name of", "  several", "  words", "          1  2"];
        assert_eq!(fitted("lrr", &rows, 14), expected);
    }
}
