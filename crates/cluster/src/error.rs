//! Errors of a solve in several processes.

use std::sync::Arc;

use hindsight_engine::Error;
use hindsight_engine::checkpoint::{CheckpointError, Damage};
use hindsight_tablebase::TableError;

/// Turns the sentence of an error of this process into that which the others hear.
pub type Reword = Arc<dyn Fn(String) -> String + Send + Sync>;

/// Reason why a solve in several processes was not begun, or ended without an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The processes do not fit together, or one of them cannot begin. A sentence that names the
    /// difference. Nothing was begun.
    #[error("{0}")]
    Refused(String),
    /// Another process ended or failed. A sentence that names it.
    #[error("{0}")]
    Lost(String),
    /// A process cannot be reached, or an address cannot be listened on.
    #[error("{0}")]
    Unreachable(String),
    /// This process has failed, for this reason.
    #[error("{0}")]
    Failed(String),
    /// The solve failed in this process.
    #[error(transparent)]
    Solve(#[from] Error),
    /// A table could not be written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A checkpoint could not be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

impl ClusterError {
    /// Error of bytes from another process that make no sense.
    pub(crate) fn damaged(damage: Damage) -> Self {
        Self::Lost(format!("another process sent bytes that make no sense: {damage}"))
    }

    /// Text of the error with its causes.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            text.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        text
    }
}

impl From<Damage> for ClusterError {
    fn from(damage: Damage) -> Self {
        Self::Checkpoint(damage.into())
    }
}
