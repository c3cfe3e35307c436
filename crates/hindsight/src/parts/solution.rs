//! Values of a solved packed game.

use std::ops::Range;
use std::sync::Arc;

use hindsight_core::{Answer, Game, Notation, Packed, Probe, Value};
use hindsight_engine::{Histogram, Limits, Monitor, Summary};
use hindsight_solve::forbidden_move::ForbiddenMoveSolution;
use hindsight_solve::graph;
use hindsight_solve::plan::{FoundWinner, PlacedPosition, Solved};

use super::reader::PackedReader;
use super::structure::GameParts;
use crate::error::GamesError;
use crate::parts::numbered_values::NumberedValues;
use crate::positions::any_value::{AnyMove, Position};
use crate::positions::numbered::{NumberedPart, PlacedValues};
use crate::tasks::solve::{SampleContradiction, SampleCounts};

/// Values of a game solved by a plan.
pub(crate) struct SolvedValues {
    pub(crate) game: Arc<GameParts>,
    /// Position from which the game was solved.
    pub(crate) start: Packed,
    pub(crate) solved: Solved,
}

impl NumberedValues for SolvedValues {
    fn reader(&self) -> PackedReader<'_> {
        let reader = self.solved.reader(&self.game.named.game);
        let probe_many = move |positions: &[_]| match &reader {
            Some(reader) => reader.probe_many(positions).map_err(|never| match never {}),
            None => Err(GamesError::NoValues),
        };
        PackedReader::new(&self.game.named, probe_many)
    }

    fn has_layers(&self) -> bool {
        false
    }

    fn check_size(&self, _: Limits) -> Result<(), GamesError> {
        Ok(())
    }

    fn parts(&self) -> Result<Vec<NumberedPart>, GamesError> {
        if !self.has_values() {
            return Err(GamesError::NoValues);
        }
        let states = self.solved.states.as_ref();
        let histogram = match states {
            Some(solution) => Some(solution.states.clone()),
            None => self.solved.histogram.clone(),
        };
        Ok(vec![NumberedPart {
            places: self.solved.places(),
            histogram: histogram.ok_or(GamesError::NoValues)?,
            is_listed: true,
            is_scanned: true,
            longest: Vec::new(),
        }])
    }

    fn positions_in(&self, _: u32, places: &[u64]) -> Vec<Vec<Position>> {
        let ranks = self.game.ranks();
        let positions = places.iter().map(|&place| match self.solved.position_in(place) {
            Some(PlacedPosition::Position(position)) => vec![self.game.named.wrap(position)],
            Some(PlacedPosition::Rank { tier, rank }) => {
                ranks.map_or(Vec::new(), |ranks| ranks.positions_at(tier, rank))
            }
            None => Vec::new(),
        });
        positions.collect()
    }

    fn plain_positions(&self, _: u32, places: &[u64]) -> Vec<Option<Position>> {
        let ranks = self.game.ranks();
        let position = |&place| match self.solved.position_in(place)? {
            PlacedPosition::Position(position) => Some(self.game.named.wrap(position)),
            PlacedPosition::Rank { tier, rank } => ranks?.position_at(tier, rank, 0),
        };
        places.iter().map(position).collect()
    }

    fn layer_of(&self, _: &Position) -> u32 {
        0
    }

    fn part_memory(&self, _: u32) -> u64 {
        0
    }

    fn open_part(&self, _: u32) -> Result<Box<dyn PlacedValues + '_>, GamesError> {
        Ok(Box::new(SolvedPlaces(self)))
    }
}

/// Values that a solve has kept in memory.
struct SolvedPlaces<'a>(&'a SolvedValues);

impl PlacedValues for SolvedPlaces<'_> {
    fn places_with<'a>(
        &'a self,
        places: Range<u64>,
        wanted: &'a dyn Fn(Value) -> bool,
    ) -> Box<dyn Iterator<Item = u64> + 'a> {
        Box::new(self.0.solved.places_with(places, wanted))
    }

    fn positions_in(&self, places: &[u64]) -> Vec<Vec<Position>> {
        self.0.positions_in(0, places)
    }
}

impl SolvedValues {
    pub(crate) fn has_values(&self) -> bool {
        self.solved.reader(&self.game.named.game).is_some()
    }

    pub(crate) fn has_every_position(&self) -> bool {
        self.solved.has_every_position()
    }

    /// Returns true if all positions were reached from the start of the game.
    pub(crate) fn is_reached_from_start(&self) -> bool {
        let start = self.game.named.game.start();
        self.start == start && self.solved.reached_as(0).is_some()
    }

    pub(crate) fn value_bytes(&self) -> u64 {
        self.solved.value_bytes()
    }

    pub(crate) fn states(&self) -> Option<&ForbiddenMoveSolution> {
        self.solved.states.as_ref()
    }

    pub(crate) fn strategy_move(&self) -> Option<AnyMove> {
        let mv = self.solved.strategy_move?;
        Some(self.game.named.wrap_move(self.start, mv))
    }

    pub(crate) fn winner(&self) -> Option<FoundWinner> {
        self.solved.winner
    }

    pub(crate) fn sample(&self) -> Option<SampleCounts> {
        let sample = self.solved.sample.as_ref()?;
        let fault = sample.faults.first().map(|fault| SampleContradiction {
            position: self.game.named.game.format(fault.position),
            value: fault.value,
            by_successors: fault.by_successors,
        });
        Some(SampleCounts { positions: sample.positions, successors: sample.successors, fault })
    }

    pub(crate) fn start_value(&self) -> Answer {
        self.solved.start
    }

    pub(crate) fn summary(&self) -> Summary {
        self.solved.summary
    }

    pub(crate) fn histogram(&self) -> Option<Histogram> {
        self.solved.histogram.clone()
    }
}

impl GameParts {
    /// Solves all positions that can be reached from `start`.
    pub(crate) fn solve_from(
        self: Arc<Self>,
        start: &Position,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<SolvedValues, GamesError> {
        let start = self.named.unwrap(start)?;
        let solution = graph::solve_from(&self.named.game, start, limits, monitor)?;
        Ok(SolvedValues { solved: Solved::of_graph(solution), start, game: self })
    }
}
