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

use super::counts::count;
use super::decode::{Part, decode};
use super::read::StatesReader;
use super::verify::header_faults;
use super::{StateLayer, States};
use crate::blocks::Blocks;
use crate::bytes::{Cursor, put_varint};
use crate::clock::Clock;
use crate::fits::lies_of_states;
use crate::read::ReadAt;
use crate::shape::{runs, shape};
use crate::sums::damage;
use crate::verify::{TOLD, Verdict};
use crate::{Error, Info, Layout, StateCounts, Table, Work, new_file, words};

/// The distances of a layer, as values: a distance of n plies is a loss in n, none a draw.
pub(crate) struct DistancesOf<'a, G> {
    game: &'a G,
    distances: &'a Distances,
    layer: u32,
    tier: u64,
    ranks: u64,
}

fn value(distance: Option<u16>) -> Value {
    distance.map_or(Value::Draw, Value::Loss)
}

fn distance(value: Value) -> Result<Option<u16>, Error> {
    match value {
        Value::Loss(distance) => Ok(Some(distance)),
        Value::Draw => Ok(None),
        Value::Win(_) => Err(Error::damaged("a win in the place of a distance")),
    }
}

impl<'a, G: ForbiddenMove> DistancesOf<'a, G> {
    /// Fails if the layer has not one tier.
    pub(crate) fn new(game: &'a G, layer: u32, distances: &'a Distances) -> Result<Self, Error> {
        let shape = shape(game.base(), layer)?;
        let ([tier], [_, ranks]) = (&shape.tiers[..], &shape.starts[..]) else {
            let reason = "it has more than one tier";
            return Err(Error::Unfit { layer, reason });
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

impl<G: ForbiddenMove> States for DistancesOf<'_, G> {
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
        (nearest.forbidden != 0).then(|| (nearest.forbidden, value(nearest.least_allowing)))
    }

    fn states(&self) -> Option<StateCounts> {
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
    work: &'a Work,
    clock: Clock,
}

/// The first bytes of the file.
const MAGIC: [u8; 8] = *b"HSREACH\n";

impl<'a> DistancesStore<'a> {
    pub(crate) fn new(work: &'a Work, every: Duration) -> Self {
        Self {
            work,
            clock: Clock::new(every),
        }
    }
}

impl DistanceCheckpoint for DistancesStore<'_> {
    fn is_due(&mut self) -> bool {
        self.clock.is_due()
    }

    fn put(&mut self, stage: &DistanceStage, words: &[AtomicU32]) -> Result<(), StoreError> {
        let header = header(stage, words.len() as u64);
        let write = |new| words::write(new, (MAGIC, &header), words);
        let stopped = self.work.stopped();
        self.clock.timed(|| Ok(new_file::put(&stopped, write)?))
    }

    fn get(&mut self, ranks: u64) -> Result<Option<(DistanceStage, Vec<AtomicU32>)>, StoreError> {
        /// Bytes of the longest header: every distance of every tier.
        const MOST: usize = 1 << 24;
        let Some(file) = words::open(&self.work.stopped(), MAGIC, MOST)? else {
            return Ok(None);
        };
        let (stage, found) = take_stage(&file.header, &file.name)?;
        if found != ranks {
            let what = format!("{}: the game has another number of ranks", file.name);
            return Err(Error::damaged(what).into());
        }
        Ok(Some((stage, file.words(ranks)?)))
    }
}

fn header(stage: &DistanceStage, ranks: u64) -> Vec<u8> {
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

fn take_stage(header: &[u8], name: &str) -> Result<(DistanceStage, u64), Error> {
    let mut cursor = Cursor::new(header, name);
    let ranks = cursor.varint()?;
    let distance = u16::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many plies"))?;
    let (done, found, passed) = (cursor.varint()?, cursor.varint()?, cursor.varint()?);
    let mut states = Vec::new();
    for _ in 0..cursor.count()? {
        let tier = (0..cursor.count()?).map(|_| cursor.varint());
        states.push(tier.collect::<Result<Vec<u64>, Error>>()?);
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
    ) -> DistancesReader<'a, G, R> {
        DistancesReader(StatesReader {
            game,
            layout: Layout::Distances,
            blocks: Blocks::new(self),
        })
    }
}

/// Reads distances from a [`Table`]; [`reach::Reached`] makes distances of states and lines of them.
pub struct DistancesReader<'a, G, R>(StatesReader<'a, G, R>);

