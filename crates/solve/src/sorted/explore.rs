//! Exploration by sorted portions.

use hindsight_core::{Expansion, Game, Packed, PackedGame};
use hindsight_engine::checkpoint::{Blobs, Checkpoint, Damage};
use hindsight_engine::keys::{KeySet, PositionList};
use hindsight_engine::{Budget, Error, Pace, Progress, parallel};

use super::blob::{self, SortedBlob};
use crate::retrograde::GraphCode;

/// Beginning of the key of a blob with what a portion has reached.
pub(super) const PREFIX: &str = "reached-";

/// Positions that a thread expands together.
pub(super) const EXPANDED_TOGETHER: usize = 1 << 10;
/// Most positions between two looks at the limits.
pub(super) const MOST_AT_ONCE: u64 = 16 * EXPANDED_TOGETHER as u64;
/// Most successors of a portion, and their share of the memory.
const MOST_SUCCESSORS: u64 = 1 << 23;
const MEMORY_DIVISOR: u64 = 8;
/// Bytes of memory for a position afterwards: its value, and its code in a layer.
const VALUE_BYTES: u64 = 3;
/// Sets of about the same size that are merged.
const MERGED_SETS: usize = 4;

/// Positions that were reached so far: one set for each portion.
struct Reached<'a> {
    checkpoint: &'a Checkpoint<'a>,
    /// Number of positions after each portion.
    ends: Vec<u64>,
    /// Positions that were expanded, in the order of the portions.
    expanded: u64,
    /// All positions, in sets that were merged.
    known: Vec<KeySet>,
    /// The most successors of one position so far.
    most_moves: u64,
}

pub(super) fn blob_key(portion: usize) -> String {
    format!("{PREFIX}{portion:06}")
}

/// Returns all positions that can be reached.
pub(super) fn explore(
    game: &PackedGame,
    checkpoint: &Checkpoint<'_>,
    budget: &mut Budget<'_>,
    later: &dyn Fn(u64) -> u64,
) -> Result<KeySet, Error> {
    let mut reached =
        Reached { checkpoint, ends: Vec::new(), expanded: 0, known: Vec::new(), most_moves: 1 };
    reached.resume(budget)?;
    let start = game.canonical(game.start());
    if reached.ends.is_empty() {
        let mut list = PositionList::new(game.canonical_words());
        list.push(&[start]);
        reached.add(list.into_new(&[]), budget)?;
    }
    while reached.expanded < reached.len() {
        let new = reached.expand_portion(game, budget, later)?;
        reached.add(new, budget)?;
    }
    reached.merge(reached.known.len(), budget)?;
    let keys = reached.known.pop().filter(|keys| keys.find(&start).is_some());
    keys.ok_or_else(|| Error::damaged("it does not have the start"))
}

