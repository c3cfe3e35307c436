use std::cmp::Reverse;

use crate::puzzle::Puzzle;

/// Collects puzzles; keeps the hardest and counts all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HardestPuzzles<P, M> {
    max_kept: usize,
    found: u64,
    kept: Vec<Puzzle<P, M>>,
}

impl<P, M> HardestPuzzles<P, M> {
    /// Returns an empty collection that keeps at most `max_kept` puzzles.
    #[must_use]
    pub fn new(max_kept: usize) -> Self {
        Self {
            max_kept,
            found: 0,
            kept: Vec::new(),
        }
    }

    /// Adds puzzles.
    ///
    /// Memory: at most `2 * max(max_kept, 64) + 1` puzzles stay after each call.
    pub fn add(&mut self, puzzles: Vec<Puzzle<P, M>>) {
        self.found += puzzles.len() as u64;
        self.kept.extend(puzzles);
        if self.kept.len() / 2 > self.max_kept.max(64) {
            self.sort();
        }
    }

    /// Number of puzzles added, kept or not.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Returns the kept puzzles, hardest first; equally hard ones in the order they were added.
    #[must_use]
    pub fn finish(mut self) -> Vec<Puzzle<P, M>> {
        self.sort();
        self.kept
    }

    fn sort(&mut self) {
        self.kept.sort_by_key(|puzzle| Reverse(puzzle.grade));
        self.kept.truncate(self.max_kept);
    }
}
