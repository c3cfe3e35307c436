//! The memory of the process and the room on disks: what there is, and what is allowed.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use rustix::process::{Resource, getrlimit};

use crate::sizes::{format_needed, format_size};

/// A line `Name:  123 kB` of a file of the kernel's, in bytes.
fn proc_bytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes << 10)
}

/// The most memory this process had at any time, where the system tells (Linux).
pub(crate) fn peak_bytes() -> Option<u64> {
    proc_bytes("/proc/self/status", "VmHWM:")
}

/// The need of a solve is told exactly where it is about twice as many bytes at most: there the list of its
/// tiers takes little.
pub(crate) const ROUGH_CHECK_FLOOR: u64 = 1 << 27;

/// Bytes of a thread's stack and buffers.
const BYTES_PER_THREAD: u64 = 1 << 19;

/// Bytes that the process takes beside the memory of a solver or an agent: the program, its texts and files, and
/// for each thread its stack and buffers.
pub(crate) fn program_bytes() -> u64 {
    // Measured with two threads: 6 to 9 MiB; 10 to 14 where the program is built for tests.
    const PROGRAM: u64 = if cfg!(debug_assertions) {
        14 << 20
    } else {
        8 << 20
    };
    PROGRAM + BYTES_PER_THREAD * rayon::current_num_threads() as u64
}

/// Bytes that the process takes now, with room for what threads take beside agents and solvers.
pub(crate) fn process_bytes() -> u64 {
    program_bytes().max(resident_bytes() + (rayon::current_num_threads() as u64) * BYTES_PER_THREAD)
}

/// The limit of the whole process: as much as was asked for, if the system allows it; without a wish seven
/// eighths of what could be had now.
pub(crate) fn limit(wanted: Option<u64>) -> u64 {
    let room = resource_limit_room();
    match wanted {
        Some(bytes) => bytes.min(room.saturating_add(resident_bytes())),
        None => available().min(room) / 8 * 7,
    }
}

/// Refuses a limit that the program itself passes.
pub(crate) fn check_limit(limit: u64) -> Result<()> {
    if limit < program_bytes() {
        bail!(
            "this takes at least {} of memory, and {} are allowed (--memory)",
            format_needed(program_bytes()),
            format_size(limit)
        );
    }
    Ok(())
}

/// Free memory, or the rest that the control group allows if that is less, where the system tells (Linux).
fn available() -> u64 {
    let number = |file| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(most, used)| most.saturating_sub(used));
    let free = proc_bytes("/proc/meminfo", "MemAvailable:");
    free.into_iter().chain(group).min().unwrap_or(u64::MAX)
}

/// The rest that the limits of the process (`ulimit -v`, `ulimit -d`) allow.
fn resource_limit_room() -> u64 {
    let used = [(Resource::As, "VmSize:"), (Resource::Data, "VmData:")];
    let rooms = used.map(|(resource, line)| {
        let most = getrlimit(resource).current.unwrap_or(u64::MAX);
        most.saturating_sub(proc_bytes("/proc/self/status", line).unwrap_or(0))
    });
    rooms.into_iter().min().unwrap_or(u64::MAX)
}

/// The memory that the process has now, where the system tells (Linux).
fn resident_bytes() -> u64 {
    proc_bytes("/proc/self/status", "VmRSS:").unwrap_or(0)
}

/// Refuses what does not fit on the disks that some files are or will be on. What goes onto one disk is
/// taken together.
pub(crate) fn check_disk(needs: &[(&Path, u64)]) -> Result<()> {
    for &(path, _) in needs {
        let Some(there) = nearest_existing(path) else {
            continue;
        };
        let Ok(device) = there.metadata().map(|found| found.dev()) else {
            continue;
        };
        let on_same = |&&(other, _): &&(&Path, u64)| {
            let other = nearest_existing(other).and_then(|other| other.metadata().ok());
            other.is_some_and(|found| found.dev() == device)
        };
        let needed = needs.iter().filter(on_same).map(|need| need.1);
        let needed = needed.fold(0, u64::saturating_add);
        match free_disk_bytes(&there) {
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

/// The file or folder at a path, or the nearest folder above it that is there.
fn nearest_existing(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let there = path.ancestors().find(|folder| folder.exists())?;
    there.canonicalize().ok()
}

/// The free room of the file system that a file or folder is on, where the system tells.
fn free_disk_bytes(there: &Path) -> Option<u64> {
    let system = rustix::fs::statvfs(there).ok()?;
    system.f_bavail.checked_mul(system.f_frsize)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{check_disk, free_disk_bytes, nearest_existing};

    #[test]
    fn what_goes_onto_one_disk_is_taken_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let [table, layers] = ["t", "new/ck"].map(|name| folder.path().join(name));
        let free = nearest_existing(&table).and_then(|there| free_disk_bytes(&there));
        let part = free.expect("a disk") / 5 * 3;
        let check = |parts: &[(&Path, u64)]| check_disk(parts).map_err(|error| error.to_string());
        assert_eq!(check(&[(&table, part)]), Ok(()));
        assert_eq!(check(&[(&layers, part)]), Ok(()));
        let refused = check(&[(&table, part), (&layers, part)]).expect_err("too little room");
        assert!(refused.contains("not enough disk for"), "{refused}");
    }
}
