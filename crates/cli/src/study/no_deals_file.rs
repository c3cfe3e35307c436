//! In the place of the file of deals, in a program that is built without SQLite.

use anyhow::{Result, bail};
use hindsight_study::Keep;
use hindsight_study::onitama_deals::Deal;

use super::folder::Folder;

/// A file of deals, which there never is.
pub(super) enum Deals {}

impl Deals {
    /// Refuses every folder.
    pub(super) fn open(_: Folder) -> Result<Self> {
        bail!(
            "deals are kept in an SQLite file, and this program was built without; its feature 'sqlite' adds it"
        )
    }
}

impl Keep<Deal> for Deals {
    fn read(&self, _: &str) -> Result<Vec<Deal>, String> {
        match *self {}
    }

    fn add(&self, _: &str, _: &Deal) -> Result<(), String> {
        match *self {}
    }
}
