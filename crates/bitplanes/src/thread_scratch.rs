//! What each thread has of its own, kept from one call of the pool to the next.
//!
//! `map_init` of rayon makes anew what a thread needs each time it divides its work. Of megabytes that is new memory
//! each time, which takes longer than what is done in it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// One for each thread of the pool.
pub(crate) struct ThreadScratch<T>(Vec<Padded<T>>);

/// In cache lines of its own, and in none that is fetched with another thread's.
#[repr(align(128))]
struct Padded<T>(Mutex<T>);

/// For no thread.
impl<T> Default for ThreadScratch<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ThreadScratch<T> {
    /// For the pool of this thread.
    pub(crate) fn new(each: impl Fn() -> T) -> Self {
        let threads = 0..rayon::current_num_threads();
        Self(threads.map(|_| Padded(Mutex::new(each()))).collect())
    }

    /// This thread's, which no other thread asks for.
    #[inline(always)]
    pub(crate) fn own(&self) -> MutexGuard<'_, T> {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let own = self.0[thread].0.lock();
        own.unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn into_all(self) -> Vec<T> {
        let all = self.0.into_iter().map(|own| own.0.into_inner());
        all.map(|own| own.unwrap_or_else(PoisonError::into_inner))
            .collect()
    }
}
