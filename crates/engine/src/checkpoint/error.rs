//! Errors of checkpoints.

use std::io;
use std::path::{Path, PathBuf};

/// Bytes that differ from a writer's: bits flipped, bytes missing, or written by another program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("damaged: {0}")]
pub struct Damage(pub String);

/// Error of storing or resuming a checkpoint.
///
/// A system error is the `source()`, not a part of the text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A file could not be read or written, for example because the disk is full.
    #[error("cannot {doing} '{}'", path.display())]
    File {
        /// The action: `read`, `write`, ..
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A blob or the manifest is damaged.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// The folder contains no checkpoint.
    #[error("'{}' is not a checkpoint", .0.display())]
    NotACheckpoint(PathBuf),
    /// The folder already contains a checkpoint.
    #[error("'{}' holds a checkpoint already: resume it or remove it", .0.display())]
    Exists(PathBuf),
    /// Another version of the program made the checkpoint.
    #[error(
        "'{}' holds a checkpoint of format {found}, and this program goes on with format {known}: \
         finish it with the program that began it, or name another folder",
        folder.display()
    )]
    Format {
        /// The folder.
        folder: PathBuf,
        /// Format of the checkpoint.
        found: u64,
        /// Format that this program writes.
        known: u32,
    },
    /// The folder is in use, by this process or another.
    #[error("'{}' is in use by {}", folder.display(), holder_and_remedy(*process))]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// Number of the process, if known.
        process: Option<u32>,
    },
    /// A file of another program has a name that is needed. It was left alone.
    #[error("'{}' is in the way, and is not of this work: name another folder", .0.display())]
    Foreign(PathBuf),
    /// The checkpoint belongs to another game.
    #[error("the checkpoint is of '{found}', not of '{wanted}'")]
    OtherSpec {
        /// Spec of the game asked for.
        wanted: String,
        /// Spec of the checkpoint's game.
        found: String,
    },
    /// The checkpoint has another layout.
    #[error("the checkpoint has the layout '{found}', not '{wanted}'")]
    OtherLayout {
        /// Layout asked for.
        wanted: String,
        /// Layout of the checkpoint.
        found: String,
    },
}

/// Text that names a process, and says what to do.
fn holder_and_remedy(process: Option<u32>) -> String {
    let holder = match process {
        Some(number) if number == std::process::id() => {
            return String::from("this program: name another folder");
        }
        Some(number) => format!("process {number}"),
        None => String::from("another process"),
    };
    format!("{holder}: wait for it, stop it, or name another folder")
}

impl CheckpointError {
    /// Makes the error of an action on a file from an error of the system.
    pub fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { doing, path: path.to_path_buf(), source }
    }

    /// Makes the error of a damaged blob. `name` is that of the blob.
    #[must_use]
    pub fn damaged(name: &str, fault: &str) -> Self {
        Self::Damaged(Damage(format!("{name}: {fault}")))
    }
}

impl From<CheckpointError> for crate::Error {
    fn from(error: CheckpointError) -> Self {
        Self::Store(error.into())
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::{Path, PathBuf};

    use super::CheckpointError;

    #[test]
    fn paths_are_quoted() {
        let folder = || PathBuf::from("my work");
        let in_use = |process| CheckpointError::InUse { folder: folder(), process };
        for error in [
            CheckpointError::file("read", Path::new("my work"))(io::ErrorKind::Other.into()),
            CheckpointError::NotACheckpoint(folder()),
            CheckpointError::Exists(folder()),
            CheckpointError::Format { folder: folder(), found: 1, known: 2 },
            in_use(None),
            in_use(Some(1)),
            CheckpointError::Foreign(folder()),
        ] {
            assert!(error.to_string().contains("'my work'"), "{error}");
        }
    }
}
