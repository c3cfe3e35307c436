//! Stand-in for the database of deals in a program that is built without SQLite.

use anyhow::{Result, bail};
use hindsight_study::ResultStore;
use hindsight_study::onitama_deals::DealResult;

use super::folder::StudyFolder;

/// File of deals; without SQLite there is none.
pub(super) enum DealDatabase {}

impl DealDatabase {
    /// Refuses every folder.
    pub(super) fn open(_: StudyFolder) -> Result<Self> {
        bail!(
            "deals are kept in an SQLite file, and this program was built without; \
             its feature 'sqlite' adds it"
        )
    }
}

impl ResultStore<DealResult> for DealDatabase {
    fn read(&self, _: &str) -> Result<Vec<DealResult>, String> {
        match *self {}
    }

    fn add(&self, _: &str, _: &DealResult) -> Result<(), String> {
        match *self {}
    }
}
