//! Exploration by sorted portions.

use hindsight_core::{Expansion, Game, Packed, PackedGame};
use hindsight_engine::checkpoint::{Blobs, Checkpoint, Damage};
use hindsight_engine::keys::{KeySet, PositionList};
use hindsight_engine::{Budget, Error, Pace, Progress, parallel};

use super::blob::{self, SortedBlob};
use crate::retrograde::GraphCode;

/// Beginning of the key of a blob with what a portion has reached.
pub(super) const PREFIX: &str = "reached-";

/// Most positions that a thread expands together.
const EXPANDED_TOGETHER: usize = 1 << 10;
/// Most positions between two looks at the limits.
pub(super) const MOST_AT_ONCE: u64 = 16 * EXPANDED_TOGETHER as u64;
/// Most successors of a portion, and their share of the memory.
const MOST_SUCCESSORS: u64 = 1 << 23;
const MEMORY_DIVISOR: u64 = 8;
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
    reached.resume(budget, later)?;
    let start = game.canonical(game.start());
    if reached.ends.is_empty() {
        let mut list = PositionList::new(game.canonical_words());
        list.push(&[start]);
        reached.add(list)?;
    }
    while reached.expanded < reached.len() {
        let (list, stopped) = reached.expand_portion(game, budget, later)?;
        reached.add(list)?;
        stopped?;
        reached.merge_newest(budget)?;
    }
    reached.check(budget, later)?;
    reached.merge(reached.known.len(), budget)?;
    let keys = reached.known.pop().filter(|keys| keys.find(&start).is_some());
    keys.ok_or_else(|| Error::damaged("it does not have the start"))
}

impl Reached<'_> {
    fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Reads the sets of an earlier run.
    fn resume(&mut self, budget: &mut Budget<'_>, later: &dyn Fn(u64) -> u64) -> Result<(), Error> {
        while let Some(portion) = self.checkpoint.timed(|blobs| read(blobs, self.ends.len()))? {
            self.expanded = portion.expanded;
            self.keep(portion.new);
            self.check(budget, later)?;
            self.merge_newest(budget)?;
        }
        if self.expanded > self.len() {
            return Err(Error::damaged("more positions were expanded than reached"));
        }
        Ok(())
    }

    fn report(&self, budget: &mut Budget<'_>, needed: u64) -> Result<(), Error> {
        let progress = Progress { phase: "exploring", done: self.expanded, total: None };
        budget.check(progress, self.len(), 0, needed)
    }

    /// Compares the memory for what was reached, and for its values later, with the limits.
    fn check(&self, budget: &mut Budget<'_>, later: &dyn Fn(u64) -> u64) -> Result<(), Error> {
        self.report(budget, self.bytes(0, later))
    }

    /// Returns the most bytes of memory for what was reached, merged or with values, and a list.
    fn bytes(&self, list: u64, later: &dyn Fn(u64) -> u64) -> u64 {
        let known: u64 = self.known.iter().map(KeySet::bytes).sum();
        known + (known + list).max(GraphCode::BYTES * self.len() + later(self.len()))
    }

    /// Adds the new ones of the positions that a portion leads to, in memory and in a blob.
    fn add(&mut self, list: PositionList) -> Result<(), Error> {
        let new = list.into_new(&self.known);
        let top = new.as_ref().map_or(Vec::new(), KeySet::top);
        let pages = new.as_ref().map_or(&[][..], KeySet::pages);
        let key = blob_key(self.ends.len());
        self.checkpoint.timed(|blobs| blob::put(blobs, &key, [self.expanded], [&top, pages]))?;
        self.keep(new);
        Ok(())
    }

    fn keep(&mut self, new: Option<KeySet>) {
        self.ends.push(self.len() + new.as_ref().map_or(0, KeySet::len));
        self.known.extend(new);
    }

    /// Merges the newest sets while there are several of about the same size.
    fn merge_newest(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
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
            stopped = self.report(budget, 0);
            stopped.is_ok()
        });
        stopped?;
        self.known.truncate(self.known.len() - count);
        self.known.extend(merged);
        Ok(())
    }

    /// Expands positions until they have enough successors, progress is due or a limit is met, and
    /// returns the successors, with the error of the limit.
    fn expand_portion(
        &mut self,
        game: &PackedGame,
        budget: &mut Budget<'_>,
        later: &dyn Fn(u64) -> u64,
    ) -> Result<(PositionList, Result<(), Error>), Error> {
        let mut list = PositionList::new(game.canonical_words());
        // A list may have twice the capacity needed, and is beside its new positions.
        let successor = 3 * list.position_bytes() + size_of::<Packed>() as u64;
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
            let stopped = self.report(budget, self.bytes(successor * list.len() as u64, later));
            if stopped.is_err() || self.checkpoint.is_due() {
                return Ok((list, stopped));
            }
        }
        Ok((list, Ok(())))
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
    let together = positions.len().div_ceil(rayon::current_num_threads());
    let groups: Vec<&[Packed]> = positions.chunks(together.clamp(1, EXPANDED_TOGETHER)).collect();
    parallel::try_map(0..groups.len() as u64, &|group| {
        let positions = groups[group as usize];
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
