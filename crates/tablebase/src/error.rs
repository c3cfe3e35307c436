use std::io;
use std::path::{Path, PathBuf};

use hindsight_core::Value;

/// Why a table or a checkpoint could not be written, opened, read or checked. The
/// words of the system are the source of an error, not a part of its text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// A file could not be read or written; a full disk is told here.
    #[error("cannot {doing} {}", path.display())]
    File {
        /// What was asked: `read`, `write`, ..
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The bytes of a table could not be read or written.
    #[error("cannot {doing}")]
    Io {
        /// What was asked.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The file does not begin as a table does.
    #[error("not a Hindsight table")]
    NotATable,
    /// The table or checkpoint is of a format that this program does not know.
    #[error("format version {found}, this program reads version {known}")]
    Version {
        /// The version found.
        found: u64,
        /// The version known.
        known: u32,
    },
    /// Bytes are not as they were written: flipped, cut, or never those of a table.
    #[error("damaged: {0}")]
    Damaged(String),
    /// The folder holds no checkpoint.
    #[error("{} is not a checkpoint", .0.display())]
    NotACheckpoint(PathBuf),
    /// The folder holds a checkpoint already.
    #[error("{} holds a checkpoint already: resume it or remove it", .0.display())]
    CheckpointExists(PathBuf),
    /// Another process uses the folder.
    #[error("'{}' is in use by {}: wait for it, stop it, or name another folder", folder.display(), holder(process))]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// The number of the process, where it is known.
        process: Option<u32>,
    },
    /// A file of another program is in the way; it was left alone.
    #[error("'{}' is in the way, and is not of this work: name another folder", .0.display())]
    Foreign(PathBuf),
    /// The checkpoint is of another game.
    #[error("the checkpoint is of '{found}', not of '{wanted}'")]
    OtherSpec {
        /// The game asked for.
        wanted: String,
        /// The game of the checkpoint.
        found: String,
    },
    /// The checkpoint is of another layout.
    #[error("the checkpoint has the layout '{found}', not '{wanted}'")]
    OtherLayout {
        /// The layout asked for.
        wanted: crate::Layout,
        /// The layout of the checkpoint.
        found: crate::Layout,
    },
    /// The table or checkpoint keeps something else than what is asked for.
    #[error("the layout '{found}' keeps {}, not {}", found.content_name(), wanted.content_name())]
    OtherContent {
        /// A layout that would do.
        wanted: crate::Layout,
        /// The layout of the table or checkpoint.
        found: crate::Layout,
    },
    /// A layer has more different values and moves than a table can tell apart.
    #[error("layer {layer} has {symbols} different values and ways, a table can keep 256")]
    TooManySymbols {
        /// The layer.
        layer: u32,
        /// How many it has.
        symbols: usize,
    },
    /// A layer is not there.
    #[error("layer {0} is missing")]
    MissingLayer(u32),
    /// A layer from a solver is not one of the game.
    #[error("layer {layer} does not fit the game: {reason}")]
    Unfit {
        /// The layer.
        layer: u32,
        /// What does not fit.
        reason: &'static str,
    },
    /// A solver's value differs from what the rules say at once.
    #[error("tier {tier} rank {rank} is said to be {said:?}; the rules give {given}")]
    Contradiction {
        /// The tier.
        tier: u64,
        /// The rank.
        rank: u64,
        /// The value the solver gave.
        said: Option<Value>,
        /// The value the rules give.
        given: Value,
    },
    /// A layer and those it leads to take more memory than allowed.
    #[error(
        "layer {layer} needs {needed} bytes of memory with those it leads to, {limit} are allowed"
    )]
    Memory {
        /// The layer.
        layer: u32,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The time allowed is over.
    #[error("out of time at {positions} positions")]
    Time {
        /// Positions checked.
        positions: u64,
    },
    /// The monitor asked to stop.
    #[error("stopped")]
    Stopped,
}

/// A process by its number.
fn holder(process: &Option<u32>) -> String {
    match process {
        Some(number) => format!("process {number}"),
        None => String::from("another process"),
    }
}

impl TableError {
    /// Whether the fault lies in the bytes that were read, as against the call or the machine: what
    /// a check of a file answers with "no".
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::NotATable | Self::Damaged(_) | Self::Version { .. } => true,
            Self::Io { source, .. } => source.kind() == io::ErrorKind::UnexpectedEof,
            _ => false,
        }
    }

    /// The error and its causes, each behind a colon.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let first: &dyn std::error::Error = self;
        let chain = std::iter::successors(Some(first), |error| error.source());
        let texts: Vec<String> = chain.map(ToString::to_string).collect();
        texts.join(": ")
    }

    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged(what.into())
    }

    pub(crate) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            doing,
            path: path.to_path_buf(),
            source,
        }
    }

    pub(crate) fn io(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, source }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::io;
    use std::path::Path;

    use super::TableError;

    #[test]
    fn the_words_of_the_system_are_the_source() {
        let full = || io::Error::new(io::ErrorKind::StorageFull, "no space left");
        let file = TableError::file("write", Path::new("a.table"))(full());
        let bytes = TableError::io("read")(full());
        for (error, text) in [(file, "cannot write a.table"), (bytes, "cannot read")] {
            assert_eq!(error.to_string(), text);
            let source = error.source().and_then(|source| source.downcast_ref());
            assert_eq!(
                source.map(io::Error::kind),
                Some(io::ErrorKind::StorageFull)
            );
            assert_eq!(error.with_causes(), format!("{text}: no space left"));
        }
        assert!(TableError::Stopped.source().is_none());
    }
}
