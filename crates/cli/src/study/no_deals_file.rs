//! Stand-in for the database of deals in a program that is built without SQLite.

use std::path::Path;

use anyhow::{Error, Result};
use hindsight_study::ResultStore;
use hindsight_study::onitama_deals::DealResult;

use super::folder::StudyFolder;
use crate::process::exit::not_built_in;

fn no_sqlite() -> Error {
    not_built_in("SQLite files, which keep deals", "sqlite")
}

/// File of deals; without SQLite there is none.
pub(super) enum DealDatabase {}

impl DealDatabase {
    /// Refuses every folder.
    pub(super) fn open(_: StudyFolder) -> Result<Self> {
        Err(no_sqlite())
    }

    pub(super) fn write(&self, _: &str, _: &str) -> Result<()> {
        match *self {}
    }

    pub(super) fn add_all(&self, _: &str, _: &[DealResult]) -> Result<()> {
        match *self {}
    }
}

/// Refuses every folder.
pub(super) fn read_deals(_: &Path, _: &str) -> Result<Vec<DealResult>> {
    Err(no_sqlite())
}

impl ResultStore<DealResult> for DealDatabase {
    fn read(&self, _: &str) -> Result<Vec<DealResult>, String> {
        match *self {}
    }

    fn add(&self, _: &str, _: &DealResult) -> Result<(), String> {
        match *self {}
    }
}
