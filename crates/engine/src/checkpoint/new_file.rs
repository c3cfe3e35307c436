//! Files that get their name only when they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::checkpoint::blobs::WriteBlob;
use crate::checkpoint::error::CheckpointError;
use crate::checkpoint::file_system::{sync_file, sync_folder};

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
/// The folder is synced as well, where the file system can.
///
/// After an error nothing is left behind, and an old file is as it was. If only the sync of the
/// folder fails, the new file is at `path`, but a crash of the system may undo that.
///
/// The temporary file must not exist, so neither another program's file nor the target of a link is
/// overwritten.
///
/// # Errors
/// [`CheckpointError::File`] if `write` or the system fails. It names the file at `path`, or the
/// one that is in the way of the temporary file.
pub fn write_atomically(path: &Path, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError> {
    let incomplete = incomplete_path(path);
    let file = File::create_new(&incomplete);
    let file = file.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CheckpointError::file("create", &incomplete)(error),
        _ => CheckpointError::file("write", path)(error),
    })?;
    let done = fill(file, write).and_then(|()| fs::rename(&incomplete, path));
    if let Err(error) = done {
        drop(fs::remove_file(&incomplete));
        return Err(CheckpointError::file("write", path)(error));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    sync_folder(folder).map_err(CheckpointError::file("write", folder))
}

/// Writes a file through a buffer, and syncs it.
fn fill(file: File, write: &mut WriteBlob<'_>) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(BUFFER_BYTES, file);
    write(&mut file)?;
    sync_file(&file.into_inner().map_err(io::IntoInnerError::into_error)?)
}
