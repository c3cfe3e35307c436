//! Request for a solve.

use std::fmt;
use std::path::Path;

use hindsight_bitplanes::{OutOfCoreStage, PlaneStage};
use hindsight_core::Scope;
use hindsight_engine::checkpoint::{BlobFolder, Blobs, CheckpointError};
use hindsight_engine::{Limits, NullStore, Store};

use super::method::Method;
use crate::forward::{ForwardVariant, MoveOrder};
use crate::sorted;

/// Request for a solve.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Algorithm.
    pub method: Method,
    /// Set of positions that [`Method::Auto`] solves; `None` for the game's default. A table or a
    /// checkpoint asks for all positions.
    pub scope: Option<Scope>,
    /// Memory and time allowed.
    pub limits: Limits,
    /// Finished layers and unfinished work that are to be stored.
    pub storage: Storage<'a>,
    /// Values kept in memory for [`Solved::reader`](super::Solved::reader).
    pub kept_values: KeptValues,
    /// Variant of [`Method::Forward`].
    pub forward_variant: ForwardVariant,
    /// Number of positions that [`Method::Planes`] draws to check its values; 0 for no check.
    pub sample: u32,
}

impl Default for Request<'_> {
    /// [`Method::Auto`] without limits, stores and checks; values that fit are kept.
    fn default() -> Self {
        Self {
            method: Method::Auto,
            scope: None,
            limits: Limits::default(),
            storage: Storage::default(),
            kept_values: KeptValues::IfTheyFit,
            forward_variant: ForwardVariant::Best(MoveOrder::FewestReplies),
            sample: 0,
        }
    }
}

/// Values of tiers and states that stay in memory after a solve. Graphs always keep theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptValues {
    /// Values of a game of up to 2^24 ranks, for a line of best play.
    OfSmallGames,
    /// All values, if they fit into the memory beside the solver.
    IfTheyFit,
}

/// Finished layers and unfinished work that a solve is to store.
#[derive(Clone, Copy)]
pub struct Storage<'a> {
    /// True if finished layers go into a table.
    pub table: bool,
    /// True if unfinished work is stored, to be resumed.
    pub checkpoint: bool,
    /// Work that an earlier run has stored.
    pub started: StartedWork,
    /// Store of finished layers, or one that takes as much memory.
    pub layers: &'a dyn Store,
    /// Bytes of memory that a reachable position takes while a table of these is written, beside
    /// its layer.
    pub position_bytes: u64,
}

impl Default for Storage<'_> {
    /// Stores nothing.
    fn default() -> Self {
        Self {
            table: false,
            checkpoint: false,
            started: StartedWork::Nothing,
            layers: &NullStore,
            position_bytes: 0,
        }
    }
}

impl Storage<'_> {
    /// True if finished layers are stored.
    pub(super) fn has_layers(&self) -> bool {
        self.table || self.checkpoint
    }
}

impl fmt::Debug for Storage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Storage")
            .field("table", &self.table)
            .field("checkpoint", &self.checkpoint)
            .field("started", &self.started)
            .finish_non_exhaustive()
    }
}

/// Work that an earlier run has stored, as [`StartedWork::stored`] finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StartedWork {
    /// Nothing yet.
    #[default]
    Nothing,
    /// Finished layers, and no planes.
    Layers,
    /// Sorted positions of a graph.
    Reached,
    /// Planes of a solve in memory.
    Planes,
    /// Tiles of an out-of-core solve with this number of slices.
    Slices(u64),
}

impl StartedWork {
    /// True if planes were begun, which tiers cannot go on with.
    pub(super) fn has_planes(self) -> bool {
        matches!(self, Self::Planes | Self::Slices(_))
    }

    /// Returns the planes that a checkpoint holds, or [`StartedWork::Nothing`].
    ///
    /// # Errors
    /// [`CheckpointError`] if it is damaged or cannot be read.
    pub fn stored(blobs: &dyn Blobs) -> Result<Self, CheckpointError> {
        if let Some(stage) = OutOfCoreStage::stored(blobs)? {
            return Ok(Self::Slices(stage.slices));
        }
        if sorted::has_begun(blobs)? {
            return Ok(Self::Reached);
        }
        let has_planes = blobs.get(PlaneStage::KEY)?.is_some();
        Ok(if has_planes { Self::Planes } else { Self::Nothing })
    }

    /// True if a folder is the checkpoint of an out-of-core solve.
    #[must_use]
    pub fn has_slices(folder: &Path) -> bool {
        BlobFolder::contains(folder, OutOfCoreStage::KEY)
    }

    /// Removes the progress of a solve by planes whose result is kept elsewhere.
    ///
    /// # Errors
    /// [`CheckpointError`] if it cannot be removed.
    pub fn remove(blobs: &dyn Blobs) -> Result<(), CheckpointError> {
        blobs.remove(PlaneStage::KEY)?;
        blobs.remove(OutOfCoreStage::KEY)
    }
}
