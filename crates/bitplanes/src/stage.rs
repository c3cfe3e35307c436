use hindsight_run::StoreError;

/// Where a solve keeps how far it has come.
pub trait PlaneCheckpoint {
    /// Whether it is time to keep it, though nothing stops.
    fn is_due(&mut self) -> bool;

    /// Takes it, with the bytes of all planes, and of the values if they are kept.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn put(&mut self, stage: &PlaneStage, parts: &[&[u8]]) -> Result<(), StoreError>;

    /// Fills parts of the same lengths with what an earlier run kept.
    ///
    /// # Errors
    /// When it cannot be read back, or is of other lengths.
    fn get(&mut self, parts: &mut [&mut [u8]]) -> Result<Option<PlaneStage>, StoreError>;
}

/// How far a solve has come: passes that are over, and a part of the next one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlaneStage {
    /// Positions found by each pass that is over.
    pub found: Vec<u64>,
    /// Positions found by the pass that was stopped.
    pub found_so_far: u64,
    /// Planes that it was done with.
    pub planes_done: u64,
    /// Whether the planes of side 1 have what is undecided, and not what it has lost.
    pub holds_undecided: bool,
    /// The pass that found the start, from 1.
    pub start_pass: Option<u16>,
}

impl PlaneStage {
    /// Positions that are decided; `None` if these cannot be of so many, or passes went on after one that found
    /// nothing.
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
        let over =
            usize::from(self.start_pass.unwrap_or(0)) <= passes && passes < usize::from(u16::MAX);
        (decided <= positions && over).then_some(decided)
    }
}

/// Keeps nothing.
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
