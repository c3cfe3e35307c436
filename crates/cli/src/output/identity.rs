//! Files compared as files, not as names.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// The name of standard output among outputs.
pub(crate) const STDOUT: &str = "-";

/// A file of the system, under whichever of its names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    pub(crate) fn of(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
        }
    }

    /// Of the file that a path leads to, through links.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        path.metadata().ok().as_ref().map(Self::of)
    }

    /// Of an open file, such as standard output; none of the null device, into which everything may go.
    fn of_open(open: &impl AsFd) -> Option<Self> {
        let own = open.as_fd().try_clone_to_owned().ok()?;
        let own = Self::of(&File::from(own).metadata().ok()?);
        (Some(own) != Self::at(Path::new("/dev/null"))).then_some(own)
    }

    /// Of standard output.
    pub(crate) fn of_stdout() -> Option<Self> {
        Self::of_open(&io::stdout())
    }

    /// Of standard error.
    pub(crate) fn of_stderr() -> Option<Self> {
        Self::of_open(&io::stderr())
    }
}

/// True if an output is standard output, by its name or as a file.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new(STDOUT)
        || FileIdentity::of_stdout().is_some_and(|own| FileIdentity::at(path) == Some(own))
}

/// A file that a command reads or writes, and how the user calls it.
#[derive(Clone, Debug)]
pub(crate) struct NamedFile<'a> {
    /// Such as `--out`, or `the table`.
    role: &'a str,
    path: &'a Path,
}

impl<'a> NamedFile<'a> {
    pub(crate) fn new(what: &'a str, path: &'a Path) -> Self {
        Self { role: what, path }
    }

    /// One that may be missing.
    pub(crate) fn optional(what: &'a str, path: Option<&'a PathBuf>) -> Option<Self> {
        path.map(|path| Self::new(what, path))
    }

    fn is_same(&self, other: &Self) -> bool {
        if is_stdout(self.path) || is_stdout(other.path) {
            return is_stdout(self.path) && is_stdout(other.path);
        }
        match (FileIdentity::at(self.path), FileIdentity::at(other.path)) {
            (Some(own), Some(others)) => {
                own == others && Some(own) != FileIdentity::at(Path::new("/dev/null"))
            }
            (None, None) => future_path(self.path) == future_path(other.path),
            _ => false,
        }
    }
}

/// One path for all that lead to a file that is not there: that of its folder, and its name.
fn future_path(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

/// Refuses outputs that are the same file as an input, or as another output, links of all kinds included.
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
