//! Checkpoints: a solve that is killed at any moment can be resumed and writes the same table.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// Command that solves into a table, with a checkpoint.
fn solve(spec: &str, folder: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hindsight"));
    command
        .current_dir(folder)
        .args(["solve", spec, "--out", "out.table", "--checkpoint", "work"])
        .args(["--quiet", "--json"])
        .args(options)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

fn run(mut command: Command) -> (ExitStatus, String) {
    let output = command.output().expect("the command runs");
    let text = String::from_utf8(output.stderr).expect("errors are text");
    (output.status, text)
}

/// Returns the table of an uninterrupted solve.
fn undisturbed_table(spec: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, text) = run(solve(spec, folder.path(), &["--threads", "1"]));
    assert!(status.success(), "{text}");
    std::fs::read(folder.path().join("out.table")).expect("the table")
}

/// Kills and resumes a solve, later by `step` each time, until it ends.
/// Returns the table and the number of kills.
fn killed_until_done(spec: &str, step: Duration) -> (Vec<u8>, u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("out.table");
    let mut kills = 0;
    loop {
        let has_checkpoint = folder.path().join("work/checkpoint").exists();
        let options: &[&str] = if has_checkpoint { &["--resume"] } else { &[] };
        let mut child = solve(spec, folder.path(), options).spawn().expect("it runs");
        std::thread::sleep(step * kills);
        match child.try_wait().expect("a child to wait for") {
            Some(status) => {
                assert!(status.success(), "after {kills} kills: {status}");
                return (std::fs::read(table).expect("the table"), kills);
            }
            None => {
                // SIGKILL on Unix: no handler runs.
                child.kill().expect("a child to kill");
                child.wait().expect("a child to wait for");
                kills += 1;
                if table.exists() {
                    // The kill came between the rename of the table and the end of the process.
                    return (std::fs::read(table).expect("the table"), kills);
                }
            }
        }
    }
}

#[test]
fn a_killed_solve_resumes_and_writes_the_same_table() {
    for (spec, step) in [
        ("quoridor:4x4:2", Duration::from_millis(25)),
        ("onitama:3x3:tiger,crab,monkey,crane,dragon", Duration::from_millis(60)),
        ("ostle:3x3:3:0", Duration::from_millis(40)),
    ] {
        let (bytes, kills) = killed_until_done(spec, step);
        assert!(kills > 0, "{spec} was never killed");
        assert!(bytes == undisturbed_table(spec), "{spec}, killed {kills} times");
    }
}

/// Kills a solve after a time, lets it end, and returns the table.
fn killed_after(time: Duration, spec: &str, options: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = solve(spec, folder.path(), options).spawn();
    let child = child.as_mut().expect("it runs");
    std::thread::sleep(time);
    child.kill().expect("a child to kill");
    child.wait().expect("a child to wait for");
    let table = folder.path().join("out.table");
    if !table.exists() {
        let has_checkpoint = folder.path().join("work/checkpoint").exists();
        let resume: &[&str] = if has_checkpoint { &["--resume"] } else { &[] };
        let (status, text) = run(solve(spec, folder.path(), &[options, resume].concat()));
        assert!(status.success(), "{options:?}, killed after {time:?}: {text}");
    }
    std::fs::read(table).expect("the table")
}

#[test]
#[ignore = "slow: six minutes"]
fn a_kill_at_any_of_100_moments_loses_nothing() {
    let spec = "onitama:3x4:tiger,crab,monkey,crane,dragon";
    for options in [
        &["--solver", "planes", "--layout", "full"][..],
        &["--solver", "planes", "--layout", "wdl"],
        &["--solver", "tiered", "--layout", "compact"],
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let begin = std::time::Instant::now();
        let (status, text) = run(solve(spec, folder.path(), options));
        assert!(status.success(), "{text}");
        let whole = std::fs::read(folder.path().join("out.table")).expect("the table");
        let time = begin.elapsed();
        for moment in 1..=100 {
            let bytes = killed_after(time * moment / 100, spec, options);
            assert!(bytes == whole, "{options:?}, moment {moment}");
        }
    }
}

