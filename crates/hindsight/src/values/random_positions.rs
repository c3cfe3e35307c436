//! Positions drawn at random, by their values.

use hindsight_core::{Value, Wdl};
use hindsight_engine::Limits;
use hindsight_play::SeededRandom;
use hindsight_tablebase::draw_numbers;

use super::Values;
use crate::error::GamesError;
use crate::parts::numbered_values::NumberedValues;
use crate::positions::any_value::Position;
use crate::positions::draw_error::DrawError;
use crate::positions::numbered::{NumberedPart, draw_below, pick_places};
use crate::tasks::options::Options;

/// Places whose values are read together first. Most values are found among them.
const FIRST_PLACES: usize = 1 << 6;
/// Most places whose values are read together.
const MAX_PLACES: usize = 1 << 12;
/// Factor by which a batch grows over the one before it, as a power of two.
const GROWTH_BITS: u32 = 3;
/// Batches that are read before a layer is scanned.
const BATCHES_BEFORE_SCAN: u32 = 3;
/// Most places of a layer that are tried after a scan.
const MAX_PICKED: usize = 256;
/// Batches that are read before a draw is given up.
const MAX_BATCHES: u32 = 10;

/// Filter of positions by their values. The default accepts every position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionFilter {
    /// Result for the side to move.
    pub wdl: Option<Wdl>,
    /// Plies to the end. A draw has none.
    pub remoteness: Option<u16>,
    /// Layer of a table.
    pub layer: Option<u32>,
}

impl PositionFilter {
    /// Returns true if a value is wanted.
    ///
    /// ```
    /// use hindsight_games::{PositionFilter, Value, Wdl};
    ///
    /// let wins = PositionFilter {
    ///     wdl: Some(Wdl::Win),
    ///     ..PositionFilter::default()
    /// };
    /// assert!(wins.accepts(Value::Win(3)) && !wins.accepts(Value::Draw));
    /// ```
    #[must_use]
    pub fn accepts(&self, value: Value) -> bool {
        self.wdl.is_none_or(|wdl| value.wdl() == wdl)
            && (self.remoteness.is_none() || value.remoteness() == self.remoteness)
    }

    /// Checks that the values have the wanted layer.
    fn check_layer(&self, values: &dyn NumberedValues, parts: usize) -> Result<(), DrawError> {
        let Some(layer) = self.layer else {
            return Ok(());
        };
        if !values.has_layers() {
            return Err(DrawError::NoLayers);
        }
        if (layer as usize) < parts {
            return Ok(());
        }
        let last = parts.saturating_sub(1) as u32;
        Err(DrawError::NoLayer { layer, last })
    }
}

