//! Parsing of the command line, with help as wide as the terminal.

use clap::{CommandFactory, FromArgMatches};
use hindsight_report::MAX_SENTENCE_COLUMNS;

use crate::args::Args;
use crate::output::columns;

/// Parses the command line. An error may be a help text that was asked for.
pub(crate) fn parse_args() -> Result<Args, clap::Error> {
    let width = columns().min(MAX_SENTENCE_COLUMNS);
    let command = Args::command().term_width(width);
    Args::from_arg_matches(&command.try_get_matches()?)
}