/// Interrupts a solve after each finished layer but the last, then lets it end.
/// Returns the table, the number of stops, and the number of stops in the middle of a layer.
fn stopped_after_each_layer(spec: &str, layers: u32) -> (Vec<u8>, u32, u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let (table, work) = (folder.path().join("out.table"), folder.path().join("work"));
    let (mut stops, mut in_a_layer) = (0, 0);
    for layer in 0..layers - 1 {
        let finished = work.join(format!("layer-{layer:06}.part"));
        if finished.exists() {
            continue;
        }
        let options: &[&str] = if layer == 0 { &[] } else { &["--resume"] };
        let mut child = solve(spec, folder.path(), &[options, &["--threads", "1"]].concat())
            .spawn()
            .expect("it runs");
        while child.try_wait().expect("a child to wait for").is_none() {
            if finished.exists() {
                let kill = format!("kill -INT {}", child.id());
                let sent = Command::new("sh").args(["-c", &kill]).status();
                assert!(sent.expect("a shell").success());
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let output = child.wait_with_output().expect("a child to wait for");
        let stderr = String::from_utf8(output.stderr).expect("errors are text");
        // The signal may also come after the table is complete, before the end of the process.
        if output.status.success() || table.exists() {
            break;
        }
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert_eq!(stderr, "hindsight: stopped\n");
        let entries = std::fs::read_dir(&work).expect("the checkpoint");
        let mut names = entries.map(|entry| entry.expect("an entry").file_name());
        assert!(names.all(|name| !name.to_string_lossy().ends_with(".tmp")));
        stops += 1;
        in_a_layer += u32::from(work.join("stopped.part").exists());
    }
    if !table.exists() {
        let (status, stderr) = run(solve(spec, folder.path(), &["--resume"]));
        assert!(status.success(), "{stderr}");
    }
    assert!(!work.join("stopped.part").exists());
    (std::fs::read(table).expect("the table"), stops, in_a_layer)
}
#[test]
fn a_solve_stopped_by_ctrl_c_resumes_and_writes_the_same_table() {
    // A stopped layer of many tiers is solved again from its beginning.
    for (spec, layers, goes_on) in [
        ("quoridor:4x4:2", 5, false),
        ("onitama:3x3:tiger,tiger,crab,crab,monkey", 6, true),
        ("ostle:3x3:3:0", 6, true),
    ] {
        let whole = undisturbed_table(spec);
        // A busy machine may deliver the signal late.
        let seen = (0..5).any(|_| {
            let (bytes, stops, in_a_layer) = stopped_after_each_layer(spec, layers);
            assert!(bytes == whole, "{spec}, stopped {stops} times");
            assert!(goes_on || in_a_layer == 0, "{spec}");
            stops > 0 && (in_a_layer > 0 || !goes_on)
        });
        assert!(seen, "{spec} was never stopped in time");
    }
}

/// Number of interrupts before a solve is left to end.
const INTERRUPTS: u32 = 12;

/// Interrupts a solve by planes, first after `first`, then later each time, and lets it end after
/// [`INTERRUPTS`] of them. Returns the table and the number of times that planes were saved.
fn planes_stopped_until_done(spec: &str, first: Duration) -> (Vec<u8>, u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let (table, work) = (folder.path().join("out.table"), folder.path().join("work"));
    let planes: &[&str] = &["--solver", "planes", "--threads", "1"];
    let (mut saves, mut runs) = (0, 0_u32);
    while !table.exists() {
        let has_checkpoint = work.join("checkpoint").exists();
        let options: &[&str] = if has_checkpoint { &["--resume"] } else { &[] };
        let child = solve(spec, folder.path(), &[planes, options].concat()).spawn();
        let child = child.expect("it runs");
        if runs < INTERRUPTS {
            std::thread::sleep(first + Duration::from_millis(4) * runs);
            let kill = format!("kill -INT {}", child.id());
            let sent = Command::new("sh").args(["-c", &kill]).output();
            assert!(sent.is_ok());
        }
        let output = child.wait_with_output().expect("a child to wait for");
        let stderr = String::from_utf8(output.stderr).expect("errors are text");
        let code = output.status.code();
        // An early signal ends the process, or is ignored, as in background jobs.
        let is_expected = [Some(0), Some(130), None].contains(&code);
        assert!(is_expected, "{code:?}: {stderr}");
        if code == Some(130) && work.join("planes.part").exists() {
            saves += 1;
            if saves == 1 {
                other_planes_are_refused(spec, folder.path());
            }
        }
        runs += 1;
    }
    assert!(!work.join("planes.part").exists());
    (std::fs::read(table).expect("the table"), saves)
}
#[test]
#[ignore = "slow: half a minute"]
fn planes_stopped_by_ctrl_c_resume_and_write_the_same_table() {
    // Most of its time comes after the first two passes, after which no planes are saved.
    let spec = "onitama:4x3:boar";
    let whole = undisturbed_table(spec);
    // A busy machine may deliver the signal late.
    let seen = (0..9).any(|n| {
        let first = Duration::from_millis(12) * n;
        let (bytes, saves) = planes_stopped_until_done(spec, first);
        assert!(bytes == whole, "saved {saves} times");
        saves > 0
    });
    assert!(seen, "never stopped in time");
}

/// Checks that planes are refused with another layout, by another solver, and if damaged.
fn other_planes_are_refused(spec: &str, folder: &Path) {
    let refused = |options: &[&str], expected: &str| {
        let (status, stderr) = run(solve(spec, folder, &[&["--resume"], options].concat()));
        assert!(status.code() == Some(2) && stderr.contains(expected), "{stderr}");
    };
    refused(&["--solver", "planes", "--layout", "compact"], "layout 'full'");
    refused(&[], "--solver planes");
    damaged_planes_are_refused(spec, folder);
}
fn damaged_planes_are_refused(spec: &str, folder: &Path) {
    let path = folder.join("work/planes.part");
    let whole = std::fs::read(&path).expect("the planes");
    for at in [3, 20, whole.len() / 2, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        for bytes in [&bytes[..], &whole[..at]] {
            std::fs::write(&path, bytes).expect("the planes");
            let (status, stderr) = run(solve(spec, folder, &["--solver", "planes", "--resume"]));
            assert_eq!(status.code(), Some(2), "{stderr}");
            assert!(stderr.contains("planes.part"), "{stderr}");
            assert!(std::fs::read(&path).expect("the planes") == bytes);
        }
    }
    std::fs::write(&path, whole).expect("the planes");
}

#[test]
fn checkpoints_of_something_else_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, text) = run(solve("quoridor:3x3:1", folder.path(), &[]));
    assert!(status.success(), "{text}");
    let files = || {
        let entries = std::fs::read_dir(folder.path().join("work")).expect("the checkpoint");
        let mut files: Vec<_> = entries
            .map(|entry| {
                let path = entry.expect("an entry").path();
                (path.clone(), std::fs::read(path).expect("a file"))
            })
            .collect();
        files.sort();
        files
    };
    let before = files();
    let refused: [(&str, &[&str], &str); 4] = [
        ("quoridor:3x3:1", &["--force"], "holds a checkpoint already"),
        ("quoridor:3x3:2", &["--force", "--resume"], "is of 'quoridor:3x3:1'"),
        ("quoridor:3x3:1", &["--resume"], "exists"),
        ("quoridor:3x3:1", &["--force", "--resume", "--layout", "compact"], "layout 'full'"),
    ];
    for (spec, options, message) in refused {
        let (status, text) = run(solve(spec, folder.path(), options));
        assert_eq!(status.code(), Some(2), "{spec} {options:?}");
        assert!(text.contains(message), "{spec} {options:?}: {text}");
        assert!(files() == before, "{spec} {options:?}");
    }
    let damaged = folder.path().join("work/layer-000001.part");
    let mut bytes = std::fs::read(&damaged).expect("a layer");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&damaged, bytes).expect("a layer");
    let before = files();
    let (status, text) = run(solve("quoridor:3x3:1", folder.path(), &["--force", "--resume"]));
    assert_eq!(status.code(), Some(2), "{text}");
    assert!(text.contains("damaged"), "{text}");
    assert!(files() == before);
}