impl Reached<'_> {
    fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Reads the sets of an earlier run.
    fn resume(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        while let Some(portion) = self.checkpoint.timed(|blobs| read(blobs, self.ends.len()))? {
            self.check(budget, 0)?;
            self.expanded = portion.expanded;
            self.keep(portion.new, budget)?;
        }
        if self.expanded > self.len() {
            return Err(Error::damaged("more positions were expanded than reached"));
        }
        Ok(())
    }

    fn check(&self, budget: &mut Budget<'_>, needed: u64) -> Result<(), Error> {
        let progress = Progress { phase: "exploring", done: self.expanded, total: None };
        budget.check(progress, self.len(), 0, needed)
    }

    /// Adds the positions that the next portion leads to, in memory and in a blob.
    fn add(&mut self, new: Option<KeySet>, budget: &mut Budget<'_>) -> Result<(), Error> {
        let top = new.as_ref().map_or(Vec::new(), KeySet::top);
        let pages = new.as_ref().map_or(&[][..], KeySet::pages);
        let key = blob_key(self.ends.len());
        self.checkpoint.timed(|blobs| blob::put(blobs, &key, [self.expanded], [&top, pages]))?;
        self.keep(new, budget)
    }

    fn keep(&mut self, new: Option<KeySet>, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.ends.push(self.len() + new.as_ref().map_or(0, KeySet::len));
        self.known.extend(new);
        let size = |set: &KeySet| set.len().ilog2() / 2;
        loop {
            let newest = self.known.last().map_or(0, size);
            let same = self.known.iter().rev().take_while(|set| size(set) <= newest).count();
            if same < MERGED_SETS {
                return Ok(());
            }
            self.merge(same, budget)?;
        }
    }

    /// Merges the newest sets.
    fn merge(&mut self, count: usize, budget: &mut Budget<'_>) -> Result<(), Error> {
        if count < 2 {
            return Ok(());
        }
        let sets = &self.known[self.known.len() - count..];
        let mut stopped = Ok(());
        let merged = KeySet::merged(&sets.iter().collect::<Vec<_>>(), &mut || {
            stopped = self.check(budget, 0);
            stopped.is_ok()
        });
        stopped?;
        self.known.truncate(self.known.len() - count);
        self.known.extend(merged);
        Ok(())
    }

    /// Expands positions until they have enough successors, and returns the new ones among these.
    fn expand_portion(
        &mut self,
        game: &PackedGame,
        budget: &mut Budget<'_>,
        later: &dyn Fn(u64) -> u64,
    ) -> Result<Option<KeySet>, Error> {
        let mut list = PositionList::new(game.canonical_words());
        // A list may have twice the capacity needed.
        let successor = 2 * list.position_bytes() + size_of::<Packed>() as u64;
        let most = (budget.memory() / MEMORY_DIVISOR / successor).clamp(1, MOST_SUCCESSORS);
        let mut set: Option<(usize, KeySet)> = None;
        let mut pace = Pace::new(MOST_AT_ONCE);
        while self.expanded < self.len() && (list.len() as u64) < most {
            let portion = self.ends.partition_point(|&end| end <= self.expanded);
            if set.as_ref().is_none_or(|(number, _)| *number != portion) {
                let read = self.checkpoint.timed_beside(|blobs| read(blobs, portion))?;
                let keys = read.and_then(|read| read.new);
                let keys = keys.ok_or_else(|| Error::damaged("a set of positions is missing"))?;
                set = Some((portion, keys));
            }
            let (_, keys) = set.as_ref().expect("the set of the portion");
            let first = self.ends[portion] - keys.len();
            let begin = self.expanded - first;
            let at_once = (most / self.most_moves).clamp(1, pace.portion());
            let end = keys.len().min(begin + at_once);
            for expansion in expand_all(game, &keys.positions(begin..end))? {
                list.push(&expansion.successors);
                let moves = expansion.positions.iter().map(|position| position.successors.into());
                self.most_moves = self.most_moves.max(moves.max().unwrap_or(0));
            }
            self.expanded = first + end;
            let known: u64 = self.known.iter().map(KeySet::bytes).sum();
            let lists = successor * list.len() as u64;
            let values = VALUE_BYTES * self.len() + later(self.len());
            self.check(budget, 2 * known + lists.max(values))?;
        }
        Ok(list.into_new(&self.known))
    }
}

/// Expands positions in groups, on all threads.
///
/// # Errors
/// [`Error::TooManyMoves`] if a position has too many moves; [`Error::Store`] for words of a forged
/// checkpoint that are no position.
pub(super) fn expand_all(
    game: &PackedGame,
    positions: &[Packed],
) -> Result<Vec<Expansion<Packed>>, Error> {
    let groups = positions.len().div_ceil(EXPANDED_TOGETHER) as u64;
    parallel::try_map(0..groups, &|group| {
        let positions = &positions[group as usize * EXPANDED_TOGETHER..];
        let positions = &positions[..positions.len().min(EXPANDED_TOGETHER)];
        if !positions.iter().all(|&position| game.is_position(position)) {
            return Err(Error::damaged("it has what is no position"));
        }
        let mut expansion = Expansion::default();
        game.expand(positions, usize::MAX, &mut expansion);
        let most = expansion.positions.iter().map(|position| position.successors).max();
        if most.is_some_and(|most| most > GraphCode::MAX_MOVES.into()) {
            return Err(Error::TooManyMoves(GraphCode::MAX_MOVES));
        }
        Ok(expansion)
    })
}

/// Positions that a portion has reached.
struct Portion {
    /// Positions that were expanded after it.
    expanded: u64,
    new: Option<KeySet>,
}

fn read(blobs: &dyn Blobs, portion: usize) -> Result<Option<Portion>, Error> {
    let blob = blob::get(blobs, &blob_key(portion))?;
    let decode = |mut blob: SortedBlob<1, 2>| {
        let [expanded] = blob.numbers;
        let [top, pages] = &mut blob.parts;
        if top.is_empty() {
            return Ok(Portion { expanded, new: None });
        }
        let new = KeySet::read(top, std::mem::take(pages));
        let new = new.map_err(|Damage(fault)| blob.damaged(&fault))?;
        Ok(Portion { expanded, new: Some(new) })
    };
    blob.map(decode).transpose()
}
