//! Width of the terminal, to which text is wrapped.

use std::io::{IsTerminal, stderr, stdout};
use std::os::fd::AsFd;

use hindsight_answers::report::{DEFAULT_COLUMNS, TextTable, wrap};
use rustix::termios::tcgetwinsize;

/// Fewest columns of a terminal that text is wrapped to.
const MIN_COLUMNS: usize = 40;

/// Returns the columns of the terminal on standard output; 80 without one.
pub(crate) fn columns() -> usize {
    terminal_columns(stdout())
}

fn terminal_columns(terminal: impl AsFd) -> usize {
    match tcgetwinsize(terminal).map(|size| usize::from(size.ws_col)) {
        Err(_) | Ok(0) => DEFAULT_COLUMNS,
        Ok(columns) => columns.max(MIN_COLUMNS),
    }
}

/// Returns the columns that a picture may take: all of the terminal, however few they are.
pub(crate) fn picture_columns() -> usize {
    let size = tcgetwinsize(stdout());
    let columns = size.map_or(0, |size| usize::from(size.ws_col));
    match columns {
        0 => DEFAULT_COLUMNS,
        columns => columns,
    }
}

/// Returns a table that fits standard output, for `print_text`.
pub(crate) fn fitted(table: &TextTable) -> String {
    table.fit(columns())
}

/// Wraps a message if standard error is a terminal; elsewhere scripts look for parts of it.
pub(super) fn wrap_message(text: &str) -> String {
    if stderr().is_terminal() { wrap(text, terminal_columns(stderr())) } else { text.to_owned() }
}
