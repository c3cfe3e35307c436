//! Connections of a solve to the outside.

use hindsight_core::Random;
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Monitor, StateTierStore, Store};

/// Connections of a solve to the outside. A solve uses those that its plan asks for.
pub struct SolveIo<'a> {
    /// Hears of the progress, and may stop the solve.
    pub monitor: &'a mut dyn Monitor,
    /// Store of finished layers.
    pub layers: Option<&'a mut dyn Store>,
    /// Store of finished tiers of states.
    pub states: Option<&'a mut dyn StateTierStore>,
    /// Checkpoint of unfinished work.
    pub checkpoint: Option<&'a Checkpoint<'a>>,
    /// Source of the positions that planes draw to check their values.
    pub random: Option<&'a mut dyn Random>,
}

impl<'a> SolveIo<'a> {
    /// Returns the connections of a solve that stores nothing.
    pub fn new(monitor: &'a mut dyn Monitor) -> Self {
        Self { monitor, layers: None, states: None, checkpoint: None, random: None }
    }
}
