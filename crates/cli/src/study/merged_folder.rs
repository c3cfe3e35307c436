//! Folder into which the parts of a study are put together.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_games::files::{make_folder, sync_folder};
use tempfile::{Builder, TempDir};

use super::answer::StudyOutcome;
use super::folder::has_files;
use crate::output::parent_folder;
use crate::process::signals::stopped;
use crate::process::temporary::{MadePath, TemporaryPath};

/// Folder that has another name beside its final one until `MergedFolder::finish`; dropped before
/// that, it is removed.
pub struct MergedFolder {
    target: PathBuf,
    unfinished: TempDir,
    _temporary: TemporaryPath,
}

/// Refuses the path of a folder that has files, or of anything else but a folder.
pub(super) fn check_free(target: &Path) -> Result<()> {
    let name = target.display();
    match target.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("cannot write '{name}'")),
        Ok(found) if !found.is_dir() => {
            bail!("'{name}' is no folder; name one that does not exist")
        }
        Ok(_) if has_files(target) => {
            bail!("'{name}' has files, and none is overwritten; name another folder")
        }
        Ok(_) => Ok(()),
    }
}

impl MergedFolder {
    /// Makes the folder under another name.
    pub fn begin(target: &Path) -> Result<Self> {
        check_free(target)?;
        let cannot_make = || format!("cannot make the folder '{}'", target.display());
        let parent = parent_folder(target);
        make_folder(parent).with_context(cannot_make)?;
        let mut prefix = target.file_name().unwrap_or_default().to_owned();
        prefix.push(".");
        let mut builder = Builder::new();
        // The user's mask (umask) removes some permissions, as for any new folder.
        let mask = Permissions::from_mode(0o777);
        builder.prefix(&prefix).suffix(".partial").permissions(mask);
        let made =
            TemporaryPath::make(|| builder.tempdir_in(parent), |folder| folder.path().to_owned());
        let MadePath { made, temporary } = made.with_context(cannot_make)?;
        Ok(Self { target: target.to_owned(), _temporary: temporary, unfinished: made })
    }

    /// Runs work in the folder. Its errors name the final folder.
    pub fn fill<T>(&self, work: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
        work(self.unfinished.path()).map_err(|error| self.name_target(error))
    }

    fn name_target(&self, error: anyhow::Error) -> anyhow::Error {
        let unfinished = self.unfinished.path().display().to_string();
        match format!("{error:#}") {
            text if text.contains(&unfinished) => {
                anyhow!(text.replace(&unfinished, &self.target.display().to_string()))
            }
            _ => error,
        }
    }

    /// Gives the folder its final name, unless the study in it failed or was stopped.
    pub fn finish_with(self, outcome: StudyOutcome) -> Result<StudyOutcome> {
        outcome.written.map_err(|error| self.name_target(error))?;
        if stopped() {
            return Err(hindsight_games::SolverError::Stopped.into());
        }
        self.finish()?;
        Ok(StudyOutcome { answer: outcome.answer, written: Ok(()) })
    }

    /// Gives the folder its final name.
    fn finish(self) -> Result<()> {
        let complete = self.unfinished.keep();
        fs::rename(&complete, &self.target).map_err(|error| {
            anyhow!(
                "cannot make the folder '{}': {error}; the result is in '{}'",
                self.target.display(),
                complete.display()
            )
        })?;
        if let Some(parent) = self.target.parent() {
            // A name that is not on the disk yet is no failure.
            let _ = sync_folder(parent);
        }
        Ok(())
    }
}
