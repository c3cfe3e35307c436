//! A file that grows line by line under its own name, so that what was written is there after a kill.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::file::{cannot_write, name_in_error, stdout};
use super::target::Target;
use crate::temporary::TemporaryPath;

/// Takes lines, and writes each at once.
#[derive(Debug)]
pub(crate) struct LiveFile {
    file: File,
    /// As the user named it.
    named: PathBuf,
    state: LiveState,
}

/// The state of a file.
#[derive(Debug)]
enum LiveState {
    /// It was made here, and goes if nothing is written.
    Made(
        PathBuf,
        #[expect(dead_code, reason = "it is held, not read")] TemporaryPath,
    ),
    /// It was there, and is emptied by the first line.
    Found,
    /// Lines are in it, or it is a stream.
    Written,
}

impl LiveFile {
    /// Opens a file, which must not be there unless `force` is given, or a stream. A file that is there
    /// keeps what it has until the first line is written.
    ///
    /// # Errors
    /// When it cannot be opened for writing, or exists.
    pub(crate) fn open(path: &Path, force: bool) -> Result<Self> {
        let open = |path: &Path| File::options().write(true).open(path);
        let failed = || cannot_write(path);
        let (file, state) = match Target::at(path, force)? {
            Target::Stdout => (stdout().with_context(failed)?, LiveState::Written),
            // Waits for the reader of a named pipe.
            Target::Stream => (open(path).with_context(failed)?, LiveState::Written),
            Target::File {
                path: found,
                replaced: Some(_),
            } => (open(&found).with_context(failed)?, LiveState::Found),
            Target::File {
                path: new,
                replaced: None,
            } => {
                // Of two programs that make it at the same time one fails.
                let file = File::create_new(&new).with_context(failed)?;
                let swept = TemporaryPath::new(&new);
                (file, LiveState::Made(new, swept))
            }
        };
        Ok(Self {
            file,
            named: path.to_owned(),
            state,
        })
    }

    /// Adds a line, which ends with a line break.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        let written = self
            .discard_old()
            .and_then(|()| self.file.write_all(line.as_bytes()));
        written.map_err(|error| name_in_error(&self.named, error))
    }

    /// Completes the file; it stays also if it has no line.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.discard_old()
            .map_err(|error| name_in_error(&self.named, error))
    }

    fn discard_old(&mut self) -> io::Result<()> {
        if let LiveState::Found = self.state {
            self.file.set_len(0)?;
        }
        self.state = LiveState::Written;
        Ok(())
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        if let LiveState::Made(path, _) = &self.state {
            // An empty file that stays harms nobody.
            let _ = fs::remove_file(path);
        }
    }
}
