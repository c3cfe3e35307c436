//! Files compared by device and inode, not by path.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// The path that stands for standard output.
pub(crate) const STDOUT: &str = "-";

/// The identity of a file, independent of the path to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino() }
    }

    /// Returns the identity of the file that a path leads to, through links; `None` if there is
    /// none.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        path.metadata().ok().as_ref().map(Self::of)
    }

    /// Returns the identity of an open file. `None` for the null device, to which several outputs
    /// may go.
    fn of_open(open: &impl AsFd) -> Option<Self> {
        let file = open.as_fd().try_clone_to_owned().ok()?;
        let identity = Self::of(&File::from(file).metadata().ok()?);
        (Some(identity) != Self::at(Path::new("/dev/null"))).then_some(identity)
    }

    /// Returns the identity of standard output.
    pub(crate) fn of_stdout() -> Option<Self> {
        Self::of_open(&io::stdout())
    }

    /// Returns the identity of standard error.
    pub(crate) fn of_stderr() -> Option<Self> {
        Self::of_open(&io::stderr())
    }
}

/// Returns true if a path leads to standard output, as `-` or as the same file.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new(STDOUT)
        || FileIdentity::of_stdout().is_some_and(|stdout| FileIdentity::at(path) == Some(stdout))
}

/// Returns true if standard output is a certain open file.
pub(crate) fn is_stdout_file(metadata: &Metadata) -> bool {
    FileIdentity::of_stdout() == Some(FileIdentity::of(metadata))
}

/// A file that a command reads or writes, with its role for errors.
#[derive(Clone, Debug)]
pub(crate) struct NamedFile<'a> {
    /// Option or input that names the file, such as `--out` or `the table`.
    role: &'a str,
    path: &'a Path,
}

impl<'a> NamedFile<'a> {
    pub(crate) fn new(role: &'a str, path: &'a Path) -> Self {
        Self { role, path }
    }

    /// Returns the file of an optional path.
    pub(crate) fn optional(role: &'a str, path: Option<&'a PathBuf>) -> Option<Self> {
        path.map(|path| Self::new(role, path))
    }

    /// Returns true if both are the same file, existing or not.
    fn is_same(&self, other: &Self) -> bool {
        if is_stdout(self.path) || is_stdout(other.path) {
            return is_stdout(self.path) && is_stdout(other.path);
        }
        match (FileIdentity::at(self.path), FileIdentity::at(other.path)) {
            (Some(first), Some(second)) => {
                first == second && Some(first) != FileIdentity::at(Path::new("/dev/null"))
            }
            (None, None) => future_path(self.path) == future_path(other.path),
            _ => false,
        }
    }
}

/// Folder that a path is in; `.` for a bare file name.
pub(crate) fn parent_folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// Returns the path that a file would have once it exists: its canonical folder and its name.
fn future_path(path: &Path) -> Option<PathBuf> {
    let folder = parent_folder(path).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

/// Refuses an output that is the same file as an input or another output, links of all kinds
/// included.
pub(crate) fn check_distinct(inputs: &[NamedFile<'_>], outputs: &[NamedFile<'_>]) -> Result<()> {
    for (i, output) in outputs.iter().enumerate() {
        let others = inputs.iter().chain(&outputs[..i]);
        if let Some(same) = others.into_iter().find(|other| other.is_same(output)) {
            bail!(
                "{} and {} name the same file '{}'",
                same.role,
                output.role,
                output.path.display()
            );
        }
    }
    Ok(())
}
