//! Values in memory or in a table, with positions by number.

use hindsight_engine::{Limits, Progress};
use hindsight_puzzles::SacrificeStates;

use super::reader::PackedReader;
use crate::error::GamesError;
use crate::positions::any_value::Position;
use crate::positions::numbered::{NumberedPart, PlacedValues};

/// Source of readers, with positions by number.
pub(crate) trait NumberedValues: Send + Sync {
    fn reader(&self) -> PackedReader<'_>;

    /// Returns true if the parts are layers of a table.
    fn has_layers(&self) -> bool;

    /// Refuses a table whose tiers are too many to list.
    fn check_size(&self, limits: Limits) -> Result<(), GamesError>;

    /// Returns the parts, in which positions have places.
    fn parts(&self) -> Result<Vec<NumberedPart>, GamesError>;

    /// Returns the positions in each of some places of a part, which must ascend.
    fn positions_in(&self, part: u32, places: &[u64]) -> Vec<Vec<Position>>;

    /// Returns the position in each of some places of a part, which must ascend; `None` for a hole.
    /// Where a place has several states, it is that in which no move is forbidden.
    fn plain_positions(&self, part: u32, places: &[u64]) -> Vec<Option<Position>>;

    /// Returns the layer of a position in a table; 0 without layers and for terminal positions.
    fn layer_of(&self, position: &Position) -> u32;

    /// Returns the bytes of memory that [`NumberedValues::open_part`] needs.
    fn part_memory(&self, part: u32) -> u64;

    /// Returns the values of a part, in memory.
    fn open_part(&self, part: u32) -> Result<Box<dyn PlacedValues + '_>, GamesError>;

    /// Hands over the states that only a sacrifice wins, and returns the number of positions that
    /// were looked at. `None` where they are to be found one by one.
    ///
    /// # Errors
    /// That of `take`; or if the values cannot be read or do not fit in memory.
    fn sacrifices(&self, _: Limits, _: TakeSacrifices<'_>) -> Option<Result<u64, GamesError>> {
        None
    }
}

/// Consumer of the states that only a sacrifice wins, which are found in ascending order. Returns
/// false to end the search.
pub(crate) type TakeSacrifices<'a> =
    &'a mut dyn FnMut(SacrificeStates, Progress) -> Result<bool, GamesError>;
