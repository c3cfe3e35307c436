//! A file that grows line by line under its own name, so that what was written is there after a kill.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::file::{cannot_write, named, stdout};
use super::target::Target;
use crate::temporary::Temporary;

/// Takes lines, and writes each at once.
#[derive(Debug)]
pub(crate) struct LiveFile {
    file: File,
    /// As the user named it.
    named: PathBuf,
    begun: Begun,
}

/// The state of a file.
#[derive(Debug)]
enum Begun {
    /// It was made here, and goes if nothing is written.
    Made(
        PathBuf,
        #[expect(dead_code, reason = "it is held, not read")] Temporary,
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
        let (file, begun) = match Target::at(path, force)? {
            Target::Stdout => (stdout().with_context(failed)?, Begun::Written),
            // Waits for the reader of a named pipe.
            Target::Stream => (open(path).with_context(failed)?, Begun::Written),
            Target::File {
                path: found,
                replaced: Some(_),
            } => (open(&found).with_context(failed)?, Begun::Found),
            Target::File {
                path: new,
                replaced: None,
            } => {
                // Of two programs that make it at the same time one fails.
                let file = File::create_new(&new).with_context(failed)?;
                let swept = Temporary::new(&new);
                (file, Begun::Made(new, swept))
            }
        };
        Ok(Self {
            file,
            named: path.to_owned(),
            begun,
        })
    }

    /// Adds a line, which ends with a line break.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        let written = self
            .empty()
            .and_then(|()| self.file.write_all(line.as_bytes()));
        written.map_err(|error| named(&self.named, error))
    }

    /// Completes the file; it stays also if it has no line.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.empty().map_err(|error| named(&self.named, error))
    }

    fn empty(&mut self) -> io::Result<()> {
        if let Begun::Found = self.begun {
            self.file.set_len(0)?;
        }
        self.begun = Begun::Written;
        Ok(())
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        if let Begun::Made(path, _) = &self.begun {
            // An empty file that stays harms nobody.
            let _ = fs::remove_file(path);
        }
    }
}
