//! Several positions drawn at random, by their values.

use hindsight_core::Value;
use hindsight_engine::Progress;
use hindsight_play::SeededRandom;

use super::Values;
use crate::error::GamesError;
use crate::positions::any_value::Position;
use crate::positions::numbered::{NumberedPart, draw_below, pick_places};
use crate::tasks::options::Options;

/// Most places that are read to find positions of wanted values, for each that is to be found.
const PLACES_A_POSITION: u64 = 1 << 10;
/// Fewest places that are read before layers are scanned.
const FEW_PLACES: u64 = 1 << 18;
/// Places that are read between two looks at the listener.
const PLACES_A_LOOK: usize = 1 << 16;
/// Most positions that a scan of a layer returns.
const MAX_SCANNED: usize = 1 << 20;

impl Values {
    /// Returns `count` different positions of wanted values, drawn at random from those whose
    /// values are known, in random order. The same seed gives the same ones.
    ///
    /// Fewer are returned where there are not so many. Of a table, positions are those that it
    /// keeps, symmetric ones once. Values rarer than one in a thousand are looked for in layers of
    /// up to 16 million ranks only.
    ///
    /// # Errors
    /// As [`Values::sample`]; [`Error::Solve`](crate::Error::Solve) if the listener of the options
    /// stops the draw.
    ///
    /// ```
    /// use hindsight_games::{Method, Options, Value};
    ///
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let options = Options::default();
    /// let solved = game.solve(Method::Auto, &options)?;
    /// let is_long = |value: Value| value.remoteness() >= Some(6);
    /// for position in solved.values().sample_where(20, 1, &is_long, &options)? {
    ///     assert!(is_long(solved.probe(&position)?.exact().expect("a value")));
    /// }
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn sample_where(
        &self,
        count: usize,
        seed: u64,
        wanted: &dyn Fn(Value) -> bool,
        options: &Options,
    ) -> Result<Vec<Position>, GamesError> {
        let parts = self.source().parts()?;
        let there: u64 = parts.iter().map(|part| part.count(wanted)).sum();
        if there == 0 || count == 0 {
            return Ok(Vec::new());
        }
        let sample = ValueSample { values: self, wanted, options, seed };
        let total: u64 = parts.iter().map(|part| part.places).sum();
        let enough = there.min(count as u64);
        let most = total.min(FEW_PLACES.max(enough.saturating_mul(PLACES_A_POSITION)));
        let mut places = first_places(enough, there, total);
        while places <= most {
            let found = sample.among_places(places as usize)?;
            if found.len() as u64 >= enough || places == total {
                return Ok(choose(found, count, seed));
            }
            places = places.saturating_mul(4).min(total);
        }
        let found = sample.by_scans(&parts)?;
        Ok(choose(found, count, seed))
    }
}

/// Draw of several positions.
struct ValueSample<'a> {
    values: &'a Values,
    wanted: &'a dyn Fn(Value) -> bool,
    options: &'a Options,
    seed: u64,
}

impl ValueSample<'_> {
    /// Returns the positions of wanted values in some places that are drawn.
    fn among_places(&self, places: usize) -> Result<Vec<Position>, GamesError> {
        let drawn = self.values.draw_places(places, self.seed, self.options.limits())?;
        let (mut found, mut done) = (Vec::new(), 0);
        for part in drawn.places.chunks(PLACES_A_LOOK) {
            let positions = drawn.positions_in(part).into_iter().flatten().collect();
            found.extend(self.wanted_of(positions)?);
            done += part.len() as u64;
            self.look(done, drawn.places.len() as u64)?;
        }
        Ok(found)
    }

    /// Returns the positions of wanted values in layers that can be scanned.
    fn by_scans(&self, parts: &[NumberedPart]) -> Result<Vec<Position>, GamesError> {
        let mut random = SeededRandom::new(&[self.seed]);
        let (source, mut found) = (self.values.source(), Vec::new());
        for (number, part) in (0..).zip(parts) {
            if part.is_scanned && part.count(self.wanted) > 0 {
                let values = source.open_part(number)?;
                let wanted = || values.places_with(0..part.places, self.wanted);
                let mut places = pick_places(wanted, MAX_SCANNED, &mut random);
                places.sort_unstable();
                let positions = source.positions_in(number, &places).into_iter();
                found.extend(self.wanted_of(positions.flatten().collect())?);
            }
            self.look(u64::from(number), parts.len() as u64)?;
        }
        Ok(found)
    }

    fn wanted_of(&self, positions: Vec<Position>) -> Result<Vec<Position>, GamesError> {
        let answers = self.values.probe_many(&positions)?.into_iter();
        let known = positions.into_iter().zip(answers);
        let known = known.filter(|(_, answer)| answer.exact().is_some_and(self.wanted));
        Ok(known.map(|(position, _)| position).collect())
    }

    /// Reports to the listener, which may stop the draw.
    fn look(&self, done: u64, total: u64) -> Result<(), GamesError> {
        let progress = Progress { phase: "drawing", done, total: Some(total) };
        let listener = self.options.progress.as_ref();
        if listener.is_none_or(|listener| listener(progress)) {
            Ok(())
        } else {
            Err(hindsight_engine::Error::Stopped.into())
        }
    }
}

/// Returns how many of `total` places to draw first for `enough` wanted positions, of which there
/// are `there`: half more than are expected to suffice.
fn first_places(enough: u64, there: u64, total: u64) -> u64 {
    let expected = enough.saturating_mul(total.div_ceil(there));
    let places = expected.saturating_add(expected / 2).saturating_add(16);
    places.min(total)
}

/// Returns `count` of some positions, drawn at random, in random order.
fn choose(mut positions: Vec<Position>, count: usize, seed: u64) -> Vec<Position> {
    let mut random = SeededRandom::new(&[seed, 1]);
    for i in 0..count.min(positions.len()) {
        let left = (positions.len() - i) as u64;
        positions.swap(i, i + draw_below(left, &mut random) as usize);
    }
    positions.truncate(count);
    positions
}
