//! Memory of the process: in use, available and allowed, and free room on disks, in bytes.

use std::fs;
use std::path::Path;

use rustix::process::{Resource, getrlimit};

/// Returns the memory limit of the whole process: `requested`, lowered to the resource limits.
/// For `None`, 7/8 of the available memory.
///
/// ```
/// let limit = hindsight_games::memory::limit(Some(1 << 20));
/// assert!(limit <= 1 << 20);
/// ```
#[must_use]
pub fn limit(requested: Option<u64>) -> u64 {
    let room = resource_limit_room();
    match requested {
        Some(bytes) => bytes.min(room.saturating_add(resident_bytes())),
        None => available_bytes().min(room) / 8 * 7,
    }
}

/// Returns the resident memory of the process now; 0 except on Linux.
#[must_use]
pub fn resident_bytes() -> u64 {
    proc_bytes("/proc/self/status", "VmRSS:").unwrap_or(0)
}

/// Returns the peak of the resident memory of the process so far; `None` except on Linux.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    proc_bytes("/proc/self/status", "VmHWM:")
}

/// Returns the free bytes of the file system that holds an existing path; `None` if unknown.
#[must_use]
pub fn free_disk_bytes(path: &Path) -> Option<u64> {
    let file_system = rustix::fs::statvfs(path).ok()?;
    file_system.f_bavail.checked_mul(file_system.f_frsize)
}

/// Bytes of the line `Name:  123 kB` in a file under `/proc`.
fn proc_bytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes << 10)
}

/// Returns the smaller of the free memory and the rest of the control group's limit; `u64::MAX` if
/// unknown.
fn available_bytes() -> u64 {
    let number = |file| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(max, used)| max.saturating_sub(used));
    let free = proc_bytes("/proc/meminfo", "MemAvailable:");
    free.into_iter().chain(group).min().unwrap_or(u64::MAX)
}

/// Returns the bytes left under the tightest resource limit of the process (`ulimit -v`,
/// `ulimit -d`).
fn resource_limit_room() -> u64 {
    let used = [(Resource::As, "VmSize:"), (Resource::Data, "VmData:")];
    let rooms = used.map(|(resource, line)| {
        let max = getrlimit(resource).current.unwrap_or(u64::MAX);
        max.saturating_sub(proc_bytes("/proc/self/status", line).unwrap_or(0))
    });
    rooms.into_iter().min().unwrap_or(u64::MAX)
}
