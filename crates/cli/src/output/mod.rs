//! The output of the program: answers, messages and files.

mod columns;
mod file;
mod identity;
mod leftovers;
mod live;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_columns;
mod target;

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use hindsight_answers::report::wrap;
use hindsight_core::without_passwords;

pub(crate) use columns::{columns, fitted, picture_columns};
pub(crate) use file::{Output, finish_all};
pub(crate) use identity::{NamedFile, check_distinct, is_stdout, is_stdout_file, parent_folder};
pub(crate) use leftovers::{LAYERS_PREFIX, LAYERS_SUFFIX, name_leftover_layers};
pub(crate) use live::LiveFile;

/// Refuses a path where no ordinary file can be. An existing file is not touched.
///
/// # Errors
/// A sentence with the reason; `contents` is what the file would hold, such as `a table`.
#[cfg(feature = "sqlite")]
pub(crate) fn check_file(path: &Path, contents: &str) -> Result<()> {
    target::Target::at(path, true)?.file(path, contents).map(|_| ())
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

/// Prints text for people, wrapped to the terminal, or to 80 columns without one.
pub(crate) fn print_text(text: &str) -> Result<()> {
    print(&wrap(text, columns()))
}

/// Prints text on standard output and flushes it.
///
/// A reader that leaves early, as `head` does, is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed.context("cannot write to standard output"),
    }
}

/// Prints a message on standard error, on a line of its own. Errors of writing are ignored.
pub fn print_message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", message_lines(text));
}

/// Returns a message as it is shown on standard error, without a line break at its end and without
/// passwords of addresses.
pub(crate) fn message_lines(text: &str) -> String {
    columns::wrap_message(&escape_controls(&without_passwords(text)))
}

/// Replaces control characters, which a terminal would obey, by escapes; line breaks and tabs stay.
pub(crate) fn escape_controls(text: &str) -> String {
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
