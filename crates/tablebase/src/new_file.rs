//! A file that is being made under a name of our own, until it is complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::TableError;

/// Ends the name of a file that is not complete.
const UNFINISHED_SUFFIX: &str = ".hindsight.tmp";

/// The name that a file of this name has until it is complete.
fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(UNFINISHED_SUFFIX);
    path.with_file_name(name)
}

/// The name that an unfinished file gets when it is complete, if the name is one of ours.
pub(crate) fn finished_name(name: &str) -> Option<&str> {
    name.strip_suffix(UNFINISHED_SUFFIX)
}

/// A file that did not exist before, open for writing.
#[derive(Debug)]
pub(crate) struct NewFile {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
}

impl NewFile {
    /// Makes a file that is not there yet: neither a file of somebody else nor the target of a link is
    /// ever written to.
    fn create(path: PathBuf) -> Result<Self, TableError> {
        let file = File::create_new(&path).map_err(TableError::file("create", &path))?;
        Ok(Self { path, file })
    }
}

/// Lets a file be written under another name, brought to the disk by `write`, and gives it its name. The
/// folder is brought to the disk as well. After an error nothing of it is left.
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

/// Brings the names in a folder to the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
