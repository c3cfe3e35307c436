/// What is forbidden on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextStates {
    /// The forbidden move is not played, as the rules have it.
    Allowed,
    /// The forbidden move is played as well, as in Table 3 of the Ostle paper: a state's distance is one
    /// more than that of the nearest state of the position before.
    All,
}

/// How near the states of a position can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearestDistances {
    /// The least distance.
    pub least: u16,
    /// What the only state at that distance forbids, if another allows it; 0 if there is none such.
    pub forbidden: u8,
    /// The least distance of the states that allow it; `None` if none can be reached.
    pub least_allowing: Option<u16>,
}

impl NearestDistances {
    /// The least distance of the states that do not forbid a way (0: of all states).
    #[must_use]
    pub fn distance_allowing(self, move_id: u8) -> Option<u16> {
        if move_id != 0 && move_id == self.forbidden {
            self.least_allowing
        } else {
            Some(self.least)
        }
    }
}

/// Knows how near positions can be reached.
pub trait DistanceProbe {
    /// Why an answer failed.
    type Error;

    /// The distances at a rank; `None` where nothing leads.
    ///
    /// # Errors
    /// What reading from memory or disk can bring.
    fn probe_distances(
        &self,
        tier: u64,
        rank: u64,
    ) -> Result<Option<NearestDistances>, Self::Error>;
}
