//! Stand-in for the database of deals in a program that is built without SQLite.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_study::ResultStore;
use hindsight_study::onitama_deals::DealResult;

use super::folder::StudyFolder;

const NO_SQLITE: &str = "deals are kept in an SQLite file, and this program was built without; \
     its feature 'sqlite' adds it";

/// File of deals; without SQLite there is none.
pub(super) enum DealDatabase {}

impl DealDatabase {
    /// Refuses every folder.
    pub(super) fn open(_: StudyFolder) -> Result<Self> {
        bail!(NO_SQLITE)
    }

    pub(super) fn add_all(&self, _: &str, _: &[DealResult]) -> Result<()> {
        match *self {}
    }
}

/// Refuses every folder.
pub(super) fn read_deals(_: &Path, _: &str) -> Result<Vec<DealResult>> {
    bail!(NO_SQLITE)
}

impl ResultStore<DealResult> for DealDatabase {
    fn read(&self, _: &str) -> Result<Vec<DealResult>, String> {
        match *self {}
    }

    fn add(&self, _: &str, _: &DealResult) -> Result<(), String> {
        match *self {}
    }
}
