//! Locks that keep two programs from working in one folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::CheckpointError;

/// Start of the text in a lock file; the number of the process follows.
const HOLDER_PREFIX: &str = "process ";

/// Longest text of a lock file, in bytes.
const MAX_TEXT_BYTES: u64 = 64;

/// A folder that this process owns as long as the value lives.
///
/// The system frees the lock when the process ends, even if it is killed. A lock file left behind
/// locks nothing. On a file system without locks every process gets the lock.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// Locked until it is closed.
    _file: File,
}

impl FolderLock {
    /// Name of the lock file. Its text names the process that holds the lock.
    pub const NAME: &str = "hindsight.lock";

    /// Locks an existing folder.
    ///
    /// # Errors
    /// - [`CheckpointError::InUse`] if the folder is locked, by this process or another.
    /// - [`CheckpointError::Foreign`] if another program made the lock file.
    /// - [`CheckpointError::File`] if the lock file cannot be written or locked.
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
            if is_at(&file, &path) {
                write_holder(&mut file).map_err(CheckpointError::file("write", &path))?;
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // The file is removed before it is closed, so nobody else can hold the lock yet. A file
        // that stays does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns false if somebody else has the lock that was tried.
fn is_free(tried: Result<(), TryLockError>) -> io::Result<bool> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // The file system has no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Opens the lock file, or creates it. Links are not followed.
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
        let is_ours = path
            .symlink_metadata()
            .map(|found| found.is_file() && found.len() <= MAX_TEXT_BYTES);
        match is_ours {
            Ok(true) => {}
            Ok(false) => return Err(CheckpointError::Foreign(path.to_path_buf())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(CheckpointError::file("read", path)(error)),
        }
        match options().open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => {
                let mut file = opened.map_err(CheckpointError::file("open", path))?;
                let text = read_text(&mut file).map_err(CheckpointError::file("read", path))?;
                if text.is_empty() || text.starts_with(HOLDER_PREFIX) {
                    return Ok(file);
                }
                return Err(CheckpointError::Foreign(path.to_path_buf()));
            }
        }
    }
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

/// Returns true if an open file is the one at `path`.
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity =
        |found: io::Result<fs::Metadata>| found.ok().map(|file| (file.dev(), file.ino()));
    let own = identity(file.metadata());
    own.is_some() && own == identity(path.symlink_metadata())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, TryLockError};
    use std::io;

    use super::{FolderLock, is_free};
    use crate::error::CheckpointError;

    #[test]
    fn a_folder_has_one_holder_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = FolderLock::take(folder.path()).expect("a free folder");
        let refused = FolderLock::take(folder.path());
        let refused = refused.expect_err("a locked folder");
        let process = Some(std::process::id());
        assert!(matches!(refused, CheckpointError::InUse { process: p, .. } if p == process));
        let text = format!(
            "'{}' is in use by this program: name another folder",
            folder.path().display()
        );
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
        for kind in [io::ErrorKind::Other, io::ErrorKind::PermissionDenied] {
            assert_eq!(failed(kind.into()).expect_err("a fault").kind(), kind);
        }
    }

    #[test]
    fn a_file_of_a_killed_process_locks_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(FolderLock::NAME), "process 1\n").expect("a file");
        FolderLock::take(folder.path()).expect("a free folder");
    }

    #[test]
    fn files_of_other_programs_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FolderLock::NAME);
        fs::write(&path, "mine").expect("a file");
        let refused = FolderLock::take(folder.path());
        assert!(matches!(refused, Err(CheckpointError::Foreign(_))));
        assert_eq!(fs::read(&path).expect("the file"), b"mine");
        let other = folder.path().join("other");
        fs::rename(&path, &other).expect("a file");
        std::os::unix::fs::symlink(&other, &path).expect("a link");
        let refused = FolderLock::take(folder.path());
        assert!(matches!(refused, Err(CheckpointError::Foreign(_))));
        assert_eq!(fs::read(&other).expect("the file"), b"mine");
    }
}
