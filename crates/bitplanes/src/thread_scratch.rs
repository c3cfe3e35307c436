//! Memory of each thread of the pool, kept from one parallel call to the next.
//!
//! Rayon's `map_init` makes its value anew each time it divides the work. For megabytes, fresh
//! memory takes longer than the work itself.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// One value for each thread of the pool.
pub(crate) struct ThreadScratch<T>(Vec<Padded<T>>);

/// A value in cache lines of its own. Processors fetch lines in pairs, hence 128 bytes.
#[repr(align(128))]
struct Padded<T>(Mutex<T>);

/// Values for no thread.
impl<T> Default for ThreadScratch<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ThreadScratch<T> {
    /// Makes a value for each thread of the current pool.
    pub(crate) fn new(make: impl Fn() -> T) -> Self {
        let threads = 0..rayon::current_num_threads();
        Self(threads.map(|_| Padded(Mutex::new(make()))).collect())
    }

    /// Locks the value of this thread, which no other thread asks for.
    ///
    /// The guard must not be held over a call of rayon: while it waits, this thread may take other
    /// work, which would wait for the guard for ever.
    ///
    /// # Panics
    /// If there is no value for the thread: it belongs to another, larger pool.
    #[inline(always)]
    pub(crate) fn own(&self) -> MutexGuard<'_, T> {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let own = self.0[thread].0.lock();
        own.unwrap_or_else(PoisonError::into_inner)
    }

    /// All values, in the order of the threads.
    pub(crate) fn into_all(self) -> Vec<T> {
        let values = self.0.into_iter().map(|padded| padded.0.into_inner());
        values.map(|value| value.unwrap_or_else(PoisonError::into_inner)).collect()
    }
}
