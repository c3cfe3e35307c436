//! Reads of values, which may wait for a web server.

use std::sync::{Arc, Mutex, PoisonError};

use hindsight_foreign::catch_faults;
use hindsight_games::set_stop_check;
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::exit::detached;
use crate::foreign::{catch_rules, exception_of_fault};
use crate::pool::on_shared_threads;
use crate::watch::watched;
use crate::wish::{Wish, look};

/// Reads in this thread. The wait for a server leaves the lock of the interpreter to others, and
/// ends by a signal.
pub(crate) fn read_here<T: Send>(
    py: Python<'_>,
    is_on_server: bool,
    read: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if !is_on_server {
        return catch_rules(py, read);
    }
    let wish = Wish::of_thread();
    let raised = Arc::new(Mutex::new(None));
    let heard = Arc::clone(&raised);
    let is_to_stop = move || {
        // A signal is heard once, and ends all that waits.
        let mut raised = heard.lock().unwrap_or_else(PoisonError::into_inner);
        if raised.is_none() {
            *raised = Python::attach(|py| wish.look(py)).err();
        }
        raised.is_some()
    };
    let result = detached(py, || {
        let before = set_stop_check(Some(Arc::new(is_to_stop)));
        let result = read();
        set_stop_check(before);
        result
    });
    let raised = raised.lock().ok().and_then(|mut raised| raised.take());
    raised.map_or(Ok(result), Err)
}

/// Reads on several threads, without the lock of the interpreter: on those that short work shares,
/// or on some that a signal stops while they wait for a server.
pub(crate) fn read_on_threads<T: Send>(
    py: Python<'_>,
    is_on_server: bool,
    read: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if is_on_server {
        return watched(py, None, None, |_| read());
    }
    let read = on_shared_threads(py, || catch_faults(read))?;
    read.map_err(|fault| exception_of_fault(py, fault))
}

/// Items that are read between two looks at signals.
const ITEMS_A_LOOK: usize = 1 << 18;

/// Applies `read` to parts of a list, as [`read_on_threads`] does, and looks at signals between
/// them.
pub(crate) fn read_in_parts<I: Sync, T: Send>(
    py: Python<'_>,
    is_on_server: bool,
    items: &[I],
    read: impl Fn(&[I]) -> Result<Vec<T>, hindsight_games::Error> + Sync,
) -> PyResult<Vec<T>> {
    let mut results = Vec::with_capacity(items.len());
    for part in items.chunks(ITEMS_A_LOOK) {
        results.extend(read_on_threads(py, is_on_server, || read(part))?.or_raise(py)?);
        look(py)?;
    }
    Ok(results)
}
