//! Part of a finished layer.

use hindsight_core::PackedGame;
use hindsight_engine::{Layer, Palette};

use crate::ranks::Deal;

/// A finished layer, and the part of it that a worker owns.
pub(crate) struct OwnPart<'a> {
    pub(crate) game: &'a PackedGame,
    /// Tiers of the layer.
    pub(crate) shape: &'a Layer,
    pub(crate) deal: Deal,
    pub(crate) worker: usize,
    pub(crate) codes: &'a [u8],
    pub(crate) palette: &'a Palette,
}
