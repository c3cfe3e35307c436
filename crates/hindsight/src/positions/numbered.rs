//! Positions whose values are known, by numbers from which they can be drawn at random.

use std::ops::Range;

use hindsight_core::{Random, Value};
use hindsight_engine::Histogram;
use hindsight_play::SeededRandom;

use super::any_value::Position;

/// Part of the positions whose values are known: a layer of a table, or all of a solve.
///
/// Its positions are in places, numbered from 0. A place may be a hole. In a game in which a move
/// may be forbidden, a place has the states of a position that some move leads to.
pub(crate) struct NumberedPart {
    /// Number of places, holes included.
    pub(crate) places: u64,
    /// Positions, or states, by value.
    pub(crate) histogram: Histogram,
    /// True if positions can be looked up by their places in little memory.
    pub(crate) is_listed: bool,
    /// True if all places can be scanned at once.
    pub(crate) is_scanned: bool,
    /// Positions of the longest win and of the longest loss, if they are known.
    pub(crate) longest: Vec<Position>,
}

impl NumberedPart {
    /// Returns the number of positions with a wanted value.
    pub(crate) fn count(&self, wanted: &dyn Fn(Value) -> bool) -> u64 {
        let rows = self.histogram.rows().into_iter();
        let wanted = rows.filter(|&(value, _)| wanted(value));
        wanted.map(|(_, positions)| positions).sum()
    }
}

/// Values by place, in memory.
pub(crate) trait PlacedValues {
    /// Returns those of some places that have a wanted value, ascending. Of states, the value with
    /// no move forbidden counts, and that without the only best move.
    fn places_with<'a>(
        &'a self,
        places: Range<u64>,
        wanted: &'a dyn Fn(Value) -> bool,
    ) -> Box<dyn Iterator<Item = u64> + 'a>;

    /// Returns the positions in each of some places, which must ascend.
    fn positions_in(&self, places: &[u64]) -> Vec<Vec<Position>>;
}

/// Draws a number in `0..end`.
pub(crate) fn draw_below(end: u64, random: &mut SeededRandom) -> u64 {
    ((u128::from(random.bits()) * u128::from(end)) >> 64) as u64
}

/// Draws one of some places, and returns it with those that follow, the first after the last, at
/// most `most`.
pub(crate) fn pick_places<I: Iterator<Item = u64>>(
    places: impl Fn() -> I,
    most: usize,
    random: &mut SeededRandom,
) -> Vec<u64> {
    let count = places().count();
    let first = draw_below(count as u64, random) as usize;
    let following = places().skip(first).chain(places().take(first));
    following.take(most).collect()
}
