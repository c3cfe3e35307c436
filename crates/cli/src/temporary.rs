//! Files and folders that are removed when the process ends, even if no destructor runs: at a
//! second signal, or without memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Guard of a path: while it lives, [`remove_temporaries`] removes the path.
#[derive(Debug)]
pub(crate) struct TemporaryPath(PathBuf);

impl TemporaryPath {
    /// Registers a path. A relative one requires that the working folder does not change.
    pub(crate) fn new(path: &Path) -> Self {
        let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        paths.push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = paths.iter().position(|path| *path == self.0) {
            paths.swap_remove(index);
        }
    }
}

/// Removes all registered paths, as far as possible. Other threads may still write to them.
pub(crate) fn remove_temporaries() {
    /// Attempts per path: another thread may add a file to a folder that is being emptied.
    const ATTEMPTS: usize = 5;
    // No waiting for the lock: the calling thread itself may hold it.
    let paths = match PATHS.try_lock() {
        Ok(paths) => paths,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    for path in paths.iter() {
        for _ in 0..ATTEMPTS {
            let is_folder = path.symlink_metadata().map(|metadata| metadata.is_dir());
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
