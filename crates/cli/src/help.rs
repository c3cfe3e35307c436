//! Parsing of the command line, with help as wide as the terminal.

use std::io::stdout;

use clap::{CommandFactory, FromArgMatches};
use rustix::termios::tcgetwinsize;

use crate::args::Args;

/// Columns of help without a terminal.
const DEFAULT_COLUMNS: usize = 80;
/// Most columns of help: longer lines are hard to read.
const MAX_COLUMNS: usize = 100;

/// Parses the command line. An error may be a help text that was asked for.
pub(crate) fn parse_args() -> Result<Args, clap::Error> {
    let command = Args::command().term_width(help_columns());
    Args::from_arg_matches(&command.try_get_matches()?)
}

/// Returns the columns of help: those of the terminal on standard output, at most [`MAX_COLUMNS`].
fn help_columns() -> usize {
    let size = tcgetwinsize(stdout());
    match size.map_or(0, |size| usize::from(size.ws_col)) {
        0 => DEFAULT_COLUMNS,
        columns => columns.min(MAX_COLUMNS),
    }
}
