//! Files of a solve by [`Options`]: the new table and the folder of its layers.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use hindsight_engine::Error;
use hindsight_engine::checkpoint::{BlobFolder, name_new_file, sync_file, sync_folder};
use hindsight_tablebase::TableError;
use tempfile::{Builder, NamedTempFile, TempDir};

use super::folder::SolveFolder;
use super::options::Options;
use crate::error::GamesError;

/// Start of the name of a folder of layers.
const PREFIX: &str = ".hindsight-";

/// Files of a solve.
pub(crate) struct TaskFiles {
    checkpoint: Option<PathBuf>,
    resume: bool,
    /// See [`SolveFolder::limit_as_begun`].
    limit_as_begun: bool,
    table: Option<NewTable>,
    /// Folder of finished layers, removed at the end, if there is a table and no checkpoint.
    layers: Option<TempDir>,
}

/// Table that gets its name when it is complete.
struct NewTable {
    path: PathBuf,
    file: NamedTempFile,
}

impl TaskFiles {
    /// Makes the files. A table lies beside its name, at which there must be no file.
    pub(crate) fn create(options: &Options) -> Result<Self, GamesError> {
        let checkpoint = options.checkpoint.clone();
        if options.resume && checkpoint.is_none() {
            return Err(GamesError::NoCheckpoint);
        }
        let has_begun = checkpoint.as_deref().is_some_and(BlobFolder::is_checkpoint);
        let mut files = Self {
            checkpoint,
            resume: options.resume && has_begun,
            limit_as_begun: options.memory.is_none(),
            table: None,
            layers: None,
        };
        if let Some(path) = &options.table {
            let made = files.make_table(path);
            made.map_err(|source| GamesError::unwritable(path, source))?;
        }
        Ok(files)
    }

    fn make_table(&mut self, path: &Path) -> io::Result<()> {
        if path.try_exists()? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        // As the command names them, so that it can tell of one that a killed process has left.
        let mut prefix = path.file_name().unwrap_or_default().to_os_string();
        prefix.push(".");
        let file = Builder::new()
            .prefix(&prefix)
            .suffix(".partial")
            // As any new file: the rest is left to the process.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        // A lock tells that this process is at work; it is not needed.
        let _ = file.as_file().try_lock();
        self.table = Some(NewTable { path: path.to_path_buf(), file });
        if self.checkpoint.is_none() {
            self.layers = Some(Builder::new().prefix(PREFIX).suffix(".layers").tempdir_in(folder)?);
        }
        Ok(())
    }

    /// Returns the folder of the task and the destination of its table.
    pub(crate) fn parts(&mut self) -> (Option<SolveFolder<'_>>, Option<&mut dyn Write>) {
        let layers = self.layers.as_ref().map(TempDir::path);
        let folder = self.checkpoint.as_deref().or(layers);
        let folder = folder.map(|path| SolveFolder {
            path,
            resume: self.resume,
            is_checkpoint: self.checkpoint.is_some(),
            limit_as_begun: self.limit_as_begun,
        });
        let table = self.table.as_mut();
        (folder, table.map(|table| &mut table.file as &mut dyn Write))
    }

    /// Returns an error of the solve, with the name of the table if its file failed.
    pub(crate) fn explain(&self, error: GamesError) -> GamesError {
        let Some(table) = &self.table else {
            return error;
        };
        let is_in_layers = |path: &Path| {
            let layers = self.layers.as_ref();
            layers.is_some_and(|layers| path.starts_with(layers.path()))
        };
        match error {
            GamesError::Output(source) => GamesError::unwritable(&table.path, source),
            // The user knows no folder of layers.
            GamesError::Checkpoint(TableError::File { path, source, .. })
                if is_in_layers(&path) =>
            {
                GamesError::unwritable(&table.path, source)
            }
            GamesError::Solve(Error::Store(error)) => match error.downcast::<TableError>() {
                Ok(error) => match *error {
                    TableError::File { path, source, .. } if is_in_layers(&path) => {
                        GamesError::unwritable(&table.path, source)
                    }
                    error => GamesError::Solve(Error::Store(error.into())),
                },
                Err(error) => GamesError::Solve(Error::Store(error)),
            },
            error => error,
        }
    }

    /// Gives the table its name.
    ///
    /// # Errors
    /// [`GamesError::KeptElsewhere`] if that fails: the table keeps another name.
    pub(crate) fn finish(self) -> Result<(), GamesError> {
        let Some(NewTable { path, file }) = self.table else {
            return Ok(());
        };
        let own = file.path().to_path_buf();
        let synced = sync_file(file.as_file());
        // From here on the table is complete, and nothing removes it.
        let kept = file.keep().map_or(own, |(_, kept)| kept);
        match synced.and_then(|()| name_new_file(&kept, &path)) {
            Ok(()) => {
                // The table is there; only a loss of power could undo its name.
                let _ = sync_folder(path.parent().unwrap_or(Path::new("")));
                Ok(())
            }
            Err(source) => Err(GamesError::KeptElsewhere { path, kept, source }),
        }
    }
}
