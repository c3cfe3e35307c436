//! Jobs on threads of their own, while the calling thread looks after them.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;

use hindsight_engine::Error;

/// Time between two looks.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);
/// Stack of a thread, in bytes.
const STACK_BYTES: usize = 1 << 23;

/// True if two jobs may run at the same time.
pub(crate) fn is_parallel() -> bool {
    rayon::current_num_threads() > 1
}

/// Runs jobs `0..count`, at the same time if there are threads for it, else one after the other.
/// Calls `look` again and again until all have ended.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started.
pub(crate) fn run_jobs<T: Send>(
    count: usize,
    job: &(dyn Fn(usize) -> T + Sync),
    look: &mut dyn FnMut(),
) -> Result<Vec<T>, Error> {
    let lanes = if is_parallel() { count } else { 1 };
    let (ended, watcher) = (&AtomicUsize::new(0), thread::current());
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for lane in 0..lanes {
            let watcher = watcher.clone();
            let jobs = move || {
                let results: Vec<T> = (lane..count).step_by(lanes).map(job).collect();
                ended.fetch_add(1, Ordering::Release);
                watcher.unpark();
                results
            };
            let builder = Builder::new().stack_size(STACK_BYTES);
            threads.push(builder.spawn_scoped(scope, jobs).map_err(Error::Thread)?);
        }
        // A thread that panics only finishes.
        while ended.load(Ordering::Acquire) < lanes
            && threads.iter().any(|thread| !thread.is_finished())
        {
            thread::park_timeout(CHECK_INTERVAL);
            look();
        }
        let joined = threads.into_iter();
        let results = joined.flat_map(|thread| thread.join().unwrap_or_else(|p| resume_unwind(p)));
        Ok(results.collect())
    })
}
