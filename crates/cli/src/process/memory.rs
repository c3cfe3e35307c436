//! Memory that the process needs, and free space on disks, in bytes.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hindsight_games::memory::{free_disk_bytes, resident_bytes};

use crate::shown::sizes::{format_needed, format_size};

/// Returns the bytes of the program, its text and file buffers and the stacks of its threads.
pub(crate) fn own_bytes() -> u64 {
    // Measured with two threads: 8 to 14 MiB in a release build, 10 to 16 MiB with debug
    // assertions. Two runs of one command differ by up to 1 MiB: the system maps as much of the
    // program as it has in its cache.
    const PROGRAM: u64 = if cfg!(debug_assertions) { 17 << 20 } else { 15 << 20 };
    PROGRAM + thread_bytes()
}

/// Returns the bytes of another program that is about to run a command, such as Python: what the
/// process has beyond the first pages of our own.
pub(crate) fn host_bytes() -> u64 {
    // Measured: 3 to 4 MiB when `hindsight` begins.
    const BEGINNING: u64 = 5 << 20;
    resident_bytes().saturating_sub(BEGINNING)
}

/// Bytes of the stacks and buffers of the threads.
pub(crate) fn thread_bytes() -> u64 {
    (rayon::current_num_threads() as u64) << 19
}

/// Refuses `needs`, pairs of path and bytes, if they exceed the free space of their disks.
/// Needs on the same disk are added up.
pub(crate) fn check_disk(needs: &[(&Path, u64)]) -> Result<()> {
    for &(path, _) in needs {
        let Some(ancestor) = nearest_existing(path) else {
            continue;
        };
        let Ok(device) = ancestor.metadata().map(|metadata| metadata.dev()) else {
            continue;
        };
        let on_same_disk = |&&(other, _): &&(&Path, u64)| {
            let other = nearest_existing(other).and_then(|other| other.metadata().ok());
            other.is_some_and(|metadata| metadata.dev() == device)
        };
        let needed = needs.iter().filter(on_same_disk).map(|need| need.1);
        let needed = needed.fold(0, u64::saturating_add);
        match free_disk_bytes(&ancestor) {
            Some(free) if free < needed => bail!(
                "not enough disk for '{}': up to {} may be needed, {} are free",
                path.display(),
                format_needed(needed),
                format_size(free)
            ),
            _ => {}
        }
    }
    Ok(())
}

/// Canonical path of the nearest ancestor of `path` that exists, `path` itself included.
fn nearest_existing(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let ancestor = path.ancestors().find(|folder| folder.exists())?;
    ancestor.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use hindsight_games::memory::free_disk_bytes;

    use super::{check_disk, nearest_existing};

    #[test]
    fn needs_on_one_disk_are_added_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let [table, layers] = ["t", "new/ck"].map(|name| folder.path().join(name));
        let free = nearest_existing(&table).and_then(|path| free_disk_bytes(&path));
        let bytes = free.expect("a disk") / 5 * 3;
        let check = |needs: &[(&Path, u64)]| check_disk(needs).map_err(|error| error.to_string());
        assert_eq!(check(&[(&table, bytes)]), Ok(()));
        assert_eq!(check(&[(&layers, bytes)]), Ok(()));
        let error = check(&[(&table, bytes), (&layers, bytes)]).expect_err("too little room");
        assert!(error.contains("not enough disk for"), "{error}");
    }
}
