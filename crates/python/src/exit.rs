//! The end of the interpreter while calls of other threads are under way.
//!
//! Before Python 3.14, a thread that asks for the lock of an interpreter that has ended is ended
//! itself, in the middle of our code, which aborts the process. So calls are ended before.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// True once the interpreter is about to end.
static IS_EXITING: AtomicBool = AtomicBool::new(false);
/// Number of calls that are under way.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Longest wait for calls to end.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Time between two looks at their number.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// Returns true if long work is to stop because the interpreter is about to end.
pub(crate) fn is_exiting() -> bool {
    IS_EXITING.load(Ordering::Relaxed)
}

/// Call that may leave the lock of the interpreter to other threads.
pub(crate) struct Call(());

impl Call {
    /// Begins a call. In a thread that is left over when the interpreter is about to end, this
    /// never returns.
    pub(crate) fn begin(py: Python<'_>) -> Self {
        if is_exiting() {
            py.detach(|| {
                loop {
                    thread::park();
                }
            })
        }
        CALLS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        CALLS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Does some work without the lock of the interpreter.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    let _call = Call::begin(py);
    py.detach(work)
}

/// Asks all calls to stop, and waits until they have ended. To be called when the interpreter is
/// about to end.
#[pyfunction]
pub(crate) fn end_calls(py: Python<'_>) {
    IS_EXITING.store(true, Ordering::Relaxed);
    py.detach(|| {
        let begin = Instant::now();
        while CALLS.load(Ordering::SeqCst) > 0 && begin.elapsed() < LONGEST_WAIT {
            thread::sleep(LOOK_INTERVAL);
        }
    });
}
