//! Stand-in for [`MatchDatabase`] in a program that is built without SQLite files.

use std::path::Path;

use anyhow::Result;
use hindsight_play::GameRecord;

use crate::args::AgentGamesArgs;
use crate::process::exit::not_built_in;

/// Matches in a file; without the feature there are none.
pub(crate) enum MatchDatabase {}

/// Refuses every file.
pub(crate) fn check(_: &Path, _: &AgentGamesArgs, _: u64) -> Result<()> {
    Err(not_built_in("SQLite files", "sqlite"))
}

impl MatchDatabase {
    pub(crate) fn begin(
        _: &Path,
        _: &str,
        _: impl IntoIterator<Item = [String; 2]>,
        _: &AgentGamesArgs,
        _: u64,
    ) -> Result<Self> {
        Err(not_built_in("SQLite files", "sqlite"))
    }

    pub(crate) fn add(&mut self, _: &GameRecord) -> Result<()> {
        match *self {}
    }

    pub(crate) fn finish(&mut self) -> Result<()> {
        match *self {}
    }
}
