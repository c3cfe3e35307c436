//! Memory of the process: in use, available and allowed, and free room on disks, in bytes.

use std::fs;
use std::path::Path;

use rustix::process::{Resource, getrlimit};

/// Returns the memory limit of the whole process: `requested`, lowered to what the control group
/// and the resource limits allow at most. For `None`, 7/8 of the available memory.
///
/// ```
/// let limit = hindsight_games::memory::limit(Some(1 << 20));
/// assert!(limit <= 1 << 20);
/// ```
#[must_use]
pub fn limit(requested: Option<u64>) -> u64 {
    let room = resource_limit_room();
    match requested {
        Some(bytes) => bytes.min(room.saturating_add(resident_bytes())).min(group_limits().most),
        None => available_bytes().min(room) / 8 * 7,
    }
}

/// Returns a limit of new data beside what the process has: `requested`, lowered to 7/8 of what the
/// control group and the resource limits leave. For `None`, 7/8 of the available memory.
pub(crate) fn limit_of_data(requested: Option<u64>) -> u64 {
    match requested {
        Some(bytes) => {
            let group = group_limits().most.saturating_sub(resident_bytes());
            bytes.min(resource_limit_room().min(group) / 8 * 7)
        }
        None => limit(None),
    }
}

/// Returns the most memory that the process may have: that of the machine, of its control group or
/// of its resource limits; `u64::MAX` if unknown.
#[must_use]
pub fn machine_bytes() -> u64 {
    let machine = proc_bytes("/proc/meminfo", "MemTotal:").unwrap_or(u64::MAX);
    let most = machine.min(group_limits().most);
    most.min(resource_limit_room().saturating_add(resident_bytes()))
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
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// Returns the smaller of the free memory and the rest of the control group's limit; `u64::MAX` if
/// unknown.
fn available_bytes() -> u64 {
    let free = proc_bytes("/proc/meminfo", "MemAvailable:");
    free.unwrap_or(u64::MAX).min(group_limits().left)
}

/// Bytes that the control groups of the process allow; `u64::MAX` without a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GroupLimits {
    /// The least limit of the groups.
    most: u64,
    /// The least that a group has left. Copies of files do not count as used.
    left: u64,
}

fn group_limits() -> GroupLimits {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    limits_of_groups(Path::new("/sys/fs/cgroup"), &groups)
}

/// Limits of the groups that the lines `NUMBER:CONTROLLERS:PATH` name, and of all groups above, in
/// the file system of control groups at `root`. In a container the paths may be those outside.
fn limits_of_groups(root: &Path, groups: &str) -> GroupLimits {
    let mut limits = GroupLimits { most: u64::MAX, left: u64::MAX };
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let (root, files) = match controllers {
            "" => (root.to_path_buf(), ["memory.max", "memory.current"]),
            names if names.split(',').any(|name| name == "memory") => {
                (root.join("memory"), ["memory.limit_in_bytes", "memory.usage_in_bytes"])
            }
            _ => continue,
        };
        for path in Path::new(path.trim_start_matches('/')).ancestors() {
            let group = root.join(path);
            let number = |file| fs::read_to_string(group.join(file)).ok()?.trim().parse().ok();
            let [most, used]: [Option<u64>; 2] = files.map(number);
            let Some(most) = most else { continue };
            let used = used.unwrap_or(0).saturating_sub(file_bytes(&group));
            limits.most = limits.most.min(most);
            limits.left = limits.left.min(most.saturating_sub(used));
        }
    }
    limits
}

/// Bytes of a control group that are copies of files, which give way.
fn file_bytes(group: &Path) -> u64 {
    let text = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().parse::<u64>().ok())
    };
    let [inactive, active] = ["inactive_file ", "active_file "].map(bytes);
    inactive.unwrap_or(0) + active.unwrap_or(0)
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{GroupLimits, limits_of_groups};

    #[test]
    fn the_least_limit_of_all_groups_above_counts() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        let limits = |groups: &str| {
            let GroupLimits { most, left } = limits_of_groups(root.path(), groups);
            [most, left]
        };
        assert_eq!(limits("0::/a/b\n"), [u64::MAX; 2]);
        assert_eq!(limits("nothing"), [u64::MAX; 2]);
        write("a/memory.max", "1000\n");
        write("a/memory.current", "700\n");
        write("a/memory.stat", "anon 300\ninactive_file 250\nactive_file 150\n");
        write("a/b/memory.max", "max\n");
        write("a/b/memory.current", "600\n");
        assert_eq!(limits("0::/a/b\n"), [1000, 700]);
        write("a/b/memory.max", "900\n");
        assert_eq!(limits("1:cpu:/x\n0::/a/b\n"), [900, 300]);
        // A path that is seen only outside of the container: the root is that of the container.
        write("memory.max", "800\n");
        write("memory.current", "100\n");
        assert_eq!(limits("0::/../../elsewhere\n"), [800, 700]);
        write("memory/job/memory.limit_in_bytes", "500\n");
        write("memory/job/memory.usage_in_bytes", "450\n");
        assert_eq!(limits("4:hugetlb,memory:/job\n"), [500, 50]);
    }
}
