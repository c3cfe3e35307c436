//! A file that grows line by line under its final name, so that its lines survive a kill.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::file::{cannot_write, name_in_error, stdout};
use super::target::Target;
use crate::process::temporary::{MadePath, TemporaryPath};

/// A file to which each line is written at once.
#[derive(Debug)]
pub(crate) struct LiveFile {
    file: File,
    /// Path as the user typed it.
    user_path: PathBuf,
    state: LiveState,
}

/// The state of a live file.
#[derive(Debug)]
enum LiveState {
    /// Created by this program; removed if nothing is written.
    Created(PathBuf, #[expect(dead_code, reason = "it is held, not read")] TemporaryPath),
    /// Existed before; emptied by the first line.
    Existing,
    /// Existed before; its last line gets its line break before the first one that is added.
    Unended,
    /// Holds lines of this program, or is a stream.
    Written,
}

impl LiveFile {
    /// Opens a stream or a file. An existing file needs `force`, and keeps its contents until the
    /// first line.
    ///
    /// # Errors
    /// When the file cannot be opened for writing, exists and `force` is false, or grows by another
    /// program of ours.
    pub(crate) fn open(path: &Path, force: bool) -> Result<Self> {
        let open = |path: &Path| File::options().write(true).open(path);
        let failed = || cannot_write(path);
        let (file, state) = match Target::at(path, force)? {
            Target::Stdout => (stdout().with_context(failed)?, LiveState::Written),
            // Opening a named pipe waits for its reader.
            Target::Stream => (open(path).with_context(failed)?, LiveState::Written),
            Target::File { path: existing, replaced: Some(_) } => {
                (open(&existing).with_context(failed)?, LiveState::Existing)
            }
            Target::File { path: new, replaced: None } => {
                // If two programs create the file at the same time, one of them fails here.
                let made = TemporaryPath::make(|| File::create_new(&new), |_| new.clone());
                let MadePath { made, temporary } = made.with_context(failed)?;
                (made, LiveState::Created(new, temporary))
            }
        };
        if !lock(&file) {
            bail!("{}: another run writes to it", cannot_write(path));
        }
        Ok(Self { file, user_path: path.to_owned(), state })
    }

    /// Opens an existing file to add lines behind its own.
    ///
    /// # Errors
    /// When the file cannot be opened for writing, or grows by another program of ours.
    pub(crate) fn append(path: &Path) -> Result<Self> {
        let failed = || cannot_write(path);
        let file = File::options().read(true).append(true).open(path);
        let mut file = file.with_context(failed)?;
        if !lock(&file) {
            bail!("{}: another run writes to it", cannot_write(path));
        }
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(-1)).is_ok() {
            file.read_exact(&mut last).with_context(failed)?;
        }
        let state = if last == *b"\n" { LiveState::Written } else { LiveState::Unended };
        Ok(Self { file, user_path: path.to_owned(), state })
    }

    /// Cuts off the end of a file, which must exist, unless it grows by a program of ours. Returns
    /// true if it was cut.
    ///
    /// # Errors
    /// When the file cannot be written to.
    pub(crate) fn cut(path: &Path, length: u64) -> Result<bool> {
        let failed = || cannot_write(path);
        let file = File::options().write(true).open(path).with_context(failed)?;
        let may_be_cut = lock(&file);
        if may_be_cut {
            file.set_len(length).with_context(failed)?;
        }
        Ok(may_be_cut)
    }

    /// Appends a line, which must end with a line break.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        let written = self.end_old().and_then(|()| self.file.write_all(line.as_bytes()));
        written.map_err(|error| name_in_error(&self.user_path, error))
    }

    /// Removes the old contents of an existing file, or ends their last line, once.
    fn end_old(&mut self) -> io::Result<()> {
        match self.state {
            LiveState::Existing => self.file.set_len(0)?,
            LiveState::Unended => self.file.write_all(b"\n")?,
            LiveState::Created(..) | LiveState::Written => {}
        }
        self.state = LiveState::Written;
        Ok(())
    }
}

/// Takes the lock of a file for as long as the file is open. Returns false if another program has
/// it. Streams, and file systems without locks, have none.
fn lock(file: &File) -> bool {
    let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
    !is_file || !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        if let LiveState::Created(path, _) = &self.state {
            // Ignored: an empty file that stays is harmless.
            let _ = fs::remove_file(path);
        }
    }
}
