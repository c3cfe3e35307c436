//! Files that get their name only when they are complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::TableError;

/// Suffix of the name of an incomplete file.
const UNFINISHED_SUFFIX: &str = ".hindsight.tmp";

/// Path of a file until it is complete.
fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(UNFINISHED_SUFFIX);
    path.with_file_name(name)
}

/// Final name of an incomplete file, if `name` is the name of one.
pub(crate) fn finished_name(name: &str) -> Option<&str> {
    name.strip_suffix(UNFINISHED_SUFFIX)
}

/// A new file, open for writing.
#[derive(Debug)]
pub(crate) struct NewFile {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
}

impl NewFile {
    /// Creates a file that must not exist, so neither another program's file nor the target of a
    /// link is overwritten.
    fn create(path: PathBuf) -> Result<Self, TableError> {
        let file = File::create_new(&path).map_err(TableError::file("create", &path))?;
        Ok(Self { path, file })
    }
}

/// Creates a file under a temporary name, lets `write` fill and sync it, and renames it to `path`.
/// The folder is synced as well. After an error nothing is left behind.
pub(crate) fn write_atomically(
    path: &Path,
    write: impl FnOnce(NewFile) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let new = NewFile::create(unfinished_path(path))?;
    let unfinished = new.path.clone();
    let done = write(new).and_then(|()| {
        fs::rename(&unfinished, path).map_err(TableError::file("rename", &unfinished))
    });
    if let Err(error) = done {
        drop(fs::remove_file(&unfinished));
        return Err(error);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    sync_folder(folder).map_err(TableError::file("write", folder))
}

/// Syncs the names in a folder to the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
