//! Errors of tables and checkpoints.

use std::io;
use std::path::{Path, PathBuf};

use hindsight_core::Value;
use hindsight_engine::checkpoint::{CheckpointError, Damage};

/// Error of writing, opening, reading or checking a table or a checkpoint.
///
/// A system error is the `source()`, not a part of the text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// A file could not be read or written, for example because the disk is full.
    #[error("cannot {doing} {}", path.display())]
    File {
        /// The action: `read`, `write`, ..
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The bytes of a table could not be read or written.
    #[error("cannot {doing}")]
    Io {
        /// The action: `read`, `write`, ..
        doing: &'static str,
        /// Error of the system.
        source: io::Error,
    },
    /// The file does not begin with the magic bytes of a table.
    #[error("not a Hindsight table")]
    NotATable,
    /// The table has an unknown format version.
    #[error("format version {found}, this program reads versions {oldest} to {newest}")]
    Version {
        /// Version of the file.
        found: u32,
        /// Oldest version that this program reads.
        oldest: u32,
        /// Version that this program writes, the newest that it reads.
        newest: u32,
    },
    /// The bytes differ from a writer's: bits flipped, bytes missing, or never a table.
    #[error("damaged: {0}")]
    Damaged(String),
    /// The folder of the checkpoint is missing, in use, of another work, or cannot be written.
    #[error(transparent)]
    Checkpoint(CheckpointError),
    /// The table or checkpoint has another content.
    #[error("the layout '{found}' keeps {}, not {}", found.content_name(), wanted.content_name())]
    OtherContent {
        /// A layout with the content asked for.
        wanted: crate::Layout,
        /// Layout of the table or checkpoint.
        found: crate::Layout,
    },
    /// A layer has more than 256 different symbols.
    #[error("layer {layer} has {symbols} different values and moves, a table can store 256")]
    TooManySymbols {
        /// The layer.
        layer: u32,
        /// Number of symbols.
        symbols: usize,
    },
    /// A layer is missing.
    #[error("layer {0} is missing")]
    MissingLayer(u32),
    /// A solver's layer does not belong to the game.
    #[error("layer {layer} does not fit the game: {reason}")]
    Unfit {
        /// The layer.
        layer: u32,
        /// The difference.
        reason: &'static str,
    },
    /// A solver's value contradicts the rules.
    #[error("tier {tier} rank {rank} is said to be {solver_value:?}; the rules give {rule_value}")]
    Contradiction {
        /// The tier.
        tier: u64,
        /// The rank.
        rank: u64,
        /// The solver's value.
        solver_value: Option<Value>,
        /// The value by the rules.
        rule_value: Value,
    },
    /// A layer and its successor layers need more memory than allowed.
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
    /// A second solve, by which a table is verified, did not decide every position: it did not
    /// begin, or failed, for example because a game is longer than its solver can store.
    #[error("the game was not solved again")]
    NotSolved,
    /// The time limit is exceeded.
    #[error("out of time at {positions} positions")]
    Time {
        /// Positions checked so far.
        positions: u64,
    },
    /// The monitor asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<CheckpointError> for TableError {
    fn from(error: CheckpointError) -> Self {
        match error {
            CheckpointError::Damaged(damage) => damage.into(),
            error => Self::Checkpoint(error),
        }
    }
}

impl From<Damage> for TableError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage.0)
    }
}

impl TableError {
    /// Returns true if the bytes that were read are at fault, not the call or the machine. A check
    /// of a file reports such an error as a fault of the file.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::NotATable | Self::Damaged(_) | Self::Version { .. } => true,
            Self::Io { source, .. } => source.kind() == io::ErrorKind::UnexpectedEof,
            _ => false,
        }
    }

    /// The error and its causes, separated by colons.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let first: &dyn std::error::Error = self;
        let chain = std::iter::successors(Some(first), |error| error.source());
        let texts: Vec<String> = chain.map(ToString::to_string).collect();
        texts.join(": ")
    }

    pub(crate) fn damaged(description: impl Into<String>) -> Self {
        Self::Damaged(description.into())
    }

    pub(crate) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { doing, path: path.to_path_buf(), source }
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
            assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::StorageFull));
            assert_eq!(error.with_causes(), format!("{text}: no space left"));
        }
        assert!(TableError::Stopped.source().is_none());
    }
}
