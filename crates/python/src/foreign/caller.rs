//! Calls of Python for threads that work for a thread of Python.
//!
//! The caller waits for the work, and meanwhile makes the calls that the work needs: so methods of
//! users are called in the thread that asked, a signal raises its exception in them, and no two
//! threads want the lock of the interpreter.

use std::cell::RefCell;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

/// Call that is to be made.
type Job = Box<dyn FnOnce(Python<'_>) + Send>;

thread_local! {
    static CALLER: RefCell<Option<Caller>> = const { RefCell::new(None) };
}

/// Way to the thread of Python for which a thread works.
#[derive(Clone)]
pub(crate) struct Caller(Sender<Job>);

impl Caller {
    /// Makes the calls of this thread go to the caller.
    pub(crate) fn serve_thread(&self) {
        CALLER.set(Some(self.clone()));
    }

    /// Ends the wait of the caller.
    pub(crate) fn wake(&self) {
        // The caller may wait no more.
        let _ = self.0.send(Box::new(|_| ()));
    }
}

/// Calls that are to be made. When it is dropped, those who wait for one hear that it is not made.
pub(crate) struct Calls(Mutex<Receiver<Job>>);

impl Calls {
    pub(crate) fn new() -> (Caller, Self) {
        let (sender, receiver) = channel();
        (Caller(sender), Self(Mutex::new(receiver)))
    }

    /// Makes the calls that are waiting, or waits for one.
    pub(crate) fn make(&self, py: Python<'_>, time: Duration) {
        let next = self.next(py, time);
        if let Some(job) = next {
            job(py);
        }
    }

    fn next(&self, py: Python<'_>, time: Duration) -> Option<Job> {
        if let Ok(job) = self.0.lock().unwrap_or_else(PoisonError::into_inner).try_recv() {
            return Some(job);
        }
        let waited = py.detach(|| {
            let receiver = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(time)
        });
        waited.ok()
    }
}

/// Calls Python in the thread for which this one works, or in this one if it works for none.
/// Returns `None` if the caller has stopped to wait for the work.
pub(super) fn call_python<T: Send + 'static>(
    call: impl FnOnce(Python<'_>) -> T + Send + 'static,
) -> Option<T> {
    let Some(caller) = CALLER.with_borrow(Clone::clone) else {
        return Some(Python::attach(call));
    };
    let (answer, answered) = sync_channel(1);
    let job: Job = Box::new(move |py| {
        // Whoever asked may have gone.
        let _ = answer.send(call(py));
    });
    caller.0.send(job).ok()?;
    answered.recv().ok()
}
