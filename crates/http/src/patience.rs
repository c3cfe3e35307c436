//! Waits for a server that end when the caller wishes so.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use hindsight_tablebase::StopCheck;

use crate::error::HttpError;

/// Time between two questions whether a wait is to end.
const INTERVAL: Duration = Duration::from_millis(50);

/// Does a request: in a thread of its own if the wait for it may end before it does. A request that
/// nobody waits for any more ends by its own limits of time.
pub(crate) fn patiently<T: Send + 'static>(
    check: Option<&StopCheck>,
    request: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    let Some(is_to_stop) = check else {
        return request();
    };
    let (sender, answer) = mpsc::sync_channel(1);
    // The receiver is gone if the wait has ended.
    let send = move || drop(sender.send(request()));
    let thread = thread::Builder::new().name("hindsight request".into());
    let begun = thread.spawn(send);
    begun.map_err(|error| HttpError::Unreachable(format!("no thread can be made: {error}")))?;
    loop {
        match answer.recv_timeout(INTERVAL) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => return Err(HttpError::Lost),
            Err(RecvTimeoutError::Timeout) if is_to_stop() => return Err(HttpError::Stopped),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Waits before a request is repeated.
pub(crate) fn pause(check: Option<&StopCheck>, time: Duration) -> Result<(), HttpError> {
    let end = Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        if check.is_some_and(|is_to_stop| is_to_stop()) {
            return Err(HttpError::Stopped);
        }
        thread::sleep(left.min(INTERVAL));
    }
}
