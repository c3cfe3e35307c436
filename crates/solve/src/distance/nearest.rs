//! Least distances of a position, and their source.

/// Rule for the moves that count on the way to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextStates {
    /// Forbidden moves are not played, as the rules say.
    Allowed,
    /// Forbidden moves are played too, as in Table 3 of the Ostle paper. A state is then one ply
    /// farther than the nearest state of its predecessor position.
    All,
}

/// Least distances of the states of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearestDistances {
    /// Least distance of all its states, in plies.
    pub least: u16,
    /// Id of the move that every state at distance `least` forbids; 0 if there is none.
    pub forbidden: u8,
    /// Least distance of the states that allow move `forbidden`, in plies. `None` if no such state
    /// was reached, and always if `forbidden` is 0.
    pub least_allowing: Option<u16>,
}

impl NearestDistances {
    /// Returns the least distance of the states that allow a move; `None` if none can be reached.
    /// Move id 0 stands for all states.
    #[must_use]
    pub fn distance_allowing(self, move_id: u8) -> Option<u16> {
        if move_id != 0 && move_id == self.forbidden {
            self.least_allowing
        } else {
            Some(self.least)
        }
    }
}

/// Source of the distances of positions.
pub trait DistanceProbe {
    /// Error of a failed look-up.
    type Error;

    /// Returns the distances at a rank; `None` if it cannot be reached.
    ///
    /// # Errors
    /// Any error of the storage.
    fn probe_distances(
        &self,
        tier: u64,
        rank: u64,
    ) -> Result<Option<NearestDistances>, Self::Error>;
}
