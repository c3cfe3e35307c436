//! Files that get their name only when they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::blobs::WriteBlob;
use crate::error::CheckpointError;

/// Suffix of the name of an incomplete file.
const INCOMPLETE_SUFFIX: &str = ".hindsight.tmp";

/// Bytes that are collected before they are written.
const BUFFER_BYTES: usize = 1 << 20;

/// Path of a file until it is complete.
fn incomplete_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(INCOMPLETE_SUFFIX);
    path.with_file_name(name)
}

/// Final name of an incomplete file, if `name` is the name of one.
pub(crate) fn finished_name(name: &str) -> Option<&str> {
    name.strip_suffix(INCOMPLETE_SUFFIX)
}

/// Creates a file under a temporary name, lets `write` fill it, syncs it, and renames it to `path`.
/// The folder is synced as well.
///
/// After an error nothing is left behind, and an old file is as it was. If only the sync of the
/// folder fails, the new file is at `path`, but a crash of the system may undo that.
///
/// The temporary file must not exist, so neither another program's file nor the target of a link is
/// overwritten.
///
/// # Errors
/// [`CheckpointError::File`] if `write` or the system fails.
pub fn write_atomically(path: &Path, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError> {
    let incomplete = incomplete_path(path);
    let file = File::create_new(&incomplete);
    let file = file.map_err(CheckpointError::file("create", &incomplete))?;
    let written = fill(file, write).map_err(CheckpointError::file("write", &incomplete));
    let done = written.and_then(|()| {
        fs::rename(&incomplete, path).map_err(CheckpointError::file("rename", &incomplete))
    });
    if let Err(error) = done {
        drop(fs::remove_file(&incomplete));
        return Err(error);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(CheckpointError::file("write", folder))
}

/// Writes a file through a buffer, and syncs it.
fn fill(file: File, write: &mut WriteBlob<'_>) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(BUFFER_BYTES, file);
    write(&mut file)?;
    file.into_inner()
        .map_err(io::IntoInnerError::into_error)?
        .sync_all()
}
