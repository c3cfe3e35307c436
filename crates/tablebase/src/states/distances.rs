//! Tables of how near each state is to the start.

use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use hindsight_core::{ForbiddenMove, Ranked, Value};
use hindsight_solve::distance::{
    self, DistanceCheckpoint, DistanceProbe, DistanceStage, Distances, NearestDistances, NextStates,
};
use hindsight_solve::{Histogram, Limits, Monitor, StoreError};
use rayon::prelude::*;

use super::counts::count_states;
use super::decode::{StateFields, decode_states};
use super::read::TableStatesReader;
use super::verify::header_mismatches;
use super::{StateLayer, StateSource};
use crate::block_cache::BlockCache;
use crate::bytes::{Cursor, put_varint};
use crate::checkpoint_clock::CheckpointClock;
use crate::checksums::checksum_errors;
use crate::header_checks::state_header_faults;
use crate::ordinals::{layer_shape, ordinal_runs};
use crate::read_at::ReadAt;
use crate::verify::{MAX_REPORTED, TableVerdict};
use crate::{
    CheckpointDir, Layout, StateCounts, Table, TableError, TableInfo, blob_file, new_file,
};

/// The distances of a layer, as values: a distance of n plies is a loss in n, none a draw.
pub(crate) struct LayerDistances<'a, G> {
    game: &'a G,
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

impl<'a, G: ForbiddenMove> LayerDistances<'a, G> {
    /// Fails if the layer has not one tier.
    pub(crate) fn new(
        game: &'a G,
        layer: u32,
        distances: &'a Distances,
    ) -> Result<Self, TableError> {
        let shape = layer_shape(game.base(), layer)?;
        let ([tier], [_, ranks]) = (&shape.tiers[..], &shape.starts[..]) else {
            let reason = "it has more than one tier";
            return Err(TableError::Unfit { layer, reason });
        };
        Ok(Self {
            game,
            distances,
            layer,
            tier: *tier,
            ranks: *ranks,
        })
    }
}

impl<G: ForbiddenMove> StateSource for LayerDistances<'_, G> {
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

    fn known_counts(&self) -> Option<StateCounts> {
        let states = (0..).zip(self.distances.states_by_distance_in(self.tier));
        let states = states.filter(|(_, n)| **n > 0);
        Some(StateCounts {
            all: states.map(|(plies, &n)| (Value::Loss(plies), n)).collect(),
            nontrivial: Histogram::default(),
        })
    }
}

/// Keeps how far a search for distances has come, now and then.
#[derive(Debug)]
pub struct DistancesStore<'a> {
    work: &'a CheckpointDir,
    clock: CheckpointClock,
}

/// The first bytes of the file.
const MAGIC: [u8; 8] = *b"HSREACH\n";

impl<'a> DistancesStore<'a> {
    pub(crate) fn new(work: &'a CheckpointDir, every: Duration) -> Self {
        Self {
            work,
            clock: CheckpointClock::new(every),
        }
    }
}

impl DistanceCheckpoint for DistancesStore<'_> {
    fn is_due(&mut self) -> bool {
        self.clock.is_due()
    }

    fn put(&mut self, stage: &DistanceStage, words: &[AtomicU32]) -> Result<(), StoreError> {
        let header = search_header(stage, words.len() as u64);
        let write = |new| blob_file::write_words(new, (MAGIC, &header), words);
        let stopped = self.work.stopped_path();
        self.clock
            .timed(|| Ok(new_file::write_atomically(&stopped, write)?))
    }

    fn get(&mut self, ranks: u64) -> Result<Option<(DistanceStage, Vec<AtomicU32>)>, StoreError> {
        /// Bytes of the longest header: every distance of every tier.
        const MOST: usize = 1 << 24;
        let Some(file) = blob_file::open_blob(&self.work.stopped_path(), MAGIC, MOST)? else {
            return Ok(None);
        };
        let (stage, found) = take_search_stage(&file.header, &file.name)?;
        if found != ranks {
            let what = format!("{}: the game has another number of ranks", file.name);
            return Err(TableError::damaged(what).into());
        }
        Ok(Some((stage, file.read_words(ranks)?)))
    }
}

fn search_header(stage: &DistanceStage, ranks: u64) -> Vec<u8> {
    let mut out = Vec::new();
    let distance = stage.distance.into();
    for number in [
        ranks,
        distance,
        stage.chunks_done,
        stage.changed_words,
        stage.expanded,
    ] {
        put_varint(&mut out, number);
    }
    put_varint(&mut out, stage.states_by_tier.len() as u64);
    for tier in &stage.states_by_tier {
        put_varint(&mut out, tier.len() as u64);
        for &states in tier {
            put_varint(&mut out, states);
        }
    }
    out
}

fn take_search_stage(header: &[u8], name: &str) -> Result<(DistanceStage, u64), TableError> {
    let mut cursor = Cursor::new(header, name);
    let ranks = cursor.varint()?;
    let distance = u16::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many plies"))?;
    let (done, found, passed) = (cursor.varint()?, cursor.varint()?, cursor.varint()?);
    let mut states = Vec::new();
    for _ in 0..cursor.count()? {
        let tier = (0..cursor.count()?).map(|_| cursor.varint());
        states.push(tier.collect::<Result<Vec<u64>, TableError>>()?);
    }
    cursor.end()?;
    let stage = DistanceStage {
        distance,
        chunks_done: done,
        changed_words: found,
        expanded: passed,
        states_by_tier: states,
    };
    Ok((stage, ranks))
}

