//! Least distances of a position.

use hindsight_core::Value;
use hindsight_engine::StateValues;

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
    /// Returns the distances that a table keeps as values: distance `n` is `Loss(n)`, and a state
    /// that cannot be reached is a draw. `None` if no state can be reached.
    #[must_use]
    pub fn of_values(values: StateValues) -> Option<Self> {
        let (value, exception) = values;
        let (forbidden, without) = exception.unwrap_or((0, Value::Draw));
        Some(Self { least: value.remoteness()?, forbidden, least_allowing: without.remoteness() })
    }

    /// Returns the same values as [`NearestDistances::of_values`] takes.
    #[must_use]
    pub fn values(self) -> StateValues {
        let without = self.least_allowing.map_or(Value::Draw, Value::Loss);
        let exception = (self.forbidden != 0).then_some((self.forbidden, without));
        (Value::Loss(self.least), exception)
    }

    /// Returns the least distance of the states that allow a move; `None` if none can be reached.
    /// Move id 0 stands for all states.
    #[must_use]
    pub(crate) fn distance_allowing(self, move_id: u8) -> Option<u16> {
        if move_id != 0 && move_id == self.forbidden {
            self.least_allowing
        } else {
            Some(self.least)
        }
    }
}
