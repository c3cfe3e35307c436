//! Data that the workers of a search share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::leaf_numbers::LeafNumbers;
use super::search_path::SharedPaths;
use super::table::SharedTable;

/// Part `1 / DEFENCE_MEMORY_DIVISOR` of the memory is for the verification of results.
const DEFENCE_MEMORY_DIVISOR: u64 = 4;

/// Flags and counters that a worker shares with the thread that started it.
pub(super) struct SearchSignals<'a> {
    pub(super) stop: &'a AtomicBool,
    /// Number of the current round. A search ends with the round in which it began.
    pub(super) round: &'a AtomicU32,
    /// Positions expanded.
    pub(super) expansions: &'a AtomicU64,
}

/// End of the work of one worker.
#[derive(Clone, Copy, Debug)]
pub(super) enum SearchEnd {
    /// The result of the search.
    Decided {
        attacker_wins: bool,
        /// Most plies of the win of the attacker, or of the defender, if a bound is known.
        plies: Option<u16>,
    },
    /// The search was stopped, its round is over, or another worker verifies the result.
    Interrupted,
    /// The result needs more memory to be verified.
    OutOfMemory,
}

/// Data of a search that all its workers share.
pub(super) struct SharedSearch {
    pub(super) table: SharedTable,
    pub(super) leaf_numbers: LeafNumbers,
    /// Paths of the workers; `None` if there is one only.
    pub(super) paths: Option<SharedPaths>,
    /// Bytes allowed for [`super::search::ProofSearch::verify_defence`].
    pub(super) defence_bytes: u64,
    /// Held by the worker that verifies the result.
    pub(super) verification: Mutex<()>,
    /// True once a draw was met, or a path that ends without a win.
    has_draws: AtomicBool,
}

impl SharedSearch {
    /// Creates the data of a search with a memory limit in bytes, over positions of `words` words.
    pub(super) fn new(bytes: u64, words: usize, has_many_workers: bool) -> Self {
        Self {
            table: SharedTable::new(
                bytes - bytes / DEFENCE_MEMORY_DIVISOR - LeafNumbers::example_bytes(bytes),
                words,
            ),
            leaf_numbers: LeafNumbers::new(words, bytes),
            paths: has_many_workers.then(SharedPaths::new),
            defence_bytes: bytes / DEFENCE_MEMORY_DIVISOR,
            verification: Mutex::new(()),
            has_draws: AtomicBool::new(false),
        }
    }

    pub(super) fn note_draw(&self) {
        self.has_draws.store(true, Ordering::Relaxed);
    }

    pub(super) fn has_draws(&self) -> bool {
        self.has_draws.load(Ordering::Relaxed)
    }

    /// True if a worker verifies the result.
    pub(super) fn is_being_verified(&self) -> bool {
        self.verification.try_lock().is_err()
    }
}