#[test]
fn planes_resumed_between_layers_write_the_table_and_their_line() {
    let spec = "onitama:3x3:boar,ox,crab,eel,frog";
    let folder = tempfile::tempdir().expect("a folder");
    let planes = ["--solver", "planes"];
    let (status, text) = run(solve(spec, folder.path(), &planes));
    assert!(status.success(), "{text}");
    let [table, layer] =
        ["out.table", "work/layer-000000.part"].map(|name| folder.path().join(name));
    let whole = std::fs::read(&table).expect("the table");
    std::fs::remove_file(&layer).expect("a layer");
    std::fs::remove_file(&table).expect("the table");
    let (status, text) = run(solve(spec, folder.path(), &["--solver", "planes", "--resume"]));
    assert!(status.success(), "{text}");
    assert!(std::fs::read(&table).expect("the table") == whole);
}

#[test]
fn a_lock_that_a_loss_of_power_has_cut_locks_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, text) = run(solve("quoridor:3x3:1", folder.path(), &[]));
    assert!(status.success(), "{text}");
    for lock in [&b""[..], b"pro", &[0; 4096], b"\xff\xfe"] {
        std::fs::write(folder.path().join("work/hindsight.lock"), lock).expect("a lock");
        std::fs::remove_file(folder.path().join("out.table")).expect("the table");
        let (status, text) = run(solve("quoridor:3x3:1", folder.path(), &["--resume"]));
        assert!(status.success(), "{text}");
    }
}
