//! Unfinished files that runs have left which were killed: they are named, and never removed, since
//! a lock does not tell everywhere that a run is still at work.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hindsight_games::files::{BlobFolder, FolderLock, is_locked};

use super::identity::parent_folder;
use super::print_message;

/// End of the name of an unfinished file.
pub(super) const PARTIAL_SUFFIX: &str = ".partial";

/// Start of the name of a folder of layers beside a table.
pub(crate) const LAYERS_PREFIX: &str = ".hindsight-";

/// End of the name of a folder of layers beside a table.
pub(crate) const LAYERS_SUFFIX: &str = ".layers";

/// Characters drawn at random between the start and the end of a name.
const RANDOM_CHARS: usize = 6;

/// Returns the first part of an unfinished file's name: its final name, shortened, and a dot.
pub(super) fn partial_prefix(target: &Path) -> OsString {
    /// Bytes of the final name that are kept. Most file systems allow 255 in all.
    const ROOM: usize = 200;
    let name = target.file_name().unwrap_or_default().as_bytes();
    let mut prefix = OsStr::from_bytes(&name[..name.len().min(ROOM)]).to_owned();
    prefix.push(".");
    prefix
}

/// Names the unfinished files of an output that nobody works at.
pub(super) fn name_leftovers(target: &Path) {
    let prefix = partial_prefix(target);
    let found = entries_between(target, prefix.as_bytes(), PARTIAL_SUFFIX.as_bytes());
    for path in found {
        if path.symlink_metadata().is_ok_and(|found| found.is_file()) {
            name_leftover(&path, is_locked(&path));
        }
    }
}

/// Names the folders of layers beside a table that nobody works in.
pub(crate) fn name_leftover_layers(table: &Path) {
    let found = entries_between(table, LAYERS_PREFIX.as_bytes(), LAYERS_SUFFIX.as_bytes());
    for path in found.into_iter().filter(|path| BlobFolder::is_checkpoint(path)) {
        name_leftover(&path, is_locked(&path.join(FolderLock::NAME)));
    }
}

fn name_leftover(path: &Path, is_locked: Option<bool>) {
    let name = path.display();
    match is_locked {
        Some(true) => {}
        Some(false) => print_message(&format!(
            "hindsight: '{name}' was left by a run that was killed, and may be removed"
        )),
        None => print_message(&format!(
            "hindsight: '{name}' is of another run; if that was killed, it may be removed"
        )),
    }
}

/// Entries of the folder of a file whose names are a start, some characters and an end.
fn entries_between(file: &Path, start: &[u8], end: &[u8]) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent_folder(file));
    let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name());
    let is_wanted = |name: &OsString| {
        let rest = name.as_bytes().strip_prefix(start);
        let middle = rest.and_then(|rest| rest.strip_suffix(end));
        middle.is_some_and(|middle| {
            middle.len() == RANDOM_CHARS && middle.iter().all(u8::is_ascii_alphanumeric)
        })
    };
    let mut found: Vec<PathBuf> =
        names.filter(is_wanted).map(|name| file.with_file_name(name)).collect();
    found.sort();
    found
}
