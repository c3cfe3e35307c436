//! Answers about single positions, kept for some time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use hindsight_core::{Packed, Wdl};

/// Positions and successors that one generation holds: some 30 megabytes.
const GENERATION: usize = 1 << 20;

/// Answers about a position.
pub(crate) struct KnownPosition {
    /// The result for the side to move, if the game is over.
    pub(crate) result: Option<Wdl>,
    /// Number of successors.
    pub(crate) moves: u32,
    /// Bytes of the successors.
    pub(crate) successors: Box<[u8]>,
    /// Bytes of their canonical members.
    pub(crate) canonical: OnceLock<Box<[u8]>>,
    pub(crate) names: OnceLock<Vec<String>>,
    /// Tier and rank, if the position has them.
    pub(crate) address: OnceLock<Option<(u64, u64)>>,
}

/// Positions that were asked for recently. When a generation is full, the one before is dropped.
#[derive(Default)]
pub(crate) struct RecentPositions(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    new: HashMap<Packed, Arc<KnownPosition>>,
    old: HashMap<Packed, Arc<KnownPosition>>,
    /// Positions and successors in `new`.
    size: usize,
}

impl RecentPositions {
    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, position: &Packed) -> Option<Arc<KnownPosition>> {
        let mut generations = self.lock();
        if let Some(known) = generations.new.get(position) {
            return Some(known.clone());
        }
        let known = generations.old.remove(position)?;
        generations.insert(*position, known.clone());
        Some(known)
    }

    pub(crate) fn has(&self, position: &Packed) -> bool {
        let generations = self.lock();
        generations.new.contains_key(position) || generations.old.contains_key(position)
    }

    pub(crate) fn insert(&self, position: Packed, known: Arc<KnownPosition>) {
        self.lock().insert(position, known);
    }
}

impl Generations {
    fn insert(&mut self, position: Packed, known: Arc<KnownPosition>) {
        self.size += 1 + known.moves as usize;
        self.new.insert(position, known);
        if self.size > GENERATION {
            std::mem::swap(&mut self.old, &mut self.new);
            self.new.clear();
            self.size = 0;
        }
    }
}
