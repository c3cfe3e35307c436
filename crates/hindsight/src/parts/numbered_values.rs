//! Values in memory or in a table, with positions by number.

use hindsight_core::{Packed, Value};
use hindsight_play::SeededRandom;
use hindsight_puzzles::{Puzzle, PuzzleCriteria};
use hindsight_run::Limits;

use super::reader::PackedReader;
use crate::error::GamesError;
use crate::positions::any_value::Position;
use crate::positions::numbered::NumberedPart;

/// Source of readers, with positions by number.
pub(crate) trait NumberedValues: Send + Sync {
    fn reader(&self) -> PackedReader<'_>;

    /// Returns true if the parts are layers of a table.
    fn has_layers(&self) -> bool;

    /// Returns the puzzles among some positions, in their order.
    fn find_puzzles(
        &self,
        positions: &[Packed],
        criteria: &PuzzleCriteria,
    ) -> Result<Vec<Puzzle>, GamesError>;

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

    /// Returns at most `most` places of a part with a wanted value, from a random one on.
    fn places_with(
        &self,
        part: u32,
        wanted: &dyn Fn(Value) -> bool,
        most: usize,
        random: &mut SeededRandom,
    ) -> Result<Vec<u64>, GamesError>;
}
