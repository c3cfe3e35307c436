//! Paths of the workers of a search, from the root to the current position of each.

use std::sync::atomic::{AtomicU16, Ordering};

use super::table::TableKey;

/// Number of hash classes: many more than positions on a path.
const HASH_CLASSES: usize = 1 << 12;

/// Number of positions on the paths of all workers with the attacker to move, for each hash class.
pub(super) struct SharedPaths {
    hash_counts: Vec<AtomicU16>,
}

impl SharedPaths {
    pub(super) fn new() -> Self {
        let hash_counts = (0..HASH_CLASSES).map(|_| AtomicU16::new(0));
        Self { hash_counts: hash_counts.collect() }
    }
}

/// Positions from the root to the current one.
pub(super) struct SearchPath<'a> {
    keys: Vec<TableKey>,
    /// Number of positions on this path in each hash class.
    hash_counts: Vec<u16>,
    shared: Option<&'a SharedPaths>,
}

fn class(hash: u64) -> usize {
    hash as usize % HASH_CLASSES
}

impl<'a> SearchPath<'a> {
    pub(super) fn new(shared: Option<&'a SharedPaths>) -> Self {
        Self { keys: Vec::new(), hash_counts: vec![0; HASH_CLASSES], shared }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn push(&mut self, key: TableKey) {
        let class = class(key.hash);
        self.hash_counts[class] += 1;
        if let Some(shared) = self.shared.filter(|_| key.attacks) {
            shared.hash_counts[class].fetch_add(1, Ordering::Relaxed);
        }
        self.keys.push(key);
    }

    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let class = class(key.hash);
            self.hash_counts[class] -= 1;
            if let Some(shared) = self.shared.filter(|_| key.attacks) {
                shared.hash_counts[class].fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// Returns the index of a position on the path.
    pub(super) fn find(&self, key: TableKey) -> Option<usize> {
        let may_be_there = self.hash_counts[class(key.hash)] > 0;
        may_be_there.then(|| self.keys.iter().position(|earlier| *earlier == key))?
    }

    /// True if the attacker is to move and the position is on the path of another worker; seldom
    /// true for others.
    ///
    /// Workers part where the defender is to move: all of its moves are refuted in the end. Of the
    /// attacker's moves one is enough.
    pub(super) fn is_busy(&self, key: TableKey) -> bool {
        let class = class(key.hash);
        self.shared.filter(|_| key.attacks).is_some_and(|shared| {
            shared.hash_counts[class].load(Ordering::Relaxed) > self.hash_counts[class]
        })
    }
}