impl<G: ForbiddenMove, R: ReadAt> DistanceProbe for DistancesReader<'_, G, R> {
    type Error = Error;

    fn probe_distances(&self, tier: u64, rank: u64) -> Result<Option<NearestDistances>, Error> {
        let Some((first, exception)) = self.0.known(tier, rank)? else {
            return Ok(None);
        };
        nearest(first, exception)
    }
}

fn nearest(
    first: Value,
    exception: Option<(u8, Value)>,
) -> Result<Option<NearestDistances>, Error> {
    let Some(first) = distance(first)? else {
        return Ok(None);
    };
    let (way, second) = exception.unwrap_or((0, Value::Draw));
    Ok(Some(NearestDistances {
        least: first,
        forbidden: way,
        least_allowing: distance(second)?,
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
) -> Result<Verdict, Error> {
    let info = table.info();
    info.layout.keeps(Layout::Distances)?;
    let mut verdict = Verdict {
        faults: lies_of_states(info, game),
        ..Verdict::default()
    };
    if !verdict.faults.is_empty() {
        return Ok(verdict);
    }
    let layers = game.base().layers();
    for layer in 0..layers {
        for error in damage(&table.layer_alone(layer)?)? {
            verdict.fault(Some(layer), None, error.with_causes());
        }
    }
    if !verdict.faults.is_empty() {
        return Ok(verdict);
    }
    let distances = search(game, limits, monitor)?;
    for layer in 0..layers {
        match decode(game, layer, &table.layer_alone(layer)?, Part::States) {
            Ok(said) => compare(game, &said, (info, &distances), &mut verdict)?,
            Err(error) if error.is_damage() => {
                verdict.fault(Some(layer), None, error.with_causes());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(verdict)
}

fn search<G: ForbiddenMove>(
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Distances, Error> {
    let found = distance::solve(game, NextStates::Allowed, limits, monitor);
    found.map_err(|error| match error {
        hindsight_solve::Error::TooLarge { needed, limit, .. } => Error::Memory {
            layer: 0,
            needed,
            limit,
        },
        hindsight_solve::Error::Time { positions, .. } => Error::Time { positions },
        hindsight_solve::Error::Stopped => Error::Stopped,
        error => Error::damaged(format!("the distances cannot be found: {error}")),
    })
}

/// Compares what is said of a layer with what was found.
fn compare<G: ForbiddenMove>(
    game: &G,
    said: &StateLayer,
    (info, distances): (&Info, &Distances),
    verdict: &mut Verdict,
) -> Result<(), Error> {
    const RUN: u64 = 1 << 16;
    let found = DistancesOf::new(game, said.layer(), distances)?;
    let layer = Some(said.layer());
    for what in header_faults(game, info, (&found, &count(game, &found))) {
        verdict.fault(layer, None, what);
    }
    let differ = |rank: u64| {
        (said.value(rank), said.exception(rank)) != (found.value(rank), found.exception(rank))
    };
    let run = |ranks: Range<u64>| ranks.filter(|&rank| differ(rank)).take(TOLD).collect();
    let runs = runs(said.ranks(), RUN);
    let wrong = (0..said.ranks().div_ceil(RUN)).into_par_iter();
    let wrong: Vec<Vec<u64>> = wrong.map(|i| run(runs(i))).collect();
    verdict.positions_checked += said.ranks();
    for rank in wrong.into_iter().flatten() {
        let what = format!(
            "the table says {}, a search finds {}",
            tell(said.value(rank), said.exception(rank)),
            tell(found.value(rank), found.exception(rank))
        );
        verdict.fault(layer, Some((said.tier(), rank)), what);
    }
    Ok(())
}

/// Distances in words.
fn tell(first: Option<Value>, exception: Option<(u8, Value)>) -> String {
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
