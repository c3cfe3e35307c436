//! Threads that short work on many positions shares.

use std::error::Error;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use hindsight_games::{StopCheck, set_stop_check};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::exception;
use crate::exit::detached;
use crate::foreign::Caller;

/// Threads of the process that made them: a fork of it has none of them.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Makes threads: `threads` of them, or as many as the machine has for `None`. Their reads ask
/// whether they are to stop, and their calls of Python are made by the caller.
pub(crate) fn new_pool(
    py: Python<'_>,
    threads: Option<usize>,
    check: Option<StopCheck>,
    caller: Option<Caller>,
) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let pool = pool.start_handler(move |_| {
        set_stop_check(check.clone());
        if let Some(caller) = &caller {
            caller.serve_thread();
        }
    });
    pool.build().map_err(|error| no_thread(py, &error))
}

/// Returns the exception of a thread that the system does not give.
pub(crate) fn no_thread(py: Python<'_>, error: &dyn Error) -> PyErr {
    let text = format!("no thread can be made, see the limits of the system (ulimit): {error}");
    exception(py, "LimitError", &text)
}

/// Does some work on shared threads, without the lock of the interpreter.
pub(crate) fn on_shared_threads<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = shared_pool(py)?;
    Ok(detached(py, || pool.install(work)))
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
    let pool = Arc::new(new_pool(py, None, None, None)?);
    *shared = Some((own, Arc::clone(&pool)));
    Ok(pool)
}
