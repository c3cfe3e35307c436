use std::fs;
use std::path::Path;

/// Reads a size such as `500M` or `16G`; K, M, G and T are powers of 1024.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let form =
        || format!("'{text}' is no size; write bytes, or a number with K, M, G or T, such as 16G");
    let upper = text.trim().to_ascii_uppercase();
    let digits = upper.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.');
    let shift = match &upper[digits.len()..] {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err(form()),
    };
    let number: f64 = digits.parse().map_err(|_| form())?;
    let bytes = number * (1_u64 << shift) as f64;
    if bytes >= u64::MAX as f64 {
        return Err(format!("'{text}' is more than any machine has"));
    }
    if bytes >= 1.0 {
        Ok(bytes as u64)
    } else {
        Err(form())
    }
}

/// A size for people: three figures and a unit.
pub(crate) fn format_size(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    let decimals = if unit == 0 || amount >= 100.0 { 0 } else { 1 };
    format!("{amount:.decimals$} {}", units[unit])
}

/// A line `Name:  123 kB` of a file of the kernel's, in bytes.
fn kilobytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes << 10)
}

/// The most memory this process had at any time, where the system tells (Linux).
pub(crate) fn peak() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:")
}

/// Seven eighths of the memory that could be had now, where the system tells (Linux: what is free, or
/// what the control group still allows if that is less); else no limit.
pub(crate) fn available() -> u64 {
    let number = |file| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(most, used)| most.saturating_sub(used));
    let free = kilobytes("/proc/meminfo", "MemAvailable:");
    let least = free.into_iter().chain(group).min();
    least.map_or(u64::MAX, |bytes| bytes / 8 * 7)
}

/// The free room of the file system that a file or folder is or will be on, where the system tells.
pub(crate) fn free_disk(path: &Path) -> Option<u64> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let there = path.ancestors().find(|folder| folder.exists());
    let there = there.filter(|folder| !folder.as_os_str().is_empty());
    let system = rustix::fs::statvfs(there.unwrap_or(Path::new("."))).ok()?;
    system.f_bavail.checked_mul(system.f_frsize)
}

#[cfg(test)]
mod tests {
    use super::{format_size, parse_size};

    #[test]
    fn sizes_are_read_and_written() {
        assert_eq!(parse_size("16G"), Ok(16 << 30));
        assert_eq!(parse_size("1.5k"), Ok(1536));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(format_size(16 << 30), "16.0 GiB");
        assert_eq!(format_size(999), "999 bytes");
        for wrong in ["", "G", "-1G", "16X", "1e30T", "0", "nan", "1.2.3M"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
