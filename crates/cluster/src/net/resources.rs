//! Threads and files of the system, of which there may be too few.

use std::io;
use std::sync::mpsc::channel;
use std::thread::{Builder, JoinHandle};

use crate::error::ClusterError;

/// Starts a thread.
///
/// # Errors
/// [`ClusterError::Failed`] if the system gives none.
pub(crate) fn spawn<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, ClusterError> {
    let builder = Builder::new().name(name.into());
    builder.spawn(run).map_err(no_thread)
}

/// Error of a thread that the system does not give.
pub(crate) fn no_thread(error: io::Error) -> ClusterError {
    ClusterError::Failed(format!(
        "cannot make a thread: {error}; the system's limit on memory or processes is too low \
         (ulimit -u)"
    ))
}

/// Checks that the system gives a number of threads at once: the engine makes its own, and panics
/// if it does not get one.
///
/// # Errors
/// [`ClusterError::Failed`] if it does not.
pub(crate) fn check_threads(count: usize) -> Result<(), ClusterError> {
    check_threads_of(count, Builder::new)
}

fn check_threads_of(count: usize, builder: fn() -> Builder) -> Result<(), ClusterError> {
    let mut waiting = Vec::new();
    for _ in 0..count {
        let (end, ended) = channel::<()>();
        let thread = builder().spawn(move || ended.recv().is_ok());
        waiting.push((end, thread.map_err(no_thread)?));
    }
    for (end, thread) in waiting {
        drop(end);
        let _ = thread.join();
    }
    Ok(())
}

/// True for the error of a connection or file beyond the limit of the process or the system.
pub(super) fn is_out_of_files(error: &io::Error) -> bool {
    /// `ENFILE` and `EMFILE` of every Unix.
    const TOO_MANY: [i32; 2] = [23, 24];
    cfg!(unix) && error.raw_os_error().is_some_and(|code| TOO_MANY.contains(&code))
}

#[cfg(test)]
mod tests {
    use std::thread::Builder;

    use super::{check_threads, check_threads_of};

    #[test]
    fn threads_that_cannot_be_made_are_an_error_in_words() {
        check_threads(3).expect("three threads");
        // No system has room for this stack.
        let error = check_threads_of(3, || Builder::new().stack_size(1 << 60));
        let sentence = error.expect_err("no thread").to_string();
        assert!(sentence.starts_with("cannot make a thread: "), "{sentence}");
        assert!(sentence.ends_with("(ulimit -u)"), "{sentence}");
    }
}
