//! The output of the program: answers, messages and files.

mod file;
mod identity;
mod live;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_columns;
mod target;

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, Result, bail};

pub(crate) use file::{Output, finish_all};
pub(crate) use identity::{NamedFile, check_distinct, is_stdout};
pub(crate) use live::LiveFile;

/// Refuses a path where no ordinary file can be. An existing file is not touched.
///
/// # Errors
/// A sentence with the reason; `contents` is what the file would hold, such as `a table`.
#[cfg(feature = "sqlite")]
pub(crate) fn check_file(path: &Path, contents: &str) -> Result<()> {
    target::Target::at(path, true)?
        .file(path, contents)
        .map(|_| ())
}

/// Refuses an option whose file would be standard output, to which the answer goes.
pub(crate) fn refuse_stdout(option: &str, path: Option<&Path>) -> Result<()> {
    if path.is_some_and(is_stdout) {
        bail!(
            "{option} would go to standard output, where the answer is; \
             name a file or a named pipe"
        );
    }
    Ok(())
}

/// Prints a JSON value and a line break.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Prints text on standard output and flushes it.
///
/// A reader that leaves early, as `head` does, is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let printed = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed.context("cannot write to standard output"),
    }
}

/// Prints a message on standard error, on a line of its own. Errors of writing are ignored.
pub(crate) fn print_message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", escape_controls(text));
}

/// Replaces control characters, which a terminal would obey, by escapes; line breaks and tabs stay.
fn escape_controls(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => shown.push(character),
            _ if character.is_control() => shown.extend(character.escape_default()),
            _ => shown.push(character),
        }
    }
    shown
}

/// Formats rows of cells as columns with two spaces between them.
///
/// `align` has a letter for each column: `l` or `r`. Columns beyond it are aligned to the left.
pub(crate) fn align_columns(rows: &[Vec<String>], align: &str) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, width), align) in row
            .iter()
            .zip(&widths)
            .zip(align.chars().chain(std::iter::repeat('l')))
        {
            let cell = if align == 'r' {
                format!("{cell:>width$}")
            } else {
                format!("{cell:<width$}")
            };
            line.push_str(&cell);
            line.push_str("  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Formats a number with commas between groups of three digits.
pub(crate) fn with_commas(n: u64) -> String {
    indicatif::HumanCount(n).to_string()
}
