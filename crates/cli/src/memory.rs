//! Memory that the process needs, and free space on disks, in bytes.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Error, Result, anyhow, bail};
use hindsight_games::memory::{free_disk_bytes, resident_bytes};

use crate::sizes::{format_needed, format_size};

/// Bytes of one thread's stack and buffers.
const BYTES_PER_THREAD: u64 = 1 << 19;

/// See [`note_host`].
static HOST_BYTES: AtomicU64 = AtomicU64::new(0);

/// See [`with_its_tables`].
static GAME_BYTES: AtomicU64 = AtomicU64::new(0);

/// See [`note_command`].
static COMMAND_BYTES: AtomicU64 = AtomicU64::new(0);

/// Bytes of the process without the data of a solver or an agent: the program, its text and file
/// buffers, what the command draws or serves, the tables by which a game numbers its positions, and
/// [`BYTES_PER_THREAD`] for each thread.
pub(crate) fn program_bytes() -> u64 {
    // Measured with two threads: 8 to 14 MiB in a release build, 10 to 16 MiB with debug
    // assertions. Two runs of one command differ by up to 1 MiB: the system maps as much of the
    // program as it has in its cache.
    const PROGRAM: u64 = if cfg!(debug_assertions) { 17 << 20 } else { 15 << 20 };
    let host = HOST_BYTES.load(Ordering::Relaxed);
    let game = GAME_BYTES.load(Ordering::Relaxed);
    let command = COMMAND_BYTES.load(Ordering::Relaxed);
    PROGRAM + host + command + game + BYTES_PER_THREAD * rayon::current_num_threads() as u64
}

/// Notes the bytes that the command needs besides those of every command
/// ([`Command::own_memory`](crate::args::Command::own_memory)). They are part of
/// [`program_bytes`] from now on.
pub(crate) fn note_command(bytes: u64) {
    COMMAND_BYTES.store(bytes, Ordering::Relaxed);
}

/// Makes a game. Its tables are part of [`program_bytes`] from now on.
pub(crate) fn with_its_tables<T>(make: impl FnOnce() -> T) -> T {
    /// Bytes of the program that the system may map meanwhile.
    const MAPPED: u64 = 2 << 20;
    let before = resident_bytes();
    let made = make();
    let tables = resident_bytes().saturating_sub(before);
    if tables > MAPPED {
        GAME_BYTES.fetch_max(tables, Ordering::Relaxed);
    }
    made
}

/// See [`crate::note_host`].
pub(crate) fn note_host() {
    // Measured: 3 to 4 MiB when `hindsight` begins.
    const BEGINNING: u64 = 5 << 20;
    let host = resident_bytes().saturating_sub(BEGINNING);
    HOST_BYTES.store(host, Ordering::Relaxed);
}

/// Bytes of the process now, plus [`BYTES_PER_THREAD`] for each thread; at least [`program_bytes`].
pub(crate) fn process_bytes() -> u64 {
    program_bytes().max(resident_bytes() + (rayon::current_num_threads() as u64) * BYTES_PER_THREAD)
}

/// Returns the bytes that a limit leaves for an analysis, which runs more of the program than any
/// other command.
///
/// # Errors
/// The limit is below what the process needs without the data of the analysis.
pub(crate) fn rest_for_analysis(limit: u64) -> Result<u64> {
    // Measured: 14 MiB of program text at the end, 10 MiB before the analysis; and the stacks and
    // first tables of the searches.
    const MORE_PROGRAM: u64 = 6 << 20;
    // Two calls differ by less, so the limit that an error names suffices.
    const SPREAD: u64 = 4 << 20;
    let needed = process_bytes() + MORE_PROGRAM;
    let rest = limit.checked_sub(needed);
    rest.ok_or_else(|| too_little(limit, needed + SPREAD))
}

/// Refuses a limit below [`program_bytes`].
pub(crate) fn check_limit(limit: u64) -> Result<()> {
    check_rest(limit, 0)
}

/// Refuses a limit below [`program_bytes`] and `bytes` more.
pub(crate) fn check_rest(limit: u64, bytes: u64) -> Result<()> {
    let needed = program_bytes().saturating_add(bytes);
    match limit < needed {
        true => Err(too_little(limit, needed)),
        false => Ok(()),
    }
}

fn too_little(limit: u64, needed: u64) -> Error {
    anyhow!(
        "this does not fit in memory: it takes at least {}, and {} are allowed (--memory)",
        format_needed(needed),
        format_size(limit)
    )
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
