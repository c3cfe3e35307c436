//! Locks that keep two programs from working in one folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::checkpoint::error::CheckpointError;
use crate::checkpoint::file_system::is_lacking;
use crate::checkpoint::system::{NO_LOCKS, has_same_file};

/// Start of the text in a lock file; the number of the process follows.
const HOLDER_PREFIX: &str = "process ";

/// Longest text of a lock file that is read, in bytes.
const MAX_TEXT_BYTES: u64 = 64;

/// A folder that this process owns as long as the value lives.
///
/// The system frees the lock when the process ends, even if it is killed. A lock file left behind
/// locks nothing, whatever its text: a loss of power may leave it empty, cut or full of zeros. On a
/// file system without locks every process gets the lock.
#[derive(Debug)]
pub struct FolderLock {
    /// Path of the lock file that is to be removed; `None` for a file with a text of somebody else.
    own_path: Option<PathBuf>,
    /// Locked until it is closed.
    _file: File,
}

impl FolderLock {
    /// Name of the lock file. Its text is a hint: the process that holds the lock.
    pub const NAME: &str = "hindsight.lock";

    /// Locks an existing folder.
    ///
    /// # Errors
    /// - [`CheckpointError::InUse`] if the folder is locked, by this process or another.
    /// - [`CheckpointError::Foreign`] if a link, a folder or the like has the name of the lock
    ///   file.
    /// - [`CheckpointError::File`] if the lock file cannot be opened or locked.
    pub fn take(folder: &Path) -> Result<Self, CheckpointError> {
        let path = folder.join(Self::NAME);
        loop {
            let mut file = open_lock_file(&path)?;
            if !is_free(file.try_lock()).map_err(CheckpointError::file("lock", &path))? {
                return Err(CheckpointError::InUse {
                    folder: folder.to_path_buf(),
                    process: read_holder(&mut file),
                });
            }
            // The previous holder may have removed the file after it was opened here.
            if has_same_file(&file, &path) {
                let is_own = read_text(&mut file).is_ok_and(|text| is_own_text(&text));
                if is_own {
                    // Nothing depends on the text, so a full disk is no failure.
                    let _ = write_holder(&mut file);
                }
                return Ok(Self { own_path: Some(path).filter(|_| is_own), _file: file });
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // The file is removed before it is closed, so nobody else can hold the lock yet. A file
        // that stays does no harm.
        if let Some(path) = &self.own_path {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns true if a process holds the lock of a file; `None` if that cannot be known, because the
/// file cannot be opened or the file system has no locks.
#[must_use]
pub fn is_locked(path: &Path) -> Option<bool> {
    match File::open(path).ok()?.try_lock_shared() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}

/// Returns false if somebody else has the lock that was tried.
fn is_free(tried: Result<(), TryLockError>) -> io::Result<bool> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // The file system has no locks, or its server of locks does not run.
        Err(TryLockError::Error(error)) if is_lacking(&error, NO_LOCKS) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Opens the lock file, or creates it. Links are not followed. The text of a file does not matter.
fn open_lock_file(path: &Path) -> Result<File, CheckpointError> {
    let options = || {
        let mut options = File::options();
        options.read(true).write(true);
        options
    };
    loop {
        match options().create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map_err(CheckpointError::file("create", path)),
        }
        match path.symlink_metadata().map(|found| found.is_file()) {
            Ok(true) => {}
            Ok(false) => return Err(CheckpointError::Foreign(path.to_path_buf())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(CheckpointError::file("read", path)(error)),
        }
        match options().open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened.map_err(CheckpointError::file("open", path)),
        }
    }
}

/// Returns true if a text is that of a lock file, or what a loss of power has left of one.
fn is_own_text(text: &str) -> bool {
    let text = text.trim_matches('\0');
    text.starts_with(HOLDER_PREFIX) || HOLDER_PREFIX.starts_with(text)
}

fn read_text(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(MAX_TEXT_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Number of the process that a lock file names.
fn read_holder(file: &mut File) -> Option<u32> {
    let text = read_text(file).ok()?;
    text.strip_prefix(HOLDER_PREFIX)?.trim().parse().ok()
}

fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    writeln!(file, "{HOLDER_PREFIX}{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, TryLockError};
    use std::io;

    use rustix::io::Errno;

    use super::{FolderLock, is_free, is_locked};
    use crate::checkpoint::error::CheckpointError;

    #[test]
    fn a_folder_has_one_holder_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = FolderLock::take(folder.path()).expect("a free folder");
        let refused = FolderLock::take(folder.path());
        let refused = refused.expect_err("a locked folder");
        let process = Some(std::process::id());
        assert!(matches!(refused, CheckpointError::InUse { process: p, .. } if p == process));
        let text =
            format!("'{}' is in use by this program: name another folder", folder.path().display());
        assert_eq!(refused.to_string(), text);
        drop(lock);
        assert!(!folder.path().join(FolderLock::NAME).exists());
        FolderLock::take(folder.path()).expect("a folder that is free again");
    }

    #[test]
    fn only_file_systems_without_locks_lock_nothing() {
        assert!(is_free(Ok(())).expect("a lock"));
        assert!(!is_free(Err(TryLockError::WouldBlock)).expect("a lock"));
        let failed = |error: io::Error| is_free(Err(TryLockError::Error(error)));
        assert!(failed(io::ErrorKind::Unsupported.into()).expect("no locks"));
        for lack in [Errno::NOLCK, Errno::NOSYS, Errno::OPNOTSUPP, Errno::INVAL] {
            assert!(failed(lack.into()).expect("no locks"));
        }
        for kind in [io::ErrorKind::Other, io::ErrorKind::PermissionDenied] {
            assert_eq!(failed(kind.into()).expect_err("a fault").kind(), kind);
        }
    }

    #[test]
    fn a_file_of_a_killed_process_or_a_loss_of_power_locks_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FolderLock::NAME);
        let zeros = "\0".repeat(4096);
        for text in ["process 1\n", "process 12", "proc", "", &zeros, "process 1\n\0\0"] {
            fs::write(&path, text).expect("a file");
            let lock = FolderLock::take(folder.path()).expect("a free folder");
            let own = format!("process {}\n", std::process::id());
            assert_eq!(fs::read_to_string(&path).expect("a text"), own);
            assert_eq!(is_locked(&path), Some(true));
            drop(lock);
            assert!(!path.exists());
            assert_eq!(is_locked(&path), None);
        }
    }

    #[test]
    fn files_of_other_programs_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FolderLock::NAME);
        fs::write(&path, "mine").expect("a file");
        let lock = FolderLock::take(folder.path()).expect("a free folder");
        let refused = FolderLock::take(folder.path()).expect_err("a locked folder");
        assert!(matches!(refused, CheckpointError::InUse { process: None, .. }));
        drop(lock);
        assert_eq!(is_locked(&path), Some(false));
        assert_eq!(fs::read(&path).expect("the file"), b"mine");
        let other = folder.path().join("other");
        fs::rename(&path, &other).expect("a file");
        std::os::unix::fs::symlink(&other, &path).expect("a link");
        let refused = FolderLock::take(folder.path());
        assert!(matches!(refused, Err(CheckpointError::Foreign(_))));
        assert_eq!(fs::read(&other).expect("the file"), b"mine");
    }
}
