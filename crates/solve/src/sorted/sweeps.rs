//! Retrograde analysis ply by ply: each ply reads the moves of all open positions.

use std::sync::atomic::{AtomicU16, Ordering};

use hindsight_core::{PackedGame, Wdl};
use hindsight_engine::checkpoint::{Blobs, Damage};
use hindsight_engine::keys::KeySet;
use hindsight_engine::{Budget, Error, Pace, Progress, parallel};

use super::blob::{self, SortedBlob};
use super::explore::MOST_AT_ONCE;
use super::moves::{MoveChunk, MoveStore};
use crate::retrograde::GraphCode;

/// Beginning of the key of a blob of values.
const PREFIX: &str = "values-";
/// Values of a blob.
const PIECE: usize = 1 << 24;

/// Values of all positions by number.
pub(super) struct DecidedValues {
    pub(super) codes: Vec<GraphCode>,
    /// Number of legal moves.
    pub(super) edges: u64,
}

/// Values while they are found.
struct Sweeps<'a, 's> {
    moves: &'a MoveStore<'s>,
    values: Vec<AtomicU16>,
    edges: u64,
    /// All values of fewer plies are known.
    plies: u16,
    /// Values of fewer plies are in the blob; 0 if there is none.
    saved: u16,
    /// Positions without a value.
    open: u64,
}

/// Finds the values of all positions.
pub(super) fn decide(
    game: &PackedGame,
    keys: &KeySet,
    moves: &mut MoveStore<'_>,
    budget: &mut Budget<'_>,
) -> Result<DecidedValues, Error> {
    let saved = moves.checkpoint.timed(|blobs| read_values(blobs, keys.len()))?;
    let mut sweeps = match saved {
        Some(SavedValues { plies, edges, values }) => {
            Sweeps { moves, values, edges, plies, saved: plies, open: 0 }
        }
        None => {
            let (values, edges) = record(game, keys, moves, budget)?;
            Sweeps { moves, values, edges, plies: 1, saved: 0, open: 0 }
        }
    };
    let longest = sweeps.values.iter().map(code).filter(|code| !code.is_open());
    let mut longest = longest.map(GraphCode::plies).max().unwrap_or(0);
    sweeps.open =
        sweeps.values.iter().filter(|value| code(value) == GraphCode::OPEN).count() as u64;
    let mut written = sweeps.open;
    // A ply decides nothing unless the one before, or the rules, did.
    while sweeps.plies <= longest.saturating_add(1) && sweeps.open > 0 {
        if sweeps.plies > GraphCode::MAX_REMOTENESS {
            return Err(Error::TooLong(GraphCode::MAX_REMOTENESS));
        }
        let writes_anew = 2 * sweeps.open < written;
        if writes_anew || moves.checkpoint.is_due() {
            sweeps.save()?;
        }
        let found = sweeps.sweep(writes_anew, budget)?;
        if writes_anew {
            written = sweeps.open;
        }
        sweeps.open -= found;
        if found > 0 {
            longest = longest.max(sweeps.plies);
        }
        sweeps.plies += 1;
    }
    sweeps.save()?;
    let codes = sweeps.values.into_iter().map(|value| GraphCode::of_bits(value.into_inner()));
    Ok(DecidedValues { codes: codes.collect(), edges: sweeps.edges })
}

fn code(value: &AtomicU16) -> GraphCode {
    GraphCode::of_bits(value.load(Ordering::Relaxed))
}

/// Writes the moves of open positions, chunk by chunk, and returns what the rules tell of all, with
/// the number of legal moves.
fn record(
    game: &PackedGame,
    keys: &KeySet,
    moves: &MoveStore<'_>,
    budget: &mut Budget<'_>,
) -> Result<(Vec<AtomicU16>, u64), Error> {
    let mut values = Vec::with_capacity(keys.len() as usize);
    let (mut edges, mut pace) = (0, Pace::new(MOST_AT_ONCE));
    for number in 0..moves.chunks() {
        let mut check = |done, edges| {
            let progress = Progress { phase: "moves", done, total: Some(keys.len()) };
            budget.check(progress, keys.len(), edges, 0)
        };
        let range = moves.range(number);
        check(range.start, edges)?;
        let stored = moves.checkpoint.timed_beside(|_| moves.get(number))?;
        let stored = stored.filter(|chunk| !chunk.values.is_empty());
        let chunk = match stored {
            Some(chunk) => chunk,
            None => {
                let mut chunk = MoveChunk { edges: 0, values: Vec::new(), open: Vec::new() };
                let mut last_open = range.start;
                let mut begin = range.start;
                while begin < range.end {
                    let end = range.end.min(begin + pace.portion());
                    moves.expand(game, keys, begin..end, &mut last_open, &mut chunk)?;
                    check(end, edges + chunk.edges)?;
                    begin = end;
                }
                moves.checkpoint.timed(|_| moves.put(number, &chunk))?;
                chunk
            }
        };
        edges += chunk.edges;
        values.extend(chunk.values.iter().map(|value| AtomicU16::new(value.bits())));
    }
    Ok((values, edges))
}

