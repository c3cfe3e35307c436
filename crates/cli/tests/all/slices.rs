//! Out-of-core solves by planes, killed at any moment.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::harness::program_mebibytes;

/// Spec whose planes take about 17 MiB, and by slices about 3.
const SPEC: &str = "onitama:4x4:boar,ox,elephant,horse,crab:students=2";

/// Returns a command that solves by planes; the options select memory or out of core.
fn solve(folder: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hindsight"));
    command
        .current_dir(folder)
        .args(["solve", SPEC, "--solver", "planes", "--quiet", "--json"])
        .args(options)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// KiB of memory for the planes of an out-of-core solve. The size of the program varies, and
/// neither need is so near that this would matter: see [`program_mebibytes`].
const OUT_OF_CORE_KIB: u64 = 9 << 10;

/// Options of an out-of-core solve; `memory` is the limit of the whole process.
fn out_of_core_options(memory: &str) -> [&str; 6] {
    ["--threads", "1", "--memory", memory, "--checkpoint", "work"]
}

/// Returns a limit under which the solve runs out of core.
fn small_limit() -> String {
    format!("{}K", (program_mebibytes() * 1024.0) as u64 + OUT_OF_CORE_KIB)
}

const CHECK: [&str; 2] = ["--check", "99"];

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Start value and signature of a solve that must succeed.
fn signature(output: &Output) -> String {
    assert!(output.status.success(), "{}", utf8(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    format!("{} {}", report["start"], report["signature"])
}

fn part_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("work")).expect("the folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut parts: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "part"))
        // A damaged note of the limit of memory is no loss.
        .filter(|path| !path.ends_with("memory.part"))
        .collect();
    parts.sort();
    parts
}

/// Checks that a changed or truncated file is named, refused, and left as it is.
fn damage_is_refused(folder: &Path) {
    for path in [&part_files(folder)[0], &folder.join("work/slices.part")] {
        let whole = std::fs::read(path).expect("a part");
        for at in [3, 20, whole.len() - 1] {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            for bytes in [&changed[..], &whole[..at]] {
                std::fs::write(path, bytes).expect("a part");
                let stderr = resume_refusal(folder, &CHECK);
                let name = path.file_name().expect("a name").to_string_lossy();
                assert!(stderr.contains(&*name), "{stderr}");
                assert!(std::fs::read(path).expect("a part") == bytes);
            }
        }
        std::fs::write(path, whole).expect("a part");
    }
}

/// Returns the error of a resumed solve that must fail.
fn resume_refusal(folder: &Path, options: &[&str]) -> String {
    let memory = small_limit();
    let all = [&out_of_core_options(&memory)[..], &["--resume"], options].concat();
    let output = solve(folder, &all).output().expect("it runs");
    let stderr = utf8(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
}

/// Checks that too large a sample is refused with the limit, before any file is written.
fn sample_that_does_not_fit_is_refused(folder: &Path) {
    let memory = small_limit();
    let all = [&out_of_core_options(&memory)[..], &["--check", "1000000"]].concat();
    let output = solve(folder, &all).output().expect("it runs");
    let stderr = utf8(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    let kibibytes: f64 = memory.trim_end_matches('K').parse().expect("KiB");
    let allowed = format!("{:.1} MiB are allowed", kibibytes / 1024.0);
    assert!(stderr.contains(&allowed), "{stderr}");
    assert!(!folder.join("work").exists());
}

#[test]
fn a_killed_out_of_core_solve_resumes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let whole = signature(&solve(folder, &[]).output().expect("it runs"));
    let memory = small_limit();
    let slices = out_of_core_options(&memory);
    let needed = solve(folder, &slices[..4]).output().expect("it runs");
    assert_eq!(needed.status.code(), Some(2));
    let stderr = utf8(&needed.stderr);
    assert!(stderr.contains("with --checkpoint DIR it is solved by slices"), "{stderr}");
    sample_that_does_not_fit_is_refused(folder);
    let (mut kills, mut refusals) = (0, 0);
    loop {
        let is_begun = folder.join("work/slices.part").exists();
        if !is_begun && folder.join("work").exists() {
            // Killed before anything was kept. A sample can be drawn only at the beginning.
            std::fs::remove_dir_all(folder.join("work")).expect("a folder");
        }
        let resume: &[&str] = if is_begun { &["--resume"] } else { &[] };
        let mut child =
            solve(folder, &[&slices[..], &CHECK, resume].concat()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(400) * (kills + 1));
        if child.try_wait().expect("a child to wait for").is_some() {
            let output = child.wait_with_output().expect("a child to wait for");
            assert_eq!(signature(&output), whole, "after {kills} kills");
            break;
        }
        // SIGKILL on Unix: no handler runs.
        child.kill().expect("a child to kill");
        child.wait().expect("a child to wait for");
        kills += 1;
        if folder.join("work/slices.part").exists() && refusals == 0 {
            damage_is_refused(folder);
            resume_refusal(folder, &["--check", "98"]);
            resume_refusal(folder, &[]);
            refusals += 1;
        }
    }
    assert!(kills > 2 && refusals > 0, "{kills} kills");
    assert_eq!(part_files(folder), Vec::<PathBuf>::new());
}
