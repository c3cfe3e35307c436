//! Judged choices of games that end in any order.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_play::{MoveVerdict, PlayQuality};

/// Games after which an agent is given up, if none of them had a position to judge.
const MAX_BARREN_GAMES: u64 = 1000;

/// Judged choices of an agent's games, shared by all threads.
pub(super) struct JudgedGames {
    /// Number of choices that are enough.
    wanted: u64,
    are_enough: AtomicBool,
    counted: Mutex<CountedGames>,
}

/// Choices of finished games.
///
/// Invariant: games count in the order of their numbers, so the result does not depend on the
/// threads.
#[derive(Default)]
struct CountedGames {
    quality: PlayQuality,
    /// Finished games by number that wait for an earlier one.
    waiting: BTreeMap<u64, Vec<MoveVerdict>>,
    /// Number of games that count so far.
    games: u64,
}

impl JudgedGames {
    pub(crate) fn new(wanted: u64) -> Self {
        Self { wanted, are_enough: AtomicBool::new(wanted == 0), counted: Mutex::default() }
    }

    pub(super) fn are_enough(&self) -> bool {
        self.are_enough.load(Ordering::Relaxed)
    }

    /// Adds a finished game; returns the number of choices that count more than before.
    ///
    /// # Errors
    /// Many games had no position to judge; the error is their number.
    pub(crate) fn add(&self, number: u64, verdicts: Vec<MoveVerdict>) -> Result<u64, u64> {
        let mut counted = self.counted.lock().expect("no panic while it is locked");
        let before = counted.quality.all.choices;
        counted.waiting.insert(number, verdicts);
        counted.count(self.wanted);
        let choices = counted.quality.all.choices;
        if choices >= self.wanted || counted.are_barren() {
            self.are_enough.store(true, Ordering::Relaxed);
        }
        if counted.are_barren() { Err(counted.games) } else { Ok(choices - before) }
    }

    pub(crate) fn finish(self) -> PlayQuality {
        let counted = self.counted.into_inner();
        counted.expect("no panic while it is locked").quality
    }
}

impl CountedGames {
    /// Counts the games that need not wait any more, up to a number of choices.
    fn count(&mut self, wanted: u64) {
        while !self.are_barren()
            && let Some(verdicts) = self.waiting.remove(&self.games)
        {
            self.games += 1;
            let missing = wanted - self.quality.all.choices;
            let verdicts = verdicts.iter().take(missing as usize);
            verdicts.for_each(|verdict| self.quality.add(verdict));
        }
    }

    /// Returns true if [`MAX_BARREN_GAMES`] games had no position to judge.
    fn are_barren(&self) -> bool {
        self.quality.all.choices == 0 && self.games >= MAX_BARREN_GAMES
    }
}