impl Sweeps<'_, '_> {
    /// Decides all positions of this ply, and returns their number. Moves that no later ply needs
    /// are left out if chunks are written anew.
    fn sweep(&self, writes_anew: bool, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let (mut found, total) = (0, self.values.len() as u64);
        let together = rayon::current_num_threads() as u64;
        for begin in (0..self.moves.chunks()).step_by(together as usize) {
            let done = total - self.open + found;
            let progress = Progress { phase: "solving", done, total: Some(total) };
            budget.check(progress, total, self.edges, 0)?;
            let chunks = begin..self.moves.chunks().min(begin + together);
            let decided =
                parallel::try_map(chunks, &|number| self.sweep_chunk(number, writes_anew))?;
            found += decided.iter().sum::<u64>();
        }
        Ok(found)
    }

    fn sweep_chunk(&self, number: u64, writes_anew: bool) -> Result<u64, Error> {
        let missing = || Error::damaged("moves are missing");
        let mut chunk = self.moves.get(number)?.ok_or_else(missing)?;
        let (mut found, mut left, mut kept) = (0, Vec::new(), Vec::new());
        let mut last_open = self.moves.range(number).start;
        let visit = &mut |rank: u64, to: &[u64]| {
            let value = &self.values[rank as usize];
            if code(value) != GraphCode::OPEN {
                return;
            }
            if writes_anew {
                kept.clear();
                // The other side wins there, as is saved: it counts no more.
                let matters = |&&to: &&u64| {
                    let code = code(&self.values[to as usize]);
                    code.is_open() || !code.wins() || code.plies() >= self.saved
                };
                kept.extend(to.iter().filter(matters));
                self.moves.put_open(&mut left, rank - last_open, &kept);
                last_open = rank;
            }
            if let Some(decided) = self.decide(to) {
                value.store(decided.bits(), Ordering::Relaxed);
                found += 1;
            }
        };
        let visited = self.moves.each_open(number, &chunk.open, visit);
        visited.map_err(|Damage(fault)| Error::damaged(&fault))?;
        if writes_anew {
            chunk = MoveChunk { values: Vec::new(), open: left, ..chunk };
            self.moves.put(number, &chunk)?;
        }
        Ok(found)
    }

    /// Returns the value of a position with moves to some others, if it is decided in this ply.
    fn decide(&self, to: &[u64]) -> Option<GraphCode> {
        let mut loses = true;
        for &to in to {
            let code = code(&self.values[to as usize]);
            // A code with as many plies or more comes from this ply, or is a given one: not known
            // yet.
            if code.is_open() || code.plies() >= self.plies {
                loses = false;
            } else if !code.wins() {
                return Some(GraphCode::decided(Wdl::Win, self.plies));
            }
        }
        loses.then(|| GraphCode::decided(Wdl::Loss, self.plies))
    }

    /// Saves all values.
    fn save(&mut self) -> Result<(), Error> {
        for (number, values) in (0..).zip(self.values.chunks(PIECE)) {
            let bytes: Vec<u8> =
                values.iter().flat_map(|value| code(value).bits().to_le_bytes()).collect();
            let numbers = [self.plies.into(), self.edges];
            let key = blob_key(number);
            self.moves.checkpoint.timed(|blobs| blob::put(blobs, &key, numbers, [&bytes]))?;
        }
        self.saved = self.plies;
        Ok(())
    }
}

fn blob_key(piece: u64) -> String {
    format!("{PREFIX}{piece:06}")
}

/// Values that were saved.
struct SavedValues {
    plies: u16,
    edges: u64,
    values: Vec<AtomicU16>,
}

/// Reads saved values; `None` if they were never saved whole.
fn read_values(blobs: &dyn Blobs, positions: u64) -> Result<Option<SavedValues>, Error> {
    let mut saved = SavedValues { plies: u16::MAX, edges: 0, values: Vec::new() };
    for piece in 0..positions.div_ceil(PIECE as u64) {
        let Some(blob): Option<SortedBlob<2, 1>> = blob::get(blobs, &blob_key(piece))? else {
            return Ok(None);
        };
        let [plies, edges] = blob.numbers;
        let codes = GraphCode::of_bytes(&blob.parts[0]);
        let left = positions - piece * PIECE as u64;
        let plies = u16::try_from(plies).ok().filter(|&plies| plies > 0);
        let Some(plies) = plies.filter(|_| codes.len() as u64 == left.min(PIECE as u64)) else {
            return Err(blob.damaged("plies or values that cannot be").into());
        };
        // A save that was cut short leaves older pieces.
        saved.plies = saved.plies.min(plies);
        saved.edges = edges;
        saved.values.extend(codes.into_iter().map(|code| AtomicU16::new(code.bits())));
    }
    Ok(Some(saved))
}
