//! A layer that is being solved.

use hindsight_core::PackedGame;
use hindsight_engine::Layer;

use super::exits::FinishedPart;
use crate::ranks::Deal;

/// A layer, and the part of it that a worker solves.
pub(crate) struct LayerContext<'a> {
    pub(crate) game: &'a PackedGame,
    /// Tiers of the layer.
    pub(crate) shape: &'a Layer,
    pub(crate) deal: Deal,
    pub(crate) worker: usize,
    pub(crate) workers: usize,
    /// Own parts of the layers that this one looks up.
    pub(crate) finished: &'a [FinishedPart<'a>],
}