impl Values {
    /// Draws a position of a wanted value at random, from those whose values are known. The same
    /// seed gives the same position.
    ///
    /// `None` if there is surely no such position. Rare values are found too, such as the longest
    /// win: where some thousand positions do not have the value, a layer with it is decoded.
    ///
    /// Of a table, positions are those that it keeps: symmetric ones once, and in some games no
    /// finished ones. In a game in which a move may be forbidden, states that no move leads to are
    /// left out.
    ///
    /// # Errors
    /// As [`Values::probe`]; [`Error::Draw`](crate::Error::Draw) if there is no such layer, or if
    /// the value is too rare in a large table.
    ///
    /// ```
    /// use hindsight_games::{Method, Options, PositionFilter, Wdl};
    ///
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let solved = game.solve(Method::Auto, &Options::default())?;
    /// let wins_in_5 = PositionFilter {
    ///     wdl: Some(Wdl::Win),
    ///     remoteness: Some(5),
    ///     ..PositionFilter::default()
    /// };
    /// let position = solved.values().draw(&wins_in_5, 1)?.expect("a win in 5 plies");
    /// assert_eq!(solved.probe(&position)?.to_string(), "win in 5 plies");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn draw(&self, wanted: &PositionFilter, seed: u64) -> Result<Option<Position>, GamesError> {
        let parts = self.source().parts()?;
        wanted.check_layer(self.source(), parts.len())?;
        let is_wanted_part = |&(number, part): &(u32, &NumberedPart)| {
            wanted.layer.is_none_or(|layer| layer == number)
                && part.count(&|value| wanted.accepts(value)) > 0
        };
        let parts: Vec<_> = (0..).zip(&parts).filter(is_wanted_part).collect();
        if parts.is_empty() {
            return Ok(None);
        }
        Draw { values: self, parts, wanted, random: SeededRandom::new(&[seed]) }
            .position()
            .map(Some)
    }

    /// Returns different positions drawn at random, from those whose values are known. The same
    /// seed gives the same ones.
    ///
    /// `count` places are drawn uniformly with replacement. Fewer positions are returned: holes of
    /// the numbering are left out, and places drawn twice. If there are at most `count` places, all
    /// are taken. In a game in which a move may be forbidden, a place gives one of its states.
    /// Positions come in the order of the numbering.
    ///
    /// # Errors
    /// As [`Values::probe`]; [`Error::Solve`](crate::Error::Solve) if the game is too large to list
    /// its tiers.
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let solved = game.solve(Method::Reachable, &Options::default())?;
    /// assert_eq!(solved.values().sample(100, 1)?.len(), 100);
    /// assert_eq!(solved.values().sample(10_000, 1)?.len(), 5478);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn sample(&self, count: usize, seed: u64) -> Result<Vec<Position>, GamesError> {
        let mut random = SeededRandom::new(&[seed]);
        let drawn = self.draw_places(count, seed, Options::default().limits())?;
        let mut sample = Vec::with_capacity(drawn.places.len());
        for mut states in drawn.positions_in(&drawn.places) {
            if !states.is_empty() {
                let drawn = draw_below(states.len() as u64, &mut random);
                sample.push(states.swap_remove(drawn as usize));
            }
        }
        Ok(sample)
    }

    /// Draws `count` places at random, if there is memory to list the tiers of the game.
    pub(crate) fn draw_places(
        &self,
        count: usize,
        seed: u64,
        limits: Limits,
    ) -> Result<DrawnPlaces<'_>, GamesError> {
        self.source().check_size(limits)?;
        let parts = self.source().parts()?;
        let total = parts.iter().map(|part| part.places).sum();
        Ok(DrawnPlaces { values: self.source(), parts, places: draw_numbers(total, count, seed) })
    }
}

/// Places drawn at random without regard to their values.
pub(crate) struct DrawnPlaces<'a> {
    values: &'a dyn NumberedValues,
    parts: Vec<NumberedPart>,
    /// Different places, ascending, numbered through all parts.
    pub(crate) places: Vec<u64>,
}

impl DrawnPlaces<'_> {
    /// Returns the number of places in all.
    pub(crate) fn total(&self) -> u64 {
        self.parts.iter().map(|part| part.places).sum()
    }

    /// Returns the positions in each of some places, which must ascend.
    pub(crate) fn positions_in(&self, places: &[u64]) -> Vec<Vec<Position>> {
        let parts: Vec<_> = (0..).zip(&self.parts).collect();
        positions_of(self.values, &parts, places)
    }

    /// Returns the position in each of some places, which must ascend; `None` for a hole.
    pub(crate) fn plain_positions(&self, places: &[u64]) -> Vec<Option<Position>> {
        let parts: Vec<_> = (0..).zip(&self.parts).collect();
        let of_part = |number, places: &[u64]| self.values.plain_positions(number, places);
        by_part(&parts, places, &of_part)
    }
}

fn total_places(parts: &[(u32, &NumberedPart)]) -> u64 {
    parts.iter().map(|(_, part)| part.places).sum()
}

/// Returns the positions of some places, which ascend and are numbered through all parts.
fn positions_of(
    values: &dyn NumberedValues,
    parts: &[(u32, &NumberedPart)],
    places: &[u64],
) -> Vec<Vec<Position>> {
    let of_part = |number, places: &[u64]| values.positions_in(number, places);
    by_part(parts, places, &of_part)
}

