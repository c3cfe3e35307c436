//! The wish that reads of slow bytes stop, which their threads ask for while they wait.

use std::cell::RefCell;
use std::sync::Arc;

use crate::error::TableError;

/// Question whether the reads of a thread are to stop.
pub type StopCheck = Arc<dyn Fn() -> bool + Send + Sync>;

thread_local! {
    static CHECK: RefCell<Option<StopCheck>> = const { RefCell::new(None) };
}

/// Returns the question of this thread, which a reader asks while it waits for a server; `None`
/// unless [`set_stop_check`] has given one.
#[must_use]
pub fn stop_check() -> Option<StopCheck> {
    CHECK.with_borrow(Clone::clone)
}

/// Gives this thread a question, or takes it away, and returns the one that it had. Threads that a
/// table starts for its reads ask what the reading thread asks.
///
/// ```
/// use std::sync::Arc;
/// use hindsight_tablebase::{set_stop_check, stop_check};
///
/// assert!(set_stop_check(Some(Arc::new(|| true))).is_none());
/// assert!(stop_check().is_some_and(|is_to_stop| is_to_stop()));
/// set_stop_check(None);
/// assert!(stop_check().is_none());
/// ```
pub fn set_stop_check(check: Option<StopCheck>) -> Option<StopCheck> {
    CHECK.replace(check)
}

/// Ends a read that its thread was asked to stop.
///
/// # Errors
/// [`TableError::Stopped`] if so.
pub(crate) fn heed_stop() -> Result<(), TableError> {
    if stop_check().is_some_and(|is_to_stop| is_to_stop()) {
        Err(TableError::Stopped)
    } else {
        Ok(())
    }
}
