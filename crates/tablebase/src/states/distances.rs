//! Tables of the distance of every state from the start.

use hindsight_core::{PackedGame, Ranked, States, Value};
use hindsight_run::Histogram;
use hindsight_solve::distance::{DistanceProbe, Distances, NearestDistances};

use super::encode::write_states;
use super::read::TableStatesReader;
use super::state_source::StateSource;
use crate::checkpoint::checkpoint_dir::CheckpointDir;
use crate::error::TableError;
use crate::format::info::StateHistograms;
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::reading::block_cache::BlockCache;
use crate::reading::table::Table;
use crate::symbols::ordinals::layer_shape;

/// The distances of a layer, as values: distance `n` is `Loss(n)`, an unreachable state a draw.
pub(crate) struct LayerDistances<'a> {
    game: &'a PackedGame,
    distances: &'a Distances,
    layer: u32,
    tier: u64,
    ranks: u64,
}

fn value_of_distance(distance: Option<u16>) -> Value {
    distance.map_or(Value::Draw, Value::Loss)
}

fn distance_of_value(value: Value) -> Result<Option<u16>, TableError> {
    match value {
        Value::Loss(distance) => Ok(Some(distance)),
        Value::Draw => Ok(None),
        Value::Win(_) => Err(TableError::damaged("a win in the place of a distance")),
    }
}

impl<'a> LayerDistances<'a> {
    /// Fails if the layer has more than one tier, or none.
    pub(crate) fn new(
        game: &'a PackedGame,
        layer: u32,
        distances: &'a Distances,
    ) -> Result<Self, TableError> {
        let shape = layer_shape(game.base(), layer)?;
        let ([tier], [_, ranks]) = (&shape.tiers[..], &shape.starts[..]) else {
            let reason = "it has more than one tier";
            return Err(TableError::Unfit { layer, reason });
        };
        Ok(Self { game, distances, layer, tier: *tier, ranks: *ranks })
    }
}

impl StateSource for LayerDistances<'_> {
    fn layer(&self) -> u32 {
        self.layer
    }

    fn tier(&self) -> u64 {
        self.tier
    }

    fn ranks(&self) -> u64 {
        self.ranks
    }

    fn value(&self, rank: u64) -> Option<Value> {
        match self.distances.nearest(self.tier, rank) {
            Some(nearest) => Some(Value::Loss(nearest.least)),
            None => {
                let position = self.game.base().unrank(self.tier, rank);
                position.map(|_| Value::Draw)
            }
        }
    }

    fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        let nearest = self.distances.nearest(self.tier, rank)?;
        (nearest.forbidden != 0)
            .then(|| (nearest.forbidden, value_of_distance(nearest.least_allowing)))
    }

    fn known_counts(&self) -> Option<StateHistograms> {
        let states = (0..).zip(self.distances.states_by_distance_in(self.tier));
        let states = states.filter(|(_, n)| **n > 0);
        Some(StateHistograms {
            all: states.map(|(plies, &n)| (Value::Loss(plies), n)).collect(),
            nontrivial: Histogram::default(),
        })
    }
}

impl CheckpointDir {
    /// Writes the distances of a layer with one tier to a file of its own.
    ///
    /// # Errors
    /// As [`CheckpointDir::put_states`], but for [`Layout::Distances`].
    pub fn put_distances(
        &self,
        game: &PackedGame,
        layer: u32,
        distances: &Distances,
    ) -> Result<(), TableError> {
        self.put_distances_within(game, layer, distances, u64::MAX)
    }

    /// As [`CheckpointDir::put_distances`], in `memory` bytes besides the distances, or in
    /// [`write_layer_memory`](crate::write_layer_memory) if that is more. The file is the same.
    ///
    /// # Errors
    /// As [`CheckpointDir::put_distances`].
    pub fn put_distances_within(
        &self,
        game: &PackedGame,
        layer: u32,
        distances: &Distances,
        memory: u64,
    ) -> Result<(), TableError> {
        self.layout().check_content(Layout::Distances)?;
        let layer_distances = LayerDistances::new(game, layer, distances)?;
        self.put_layer(layer, |out| write_states(out, game, &layer_distances, memory))
    }
}

impl<R: ReadAt> Table<R> {
    /// Returns a reader for the distances of `game`, which must be the game of
    /// [`TableInfo::spec`](crate::TableInfo::spec); otherwise the answers mean nothing.
    pub fn with_distances<'a>(&'a self, game: &'a PackedGame) -> TableDistancesReader<'a, R> {
        TableDistancesReader(TableStatesReader {
            game,
            layout: Layout::Distances,
            blocks: BlockCache::new(self),
        })
    }
}

/// Reads distances from a [`Table`]. [`hindsight_solve::distance::DistanceReader`] turns them into
/// distances of states and lines.
pub struct TableDistancesReader<'a, R>(TableStatesReader<'a, R>);

impl<R: ReadAt> DistanceProbe for TableDistancesReader<'_, R> {
    type Error = TableError;

    fn probe_distances(
        &self,
        tier: u64,
        rank: u64,
    ) -> Result<Option<NearestDistances>, TableError> {
        let Some((value, exception)) = self.0.value_and_exception(tier, rank)? else {
            return Ok(None);
        };
        nearest_from_values(value, exception)
    }
}

fn nearest_from_values(
    value: Value,
    exception: Option<(u8, Value)>,
) -> Result<Option<NearestDistances>, TableError> {
    let Some(least) = distance_of_value(value)? else {
        return Ok(None);
    };
    let (forbidden, without) = exception.unwrap_or((0, Value::Draw));
    Ok(Some(NearestDistances { least, forbidden, least_allowing: distance_of_value(without)? }))
}
