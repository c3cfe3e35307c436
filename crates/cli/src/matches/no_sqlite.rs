//! Stand-in for [`MatchDatabase`] in a program that is built without SQLite files.

use std::path::Path;

use anyhow::Result;
use hindsight_play::GameRecord;

use crate::args::MatchArgs;
use crate::process::exit::not_built_in;

/// Match in a file; without the feature there is none.
pub(super) enum MatchDatabase {}

/// Refuses every file.
pub(super) fn check(_: &Path, _: &MatchArgs) -> Result<()> {
    Err(not_built_in("SQLite files", "sqlite"))
}

impl MatchDatabase {
    pub(super) fn begin(_: &Path, _: &str, _: &[String; 2], _: &MatchArgs) -> Result<Self> {
        Err(not_built_in("SQLite files", "sqlite"))
    }

    pub(super) fn add(&mut self, _: &GameRecord) -> Result<()> {
        match *self {}
    }

    pub(super) fn finish(&mut self) -> Result<()> {
        match *self {}
    }
}