impl<R: ReadAt> Table<R> {
    /// Reads distances of a game. It must be the game of [`Info::spec`], else the answers mean nothing.
    pub fn with_distances<'a, G: ForbiddenMove>(
        &'a self,
        game: &'a G,
    ) -> TableDistancesReader<'a, G, R> {
        TableDistancesReader(TableStatesReader {
            game,
            layout: Layout::Distances,
            blocks: BlockCache::new(self),
        })
    }
}

/// Reads distances from a [`Table`]; [`reach::Reached`] makes distances of states and lines of them.
pub struct TableDistancesReader<'a, G, R>(TableStatesReader<'a, G, R>);

impl<G: ForbiddenMove, R: ReadAt> DistanceProbe for TableDistancesReader<'_, G, R> {
    type Error = TableError;

    fn probe_distances(
        &self,
        tier: u64,
        rank: u64,
    ) -> Result<Option<NearestDistances>, TableError> {
        let Some((first, exception)) = self.0.value_and_exception(tier, rank)? else {
            return Ok(None);
        };
        nearest_from_values(first, exception)
    }
}

fn nearest_from_values(
    first: Value,
    exception: Option<(u8, Value)>,
) -> Result<Option<NearestDistances>, TableError> {
    let Some(first) = distance_of_value(first)? else {
        return Ok(None);
    };
    let (way, second) = exception.unwrap_or((0, Value::Draw));
    Ok(Some(NearestDistances {
        least: first,
        forbidden: way,
        least_allowing: distance_of_value(second)?,
    }))
}

/// Checks everything in a table of distances: every byte by its checksum, and every distance by a search of
/// its own, which takes as long as the first, and [`crate::distances_memory_needed`].
///
/// # Errors
/// As [`crate::verify_states`].
pub fn verify_distances<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    let info = table.info();
    info.layout.check_content(Layout::Distances)?;
    let mut verdict = TableVerdict {
        faults: state_header_faults(info, game),
        ..TableVerdict::default()
    };
    if !verdict.faults.is_empty() {
        return Ok(verdict);
    }
    let layers = game.base().layers();
    for layer in 0..layers {
        for error in checksum_errors(&table.uncached_layer(layer)?)? {
            verdict.push_fault(Some(layer), None, error.with_causes());
        }
    }
    if !verdict.faults.is_empty() {
        return Ok(verdict);
    }
    let distances = search_distances(game, limits, monitor)?;
    for layer in 0..layers {
        match decode_states(game, layer, &table.uncached_layer(layer)?, StateFields::All) {
            Ok(said) => compare_layer(game, &said, (info, &distances), &mut verdict)?,
            Err(error) if error.is_damage() => {
                verdict.push_fault(Some(layer), None, error.with_causes());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(verdict)
}

fn search_distances<G: ForbiddenMove>(
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Distances, TableError> {
    let found = distance::solve(game, NextStates::Allowed, limits, monitor);
    found.map_err(|error| match error {
        hindsight_solve::Error::TooLarge { needed, limit, .. } => TableError::Memory {
            layer: 0,
            needed,
            limit,
        },
        hindsight_solve::Error::Time { positions, .. } => TableError::Time { positions },
        hindsight_solve::Error::Stopped => TableError::Stopped,
        error => TableError::damaged(format!("the distances cannot be found: {error}")),
    })
}

/// Compares what is said of a layer with what was found.
fn compare_layer<G: ForbiddenMove>(
    game: &G,
    said: &StateLayer,
    (info, distances): (&TableInfo, &Distances),
    verdict: &mut TableVerdict,
) -> Result<(), TableError> {
    const RUN: u64 = 1 << 16;
    let found = LayerDistances::new(game, said.layer(), distances)?;
    let layer = Some(said.layer());
    for what in header_mismatches(game, info, (&found, &count_states(game, &found))) {
        verdict.push_fault(layer, None, what);
    }
    let differ = |rank: u64| {
        (said.value(rank), said.exception(rank)) != (found.value(rank), found.exception(rank))
    };
    let run = |ranks: Range<u64>| {
        ranks
            .filter(|&rank| differ(rank))
            .take(MAX_REPORTED)
            .collect()
    };
    let runs = ordinal_runs(said.ranks(), RUN);
    let wrong = (0..said.ranks().div_ceil(RUN)).into_par_iter();
    let wrong: Vec<Vec<u64>> = wrong.map(|i| run(runs(i))).collect();
    verdict.positions_checked += said.ranks();
    for rank in wrong.into_iter().flatten() {
        let what = format!(
            "the table says {}, a search finds {}",
            distances_text(said.value(rank), said.exception(rank)),
            distances_text(found.value(rank), found.exception(rank))
        );
        verdict.push_fault(layer, Some((said.tier(), rank)), what);
    }
    Ok(())
}

/// Distances in words.
fn distances_text(first: Option<Value>, exception: Option<(u8, Value)>) -> String {
    let plies = |value: Value| match value.remoteness() {
        Some(plies) => format!("{plies} plies"),
        None => String::from("no way there"),
    };
    match (first, exception) {
        (None, _) => String::from("no position"),
        (Some(first), None) => plies(first),
        (Some(first), Some((way, second))) => {
            format!(
                "{}, and {} if way {way} is allowed",
                plies(first),
                plies(second)
            )
        }
    }
}
