//! Checkpoints of a solve in memory.

use hindsight_run::StoreError;

/// Keeps the stage and the planes of a solve, so that a later run can go on.
pub trait PlaneCheckpoint {
    /// Returns true if it is time for a checkpoint, although nothing has stopped.
    fn is_due(&mut self) -> bool;

    /// Keeps a stage. `parts` are the bytes of all planes, then of all value layers.
    ///
    /// # Errors
    /// When the stage or a part cannot be kept.
    fn put(&mut self, stage: &PlaneStage, parts: &[&[u8]]) -> Result<(), StoreError>;

    /// Fills the parts with those of an earlier run, and returns its stage; `None` if there is
    /// none.
    ///
    /// # Errors
    /// When a part cannot be read back, or has another length.
    fn get(&mut self, parts: &mut [&mut [u8]]) -> Result<Option<PlaneStage>, StoreError>;
}

/// Progress of a solve: passes that are over, and a part of the next one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlaneStage {
    /// Positions decided by each pass that is over.
    pub found: Vec<u64>,
    /// Positions decided by the pass that is not over.
    pub found_so_far: u64,
    /// Planes that this pass has gone over.
    pub planes_done: u64,
    /// True if the planes of side 1 hold undecided positions instead of lost ones.
    pub holds_undecided: bool,
    /// Pass that decided the start, counted from 1; `None` while it is undecided.
    pub start_pass: Option<u16>,
}

impl PlaneStage {
    /// Number of positions decided, of `positions` in all; `None` if the stage cannot be right.
    ///
    /// A stage is wrong if it has decided too many, or passes went on after one that found nothing.
    pub(crate) fn decided(&self, positions: u64) -> Option<u64> {
        let before = self
            .found
            .split_last()
            .map_or(&[][..], |(_, before)| before);
        if before.contains(&0) {
            return None;
        }
        let found = self.found.iter().chain([&self.found_so_far]);
        let decided = found.fold(0, |sum: u64, &n| sum.saturating_add(n));
        let passes = self.found.len();
        let is_counted =
            usize::from(self.start_pass.unwrap_or(0)) <= passes && passes < usize::from(u16::MAX);
        (decided <= positions && is_counted).then_some(decided)
    }
}

/// Keeps nothing, for solves that are not to be resumed.
#[derive(Clone, Copy, Debug)]
pub struct NoPlaneCheckpoint;

impl PlaneCheckpoint for NoPlaneCheckpoint {
    fn is_due(&mut self) -> bool {
        false
    }

    fn put(&mut self, _: &PlaneStage, _: &[&[u8]]) -> Result<(), StoreError> {
        Ok(())
    }

    fn get(&mut self, _: &mut [&mut [u8]]) -> Result<Option<PlaneStage>, StoreError> {
        Ok(None)
    }
}
