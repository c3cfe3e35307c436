use std::cmp::Reverse;

use crate::puzzle::Puzzle;

/// The hardest of the puzzles found, and how many those were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hardest<P, M> {
    most: usize,
    found: u64,
    kept: Vec<Puzzle<P, M>>,
}

impl<P, M> Hardest<P, M> {
    /// Keeps at most so many.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            most,
            found: 0,
            kept: Vec::new(),
        }
    }

    /// Takes what was found.
    pub fn add(&mut self, puzzles: Vec<Puzzle<P, M>>) {
        self.found += puzzles.len() as u64;
        self.kept.extend(puzzles);
        if self.kept.len() / 2 > self.most.max(64) {
            self.sort();
        }
    }

    /// How many were found.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.found
    }

    /// The hardest, hardest first; of equal ones the first that was found.
    #[must_use]
    pub fn finish(mut self) -> Vec<Puzzle<P, M>> {
        self.sort();
        self.kept
    }

    fn sort(&mut self) {
        self.kept.sort_by_key(|puzzle| Reverse(puzzle.grade));
        self.kept.truncate(self.most);
    }
}
