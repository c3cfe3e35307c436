//! Files and folders that are removed when the process ends, even if no destructor runs: at a
//! second signal, or without memory.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::sleep;
use std::time::Duration;

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Guard of a path: while it lives, [`remove_temporaries`] removes the path.
#[derive(Debug)]
pub(crate) struct TemporaryPath(PathBuf);

impl TemporaryPath {
    /// Makes a file or folder and registers its path, so that none is missed that was made. A
    /// relative path requires that the working folder does not change.
    pub(crate) fn make<T, E>(
        make: impl FnOnce() -> Result<T, E>,
        path: impl FnOnce(&T) -> PathBuf,
    ) -> Result<MadePath<T>, E> {
        // The lock is held meanwhile: `remove_temporaries` waits for it.
        let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        let made = make()?;
        let path = path(&made);
        paths.push(path.clone());
        Ok(MadePath { made, temporary: Self(path) })
    }
}

/// A new file or folder, and the guard of its path.
pub(crate) struct MadePath<T> {
    pub(crate) made: T,
    pub(crate) temporary: TemporaryPath,
}

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = paths.iter().position(|path| *path == self.0) {
            paths.swap_remove(index);
        }
    }
}

/// Waits for the list of paths; not for long, since the calling thread itself may hold it.
fn lock_soon() -> Option<MutexGuard<'static, Vec<PathBuf>>> {
    const ATTEMPTS: u32 = 50;
    let attempt = |_| match PATHS.try_lock() {
        Ok(paths) => Some(paths),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            sleep(Duration::from_millis(2));
            None
        }
    };
    (0..ATTEMPTS).find_map(attempt)
}

/// Removes all registered paths, as far as possible, before the process ends. Other threads may
/// still write to them. A thread that makes another one waits for the end of the process.
pub(crate) fn remove_temporaries() {
    /// Attempts per path: another thread may add a file to a folder that is being emptied.
    const ATTEMPTS: usize = 5;
    let Some(paths) = lock_soon() else {
        return;
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
    std::mem::forget(paths);
}
