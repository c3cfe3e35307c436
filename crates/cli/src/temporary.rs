//! Files and folders that are to be gone when the process ends, also where no destructor runs: at a second
//! signal, or when memory ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A path that [`sweep`] removes as long as the value lives.
#[derive(Debug)]
pub(crate) struct TemporaryPath(PathBuf);

impl TemporaryPath {
    /// The path must be from the root, or the working folder must not change.
    pub(crate) fn new(path: &Path) -> Self {
        let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        paths.push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = paths.iter().position(|path| *path == self.0) {
            paths.swap_remove(at);
        }
    }
}

/// Removes all of them, as far as possible, while other threads may still write.
pub(crate) fn remove_temporaries() {
    /// Other threads may add a file to a folder that is being emptied.
    const TRIES: usize = 5;
    // Whoever holds the lock may be the thread that calls.
    let paths = match PATHS.try_lock() {
        Ok(paths) => paths,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    for path in paths.iter() {
        for _ in 0..TRIES {
            let is_folder = path.symlink_metadata().map(|found| found.is_dir());
            let removed = match is_folder {
                Ok(true) => fs::remove_dir_all(path),
                Ok(false) => fs::remove_file(path),
                Err(_) => break,
            };
            if removed.is_ok() {
                break;
            }
        }
    }
}
