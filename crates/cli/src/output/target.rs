//! Where an output goes, looked at before anything is written.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::identity::{FileIdentity, STDOUT, is_stdout};

/// A place that may be written to.
#[derive(Debug)]
pub(super) enum Target {
    /// A file that is not there, or one that may be replaced.
    File {
        path: PathBuf,
        replaced: Option<FileIdentity>,
    },
    /// A pipe or a device.
    Stream,
    /// Standard output.
    Stdout,
}

impl Target {
    /// Looks at a place. `force` allows a file that exists.
    pub(super) fn at(path: &Path, force: bool) -> Result<Self> {
        let name = path.display();
        if is_stdout(path) {
            return Ok(Self::Stdout);
        }
        let found = match path.metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Self::new_file(path);
            }
            Err(error) => return Err(error).with_context(|| format!("cannot write '{name}'")),
        };
        if found.is_dir() {
            bail!("'{name}' is a folder; name a file");
        }
        let kind = found.file_type();
        if kind.is_fifo() || kind.is_char_device() {
            if FileIdentity::of_stderr() == Some(FileIdentity::of(&found)) {
                bail!("'{name}' is where errors and progress go; choose another name");
            }
            return Ok(Self::Stream);
        }
        if !found.is_file() {
            bail!("'{name}' is no file, pipe or terminal; choose another name");
        }
        if !force {
            bail!("'{name}' exists; choose another name or add --force");
        }
        // Through a link, so that it stays one.
        let path = path.canonicalize();
        Ok(Self::File {
            path: path.with_context(|| format!("cannot write '{name}'"))?,
            replaced: Some(FileIdentity::of(&found)),
        })
    }

    /// Of what is not there.
    fn new_file(path: &Path) -> Result<Self> {
        let name = path.display();
        if path.symlink_metadata().is_ok() {
            bail!("'{name}' is a link to nothing; choose another name");
        }
        if path.as_os_str().as_bytes().ends_with(b"/") {
            bail!("'{name}' names a folder, which is not there; name a file");
        }
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!(
                "cannot write '{name}': there is no folder '{}'",
                folder.display()
            );
        }
        if path.file_name().is_none() {
            bail!("'{name}' is no file name");
        }
        Ok(Self::File {
            path: path.to_owned(),
            replaced: None,
        })
    }

    /// The place of an ordinary file.
    ///
    /// # Errors
    /// When it is a stream: `what` says why that does not do.
    pub(super) fn file(self, path: &Path, what: &str) -> Result<(PathBuf, Option<FileIdentity>)> {
        match self {
            Self::File { path, replaced } => Ok((path, replaced)),
            Self::Stdout if path == Path::new(STDOUT) => {
                bail!("'-' is standard output; {what} goes into a file")
            }
            Self::Stdout => bail!(
                "'{}' is standard output, which has the answer; {what} goes into a file",
                path.display()
            ),
            Self::Stream => bail!(
                "'{}' is a pipe or a device; {what} goes into a file",
                path.display()
            ),
        }
    }
}
