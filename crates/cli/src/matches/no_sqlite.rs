//! In the place of SQLite files, in a program that is built without them.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_play::Record;

use crate::args::MatchArgs;

/// A match in a file, which there never is.
pub(super) enum Database {}

/// Refuses every file.
pub(super) fn check(_: &Path, _: &MatchArgs) -> Result<()> {
    bail!("this program was built without SQLite files; its feature 'sqlite' adds them")
}

impl Database {
    pub(super) fn begin(path: &Path, _: &str, _: &[String; 2], args: &MatchArgs) -> Result<Self> {
        check(path, args)?;
        bail!("no match has begun")
    }

    pub(super) fn keep(&mut self, _: &Record) -> Result<()> {
        match *self {}
    }

    pub(super) fn finish(&mut self) -> Result<()> {
        match *self {}
    }
}
