//! Threads that short work on many positions shares.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use hindsight_games::Error;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{OrRaise, exception};
use crate::exit::detached;

/// Threads of the process that made them: a fork of it has none of them.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Positions that are read between two looks at signals.
const POSITIONS_A_LOOK: usize = 1 << 18;

/// Makes threads: `threads` of them, or as many as the machine has for `None`.
pub(crate) fn new_pool(py: Python<'_>, threads: Option<usize>) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    pool.build().map_err(|error| {
        let text = format!("no thread can be made, see the limits of the system (ulimit): {error}");
        exception(py, "LimitError", &text)
    })
}

/// Does some work on shared threads, without the lock of the interpreter.
pub(crate) fn on_shared_threads<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = shared_pool(py)?;
    Ok(detached(py, || pool.install(work)))
}

/// Applies `read` to parts of a list on shared threads, and looks at signals between them.
pub(crate) fn read_in_parts<I: Sync, T: Send>(
    py: Python<'_>,
    items: &[I],
    read: impl Fn(&[I]) -> Result<Vec<T>, Error> + Sync,
) -> PyResult<Vec<T>> {
    let mut results = Vec::with_capacity(items.len());
    for part in items.chunks(POSITIONS_A_LOOK) {
        results.extend(on_shared_threads(py, || read(part))?.or_raise(py)?);
        py.check_signals()?;
    }
    Ok(results)
}

fn shared_pool(py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let own = process::id();
    if let Some((maker, pool)) = shared.take() {
        if maker == own {
            *shared = Some((maker, Arc::clone(&pool)));
            return Ok(pool);
        }
        // Its threads are in another process, so that nobody can end them here.
        std::mem::forget(pool);
    }
    let pool = Arc::new(new_pool(py, None)?);
    *shared = Some((own, Arc::clone(&pool)));
    Ok(pool)
}
