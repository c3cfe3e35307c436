//! Retrograde analysis ply by ply: each ply reads the moves of all open positions.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use hindsight_core::{PackedGame, Wdl};
use hindsight_engine::checkpoint::{Blobs, Checkpoint, Damage};
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

/// Values while they are found.
struct Sweeps<'a, 's> {
    moves: &'a MoveStore<'s>,
    /// Bytes of memory that the positions and all values take.
    bytes: u64,
    values: Vec<AtomicU16>,
    edges: u64,
    /// One for each chunk of moves: true if none of its positions is open.
    is_done: Vec<AtomicBool>,
    /// All values of fewer plies are known.
    plies: u16,
    /// Values of fewer plies are in the blob; 0 if there is none.
    saved: u16,
    /// Positions without a value.
    open: u64,
}

/// Finds the values of all positions, and returns them by number, with the number of legal moves.
pub(super) fn decide(
    game: &PackedGame,
    keys: &KeySet,
    checkpoint: &Checkpoint<'_>,
    budget: &mut Budget<'_>,
) -> Result<(Vec<GraphCode>, u64), Error> {
    let moves = &MoveStore::new(keys.len(), checkpoint);
    let bytes = keys.bytes() + GraphCode::BYTES * keys.len();
    let progress = Progress { phase: "moves", done: 0, total: Some(keys.len()) };
    budget.check(progress, keys.len(), 0, bytes)?;
    let saved = checkpoint.timed(|blobs| read_values(blobs, keys.len()))?;
    let begun = match saved {
        Some(saved) => saved,
        None => record(game, keys, moves, bytes, budget)?,
    };
    let SavedValues { plies, edges, chunks, values } = begun;
    let is_done = (0..chunks).map(|_| AtomicBool::new(false)).collect();
    let mut sweeps = Sweeps { moves, bytes, values, edges, is_done, plies, saved: 0, open: 0 };
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
        if writes_anew {
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
    moves.remove(chunks)?;
    let codes = sweeps.values.into_iter().map(|value| GraphCode::of_bits(value.into_inner()));
    Ok((codes.collect(), edges))
}

fn code(value: &AtomicU16) -> GraphCode {
    GraphCode::of_bits(value.load(Ordering::Relaxed))
}

/// Writes the moves of open positions, chunk by chunk, and returns what the rules tell of all.
/// `bytes` is the memory of the positions and all values.
fn record(
    game: &PackedGame,
    keys: &KeySet,
    moves: &MoveStore<'_>,
    bytes: u64,
    budget: &mut Budget<'_>,
) -> Result<SavedValues, Error> {
    let values = Vec::with_capacity(keys.len() as usize);
    let mut begun = SavedValues { plies: 1, edges: 0, chunks: 0, values };
    let mut pace = Pace::new(MOST_AT_ONCE);
    while (begun.values.len() as u64) < keys.len() {
        let mut check = |chunk: &MoveChunk| {
            let progress =
                Progress { phase: "moves", done: chunk.ranks.end, total: Some(keys.len()) };
            budget.check(progress, keys.len(), chunk.edges, bytes)
        };
        let first = begun.values.len() as u64;
        let stored = moves.checkpoint.timed_beside(|_| moves.get(begun.chunks))?;
        let is_first = |chunk: &MoveChunk| !chunk.values.is_empty() && chunk.ranks.start == first;
        let chunk = match stored.filter(is_first) {
            Some(chunk) => chunk,
            None => {
                let mut chunk = MoveChunk::new(first, 0);
                let mut stopped = Ok(());
                while stopped.is_ok() && chunk.ranks.end < keys.len() && !chunk.is_full() {
                    moves.expand(game, keys, pace.portion(), &mut chunk)?;
                    stopped = check(&chunk);
                }
                moves.checkpoint.timed(|_| moves.put(begun.chunks, &chunk))?;
                stopped?;
                chunk
            }
        };
        check(&chunk)?;
        begun.chunks += 1;
        begun.edges += chunk.edges;
        begun.values.extend(chunk.values.iter().map(|value| AtomicU16::new(value.bits())));
    }
    Ok(begun)
}

impl Sweeps<'_, '_> {
    /// Decides all positions of this ply, and returns their number. Moves that no later ply needs
    /// are left out if chunks are written anew.
    fn sweep(&mut self, writes_anew: bool, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let (mut found, total) = (0, self.values.len() as u64);
        let together = rayon::current_num_threads() as u64;
        let chunks = self.is_done.len() as u64;
        for begin in (0..chunks).step_by(together as usize) {
            let done = total - self.open + found;
            let progress = Progress { phase: "solving", done, total: Some(total) };
            let stopped = budget.check(progress, total, self.edges, self.bytes);
            if stopped.is_err() || self.moves.checkpoint.is_due() {
                self.save()?;
            }
            stopped?;
            let chunks = begin..chunks.min(begin + together);
            let decided =
                parallel::try_map(chunks, &|number| self.sweep_chunk(number, writes_anew))?;
            found += decided.iter().sum::<u64>();
        }
        Ok(found)
    }

    fn sweep_chunk(&self, number: u64, writes_anew: bool) -> Result<u64, Error> {
        let is_done = &self.is_done[number as usize];
        if is_done.load(Ordering::Relaxed) {
            return Ok(0);
        }
        let missing = || Error::damaged("moves are missing");
        let chunk = self.moves.get(number)?.ok_or_else(missing)?;
        let mut left = MoveChunk::new(chunk.ranks.start, chunk.edges);
        left.ranks.end = chunk.ranks.end;
        let (mut found, mut open, mut kept) = (0, 0, Vec::new());
        let visit = &mut |rank: u64, to: &[u64]| {
            let value = &self.values[rank as usize];
            if code(value) != GraphCode::OPEN {
                return;
            }
            open += 1;
            if writes_anew {
                kept.clear();
                // The other side wins there, as is saved: it counts no more.
                let matters = |&&to: &&u64| {
                    let code = code(&self.values[to as usize]);
                    code.is_open() || !code.wins() || code.plies() >= self.saved
                };
                kept.extend(to.iter().filter(matters));
                self.moves.put_open(&mut left, rank, &kept);
            }
            if let Some(decided) = self.decide(to) {
                value.store(decided.bits(), Ordering::Relaxed);
                found += 1;
            }
        };
        let visited = self.moves.each_open(&chunk, visit);
        visited.map_err(|Damage(fault)| Error::damaged(&fault))?;
        is_done.store(found == open, Ordering::Relaxed);
        if writes_anew {
            self.moves.put(number, &left)?;
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
            let numbers = [self.plies.into(), self.edges, self.is_done.len() as u64];
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

/// Values that were saved, or those that the rules tell.
struct SavedValues {
    /// All values of fewer plies are known.
    plies: u16,
    edges: u64,
    /// Number of chunks of moves.
    chunks: u64,
    values: Vec<AtomicU16>,
}

/// Reads saved values; `None` if they were never saved whole.
fn read_values(blobs: &dyn Blobs, positions: u64) -> Result<Option<SavedValues>, Error> {
    let mut saved = SavedValues { plies: u16::MAX, edges: 0, chunks: 0, values: Vec::new() };
    for piece in 0..positions.div_ceil(PIECE as u64) {
        let Some(blob): Option<SortedBlob<3, 1>> = blob::get(blobs, &blob_key(piece))? else {
            return Ok(None);
        };
        let [plies, edges, chunks] = blob.numbers;
        let codes = GraphCode::of_bytes(&blob.parts[0]);
        let left = positions - piece * PIECE as u64;
        let plies = u16::try_from(plies).ok().filter(|&plies| plies > 0 && chunks <= positions);
        let Some(plies) = plies.filter(|_| codes.len() as u64 == left.min(PIECE as u64)) else {
            return Err(blob.damaged("plies or values that cannot be").into());
        };
        // A save that was cut short leaves older pieces.
        saved.plies = saved.plies.min(plies);
        (saved.edges, saved.chunks) = (edges, chunks);
        saved.values.extend(codes.into_iter().map(|code| AtomicU16::new(code.bits())));
    }
    Ok(Some(saved))
}
