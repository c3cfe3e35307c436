//! The kind of an output, found before anything is written.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::identity::{FileIdentity, STDOUT, is_stdout};

/// A path that may be written to.
#[derive(Debug)]
pub(super) enum Target {
    /// An ordinary file: new, or one that may be replaced.
    File { path: PathBuf, replaced: Option<FileIdentity> },
    /// A pipe or a device.
    Stream,
    /// Standard output.
    Stdout,
}

impl Target {
    /// Examines a path. `force` allows an existing file.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub(super) fn at(path: &Path, force: bool) -> Result<Self> {
        let name = path.display();
        if is_stdout(path) {
            return Ok(Self::Stdout);
        }
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Self::new_file(path);
            }
            Err(error) => return Err(error).with_context(|| format!("cannot write '{name}'")),
        };
        if metadata.is_dir() {
            bail!("'{name}' is a folder; name a file");
        }
        let kind = metadata.file_type();
        if kind.is_fifo() || kind.is_char_device() {
            if FileIdentity::of_stderr() == Some(FileIdentity::of(&metadata)) {
                bail!("'{name}' is where errors and progress go; choose another name");
            }
            return Ok(Self::Stream);
        }
        if !metadata.is_file() {
            bail!("'{name}' is no file, pipe or terminal; choose another name");
        }
        if !force {
            bail!("'{name}' exists; choose another name or add --force");
        }
        // The target of a link is replaced, so that the link stays one.
        let path = path.canonicalize();
        Ok(Self::File {
            path: path.with_context(|| format!("cannot write '{name}'"))?,
            replaced: Some(FileIdentity::of(&metadata)),
        })
    }

    /// Examines the path of a file that does not exist.
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
            bail!("cannot write '{name}': there is no folder '{}'", folder.display());
        }
        if path.file_name().is_none() {
            bail!("'{name}' is no file name");
        }
        Ok(Self::File { path: path.to_owned(), replaced: None })
    }

    /// Returns the path of an ordinary file, and the file that may be replaced.
    ///
    /// # Errors
    /// When the target is a stream; `contents` is what the file would hold.
    pub(super) fn file(
        self,
        path: &Path,
        contents: &str,
    ) -> Result<(PathBuf, Option<FileIdentity>)> {
        match self {
            Self::File { path, replaced } => Ok((path, replaced)),
            Self::Stdout if path == Path::new(STDOUT) => {
                bail!("'-' is standard output; {contents} goes into a file")
            }
            Self::Stdout => bail!(
                "'{}' is standard output, which has the answer; {contents} goes into a file",
                path.display()
            ),
            Self::Stream => {
                bail!("'{}' is a pipe or a device; {contents} goes into a file", path.display())
            }
        }
    }
}
