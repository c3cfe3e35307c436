//! Several positions drawn at random, by their values.

use hindsight_core::Value;
use hindsight_play::SeededRandom;

use crate::any_value::Position;
use crate::error::GamesError;
use crate::numbered_positions::draw_below;
use crate::values::Values;

/// Most places whose values are read before layers are scanned.
const MAX_PLACES: usize = 1 << 22;

impl Values {
    /// Returns different positions of wanted values, drawn at random from those whose values are
    /// known. The same seed gives the same ones, in the order of the numbering.
    ///
    /// Fewer than `count` are returned where there are not so many; of a large table, also where
    /// they are rarer than one in some thousand. [`Values::draw`] finds single rare ones.
    ///
    /// # Errors
    /// As [`Values::sample`].
    ///
    /// ```
    /// use hindsight_games::{Method, Options, Value};
    ///
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let solved = game.solve(Method::Auto, &Options::default())?;
    /// let is_long = |value: Value| value.remoteness() >= Some(6);
    /// for position in solved.values().sample_where(20, 1, &is_long)? {
    ///     assert!(is_long(solved.probe(&position)?.exact().expect("a value")));
    /// }
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn sample_where(
        &self,
        count: usize,
        seed: u64,
        wanted: &dyn Fn(Value) -> bool,
    ) -> Result<Vec<Position>, GamesError> {
        let parts = self.source().parts()?;
        let there = parts.iter().map(|part| part.count(wanted)).sum::<u64>();
        if there == 0 || count == 0 {
            return Ok(Vec::new());
        }
        let total = parts.iter().map(|part| part.places).sum::<u64>();
        let enough = there.min(count as u64);
        let mut places = first_places(enough, there, total);
        loop {
            let found = self.wanted_among(places, seed, wanted)?;
            let are_all_read = places as u64 >= total;
            if found.len() as u64 >= enough || are_all_read || places >= MAX_PLACES {
                return Ok(choose(found, count, seed));
            }
            places = places.saturating_mul(4).min(MAX_PLACES);
        }
    }

    /// Returns the positions of wanted values in some places that are drawn.
    fn wanted_among(
        &self,
        places: usize,
        seed: u64,
        wanted: &dyn Fn(Value) -> bool,
    ) -> Result<Vec<Position>, GamesError> {
        let drawn = self.draw_places(places, seed)?;
        let positions = drawn.positions_in(&drawn.places).into_iter().flatten();
        let positions: Vec<Position> = positions.collect();
        let answers = self.probe_many(&positions)?.into_iter();
        let known = positions.into_iter().zip(answers);
        let known = known.filter(|(_, answer)| answer.exact().is_some_and(wanted));
        Ok(known.map(|(position, _)| position).collect())
    }
}

/// Returns how many places to draw first for `enough` wanted positions, of which there are `there`
/// in `total` places: half more than are expected to suffice.
fn first_places(enough: u64, there: u64, total: u64) -> usize {
    let expected = enough.saturating_mul(total.div_ceil(there.max(1)));
    let places = expected.saturating_add(expected / 2).saturating_add(16);
    usize::try_from(places)
        .unwrap_or(MAX_PLACES)
        .min(MAX_PLACES)
}

/// Returns `count` of some positions, drawn at random, in their order.
fn choose(positions: Vec<Position>, count: usize, seed: u64) -> Vec<Position> {
    let mut random = SeededRandom::new(&[seed, 1]);
    let (mut left, mut needed) = (positions.len() as u64, count as u64);
    let mut is_chosen = |_: &Position| {
        // Each of those left is as likely as any other to be among those still needed.
        let chosen = draw_below(left, &mut random) < needed;
        left -= 1;
        needed -= u64::from(chosen);
        chosen
    };
    positions
        .into_iter()
        .filter(|position| is_chosen(position))
        .collect()
}