/// Returns what `of_part` returns for the places of each part, from a number of the part and places
/// counted in it. `places` ascend and are numbered through all parts.
fn by_part<T>(
    parts: &[(u32, &NumberedPart)],
    mut places: &[u64],
    of_part: &dyn Fn(u32, &[u64]) -> Vec<T>,
) -> Vec<T> {
    let (mut all, mut begin) = (Vec::with_capacity(places.len()), 0);
    for (number, part) in parts {
        let end = begin + part.places;
        let here = places.partition_point(|&place| place < end);
        let own: Vec<u64> = places[..here].iter().map(|place| place - begin).collect();
        all.extend(of_part(*number, &own));
        (places, begin) = (&places[here..], end);
    }
    all
}

/// A draw of one position.
struct Draw<'a> {
    values: &'a Values,
    /// Parts that have wanted positions, with their numbers.
    parts: Vec<(u32, &'a NumberedPart)>,
    wanted: &'a PositionFilter,
    random: SeededRandom,
}

impl Draw<'_> {
    fn position(mut self) -> Result<Position, GamesError> {
        for batch in 1..=MAX_BATCHES {
            if let Some(position) = self.draw_from_batch(batch)? {
                return Ok(position);
            }
            if batch == BATCHES_BEFORE_SCAN
                && let Some(position) = self.draw_by_scan()?
            {
                return Ok(position);
            }
        }
        let longest = self.parts.iter().flat_map(|(_, part)| part.longest.clone());
        let found = self.draw_among(longest.collect())?;
        found.ok_or(DrawError::TooRare.into())
    }

    /// Draws one of some positions that have the wanted value.
    fn draw_among(&mut self, mut positions: Vec<Position>) -> Result<Option<Position>, GamesError> {
        let answers = self.values.probe_many(&positions)?;
        let is_wanted = |answer: hindsight_core::Answer| {
            answer.exact().is_some_and(|value| self.wanted.accepts(value))
        };
        let mut answers = answers.into_iter();
        positions.retain(|_| answers.next().is_some_and(is_wanted));
        if positions.is_empty() {
            return Ok(None);
        }
        let drawn = draw_below(positions.len() as u64, &mut self.random);
        Ok(Some(positions.swap_remove(drawn as usize)))
    }

    /// Draws a position from places that are drawn without regard to their values.
    fn draw_from_batch(&mut self, batch: u32) -> Result<Option<Position>, GamesError> {
        let listed = self.parts.iter().filter(|(_, part)| part.is_listed);
        let listed: Vec<_> = listed.copied().collect();
        let growth = GROWTH_BITS * (batch - 1).min(BATCHES_BEFORE_SCAN);
        let places = MAX_PLACES.min(FIRST_PLACES << growth);
        let seed = draw_below(u64::MAX, &mut self.random);
        let drawn = draw_numbers(total_places(&listed), places, seed);
        let positions = positions_of(self.values.source(), &listed, &drawn);
        self.draw_among(positions.into_iter().flatten().collect())
    }

    /// Draws a position from all wanted ones of a part that can be scanned.
    ///
    /// Parts are drawn in proportion to their wanted positions.
    fn draw_by_scan(&mut self) -> Result<Option<Position>, GamesError> {
        let wanted = *self.wanted;
        let is_wanted = move |value: Value| wanted.accepts(value);
        let scanned: Vec<(u32, u64, u64)> = self
            .parts
            .iter()
            .filter(|(_, part)| part.is_scanned)
            .map(|&(number, part)| (number, part.places, part.count(&is_wanted)))
            .collect();
        let total = scanned.iter().map(|(_, _, count)| count).sum();
        let mut drawn = draw_below(total, &mut self.random);
        let part = scanned.into_iter().find(|&(_, _, count)| {
            let is_here = drawn < count;
            drawn = drawn.saturating_sub(count);
            is_here
        });
        let Some((number, places, _)) = part else {
            return Ok(None);
        };
        let source = self.values.source();
        let part = source.open_part(number)?;
        let wanted_places = || part.places_with(0..places, &is_wanted);
        for place in pick_places(wanted_places, MAX_PICKED, &mut self.random) {
            let positions = source.positions_in(number, &[place]);
            let found = self.draw_among(positions.into_iter().flatten().collect())?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}
