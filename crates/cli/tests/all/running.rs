//! Calls observed while they run: signals, locks, and files that appear meanwhile.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::harness::{TestFolder, file_names};

/// Spec of a solve in many layers that takes far longer than any test waits.
const LONG_SPEC: &str = "quoridor:5x5:10";

/// Starts a call in a folder.
fn spawn(folder: &TestFolder, args: &[&str]) -> Child {
    command(folder, args).spawn().expect("it runs")
}

fn command(folder: &TestFolder, args: &[&str]) -> Command {
    // Under `nohup` the tests, and so their children, would ignore a hangup.
    let mut command = Command::new("env");
    command
        .arg("--default-signal=HUP")
        .arg(assert_cmd::cargo::cargo_bin!("hindsight"))
        .current_dir(folder.0.path())
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits up to two minutes until `holds` returns true; `what` names the awaited event in the panic.
pub(crate) fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(120), "no {what} in two minutes");
        sleep(Duration::from_millis(2));
    }
}

fn send(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status();
    assert!(sent.expect("a shell").success());
}

/// Waits for the end of a call; returns its exit code and standard error.
fn wait(child: Child) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = child.wait_with_output().expect("a child");
    let stderr = String::from_utf8(stderr).expect("errors are text");
    assert!(!stderr.contains("panicked"), "{stderr}");
    (status.code(), stderr)
}

/// Starts a solve with a checkpoint and waits until its first layer is written.
fn spawn_solve(folder: &TestFolder) -> Child {
    let child = spawn(folder, &["solve", LONG_SPEC, "--checkpoint", "ck", "--threads", "1"]);
    let layer = folder.0.path().join("ck/layer-000000.part");
    wait_for("layer", || layer.exists());
    child
}

#[test]
fn a_checkpoint_in_use_is_refused_by_name_and_process() {
    let folder = TestFolder::new();
    let mut first = spawn_solve(&folder);
    let mut before = file_names(&folder.0.path().join("ck"));
    // The first solve goes on and renames its temporary files.
    before.retain(|name| !name.ends_with(".tmp"));
    for resume in [&["--resume"][..], &[]] {
        let call = [&["solve", LONG_SPEC, "--checkpoint", "ck"], resume].concat();
        let begin = Instant::now();
        let (code, stderr) = wait(spawn(&folder, &call));
        assert_eq!(code, Some(2), "{stderr}");
        let process = format!("'ck' is in use by process {}", first.id());
        assert!(stderr.contains(&process), "{stderr}");
        assert!(begin.elapsed() < Duration::from_secs(20), "at once");
    }
    let other = ["reach", "ostle:3x3:2:1", "--checkpoint", "ck"];
    let (code, stderr) = wait(spawn(&folder, &other));
    assert!(code == Some(2) && stderr.contains("in use by process"), "{stderr}");
    assert!(first.try_wait().expect("a child").is_none(), "undisturbed");
    let after = file_names(&folder.0.path().join("ck"));
    assert!(before.iter().all(|name| after.contains(name)), "{before:?} {after:?}");
    // The lock of a killed process is released.
    first.kill().expect("a child to kill");
    first.wait().expect("a child");
    let call = ["solve", "quoridor:3x3:1", "--checkpoint", "ck", "--resume"];
    let (code, stderr) = wait(spawn(&folder, &call));
    assert!(code == Some(2) && stderr.contains("is of 'quoridor:5x5:10'"), "{stderr}");
}

#[test]
fn a_folder_of_a_study_in_use_is_refused_by_name_and_process() {
    let folder = TestFolder::new();
    let study = ["study", "onitama-deals", "--deals", "9", "--seconds", "600", "--out", "at"];
    let mut first = spawn(&folder, &study);
    wait_for("label", || folder.0.path().join("at/study.json").exists());
    let (code, stderr) = wait(spawn(&folder, &study));
    assert_eq!(code, Some(2), "{stderr}");
    let process = format!("'at' is in use by process {}", first.id());
    assert!(stderr.contains(&process), "{stderr}");
    first.kill().expect("a child to kill");
    first.wait().expect("a child");
}

#[test]
fn signals_save_a_checkpoint_and_leave_nothing_else() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = TestFolder::new();
        let child = spawn_solve(&folder);
        send(signal, &child);
        let (exit_code, stderr) = wait(child);
        assert_eq!(exit_code, Some(code), "{signal}: {stderr}");
        assert!(stderr.ends_with("hindsight: stopped\n"), "{stderr}");
        assert_eq!(file_names(folder.0.path()), ["ck"]);
        let names = file_names(&folder.0.path().join("ck"));
        let is_checkpoint_file = |name: &String| name == "checkpoint" || name.ends_with(".part");
        assert!(names.iter().all(is_checkpoint_file), "{names:?}");
    }
}

#[test]
fn a_sorted_exploration_goes_on_after_signals_and_kills() {
    let folder = TestFolder::new();
    let call = |table: &'static str| ["solve", "four:5x4", "--solver", "graph", "--out", table];
    let kept = |resume: &'static [&'static str]| {
        let more = ["--checkpoint", "ck", "--threads", "1", "--memory", "200M"];
        [&call("t")[..], &more, resume].concat()
    };
    for (file, signal) in [("reached-000002", "KILL"), ("moves-000003", "TERM")] {
        let begun = folder.0.path().join("ck").exists();
        let child = spawn(&folder, &kept(if begun { &["--resume"] } else { &[] }));
        let path = folder.0.path().join(format!("ck/{file}.part"));
        wait_for(file, || path.exists());
        send(signal, &child);
        let (code, stderr) = wait(child);
        assert_eq!(code, (signal == "TERM").then_some(143), "{stderr}");
        assert!(!folder.0.path().join("t").exists());
    }
    for call in [&kept(&["--resume"])[..], &call("whole")] {
        let (code, stderr) = wait(spawn(&folder, call));
        assert_eq!(code, Some(0), "{stderr}");
    }
    let read = |name: &str| std::fs::read(folder.0.path().join(name)).expect("a table");
    assert!(read("t") == read("whole"), "the tables differ");
}

/// As `timeout` sends it, to the process and to its group.
#[test]
fn a_signal_that_comes_twice_at_once_is_one_stop() {
    let folder = TestFolder::new();
    let call = ["solve", "dobutsu", "--checkpoint", "ck"];
    let mut child = spawn(&folder, &call);
    // Before the first report of progress there is nothing to save.
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let is_progress = |line: &std::io::Result<String>| {
        line.as_ref().is_ok_and(|line| line.starts_with("counting"))
    };
    assert!(lines.any(|line| is_progress(&line)), "progress");
    let twice = format!("kill -TERM {0}; kill -TERM {0}", child.id());
    let sent = Command::new("sh").args(["-c", &twice]).status();
    assert!(sent.expect("a shell").success());
    let (code, stderr) = wait(child);
    assert_eq!(code, Some(143), "{stderr}");
    assert!(folder.0.path().join("ck/stopped.part").exists(), "{stderr}");
}

#[test]
fn a_signal_leaves_no_temporary_folder_and_no_half_table() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = TestFolder::new();
        let child = spawn(&folder, &["solve", LONG_SPEC, "--out", "t", "--threads", "1"]);
        wait_for("folder", || {
            file_names(folder.0.path()).iter().any(|name| name.ends_with(".layers"))
        });
        send(signal, &child);
        wait(child);
        assert_eq!(file_names(folder.0.path()), [""; 0], "{signal}");
    }
}

#[test]
fn a_second_signal_ends_at_once_and_removes_temporaries() {
    let folder = TestFolder::new();
    let child = spawn(&folder, &["solve", LONG_SPEC, "--out", "t", "--threads", "1"]);
    wait_for("folder", || file_names(folder.0.path()).iter().any(|name| name.ends_with(".layers")));
    send("TERM", &child);
    // The process may already have ended by the first signal.
    let kill = format!("kill -INT {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status();
    sent.expect("a shell");
    let (code, stderr) = wait(child);
    assert!([Some(143), Some(130)].contains(&code), "{code:?} {stderr}");
    assert_eq!(file_names(folder.0.path()), [""; 0]);
}

#[test]
fn a_hangup_that_was_ignored_stays_ignored() {
    let folder = TestFolder::new();
    let script = "trap '' HUP; exec \"$0\" solve quoridor:5x5:10 --checkpoint ck --threads 1";
    let mut child = Command::new("sh")
        .current_dir(folder.0.path())
        .args(["-c", script])
        .arg(assert_cmd::cargo::cargo_bin!("hindsight"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    wait_for("layer", || folder.0.path().join("ck/layer-000000.part").exists());
    send("HUP", &child);
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a child").is_none(), "it goes on");
    send("TERM", &child);
    assert_eq!(wait(child).0, Some(143));
}

#[test]
fn a_checkpoint_is_saved_when_stderr_is_closed() {
    let folder = TestFolder::new();
    let mut child = spawn_solve(&folder);
    // Closed pipe: in `solve 2>&1 | tee`, Ctrl-C also ends `tee`.
    drop(child.stderr.take());
    sleep(Duration::from_millis(50));
    send("INT", &child);
    assert_eq!(child.wait().expect("a child").code(), Some(130));
    let resumed = spawn(&folder, &["solve", LONG_SPEC, "--checkpoint", "ck", "--resume"]);
    sleep(Duration::from_millis(200));
    send("TERM", &resumed);
    let (code, stderr) = wait(resumed);
    assert_eq!(code, Some(143), "{stderr}");
}

#[test]
fn a_file_that_appears_during_a_solve_is_left_alone() {
    let folder = TestFolder::new();
    let call = ["solve", "quoridor:4x4:2", "--out", "t", "--threads", "1", "--json"];
    let child = spawn(&folder, &call);
    wait_for("file", || file_names(folder.0.path()).iter().any(|name| name.ends_with(".partial")));
    let out = folder.0.path().join("t");
    fs::write(&out, "mine").expect("a file");
    let (code, stderr) = wait(child);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("the result is in 't.2'"), "{stderr}");
    assert_eq!(fs::read(&out).expect("the file"), b"mine");
    assert_eq!(file_names(folder.0.path()), ["t", "t.2"]);
    let (code, stderr) = wait(spawn(&folder, &["verify", "t.2"]));
    assert_eq!(code, Some(0), "{stderr}");
}

#[test]
fn of_two_solves_to_one_name_one_reports_success() {
    let folder = TestFolder::new();
    let call = ["solve", "quoridor:4x4:2", "--out", "t", "--quiet", "--json"];
    let both = [spawn(&folder, &call), spawn(&folder, &call)].map(wait);
    let mut codes = both.clone().map(|(code, _)| code);
    codes.sort();
    // The slower one fails, even if it began after the end of the other.
    assert_eq!(codes, [Some(0), Some(2)], "{both:?}");
    let (code, stderr) = wait(spawn(&folder, &["verify", "t"]));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(file_names(folder.0.path()).iter().all(|name| ["t", "t.2"].contains(&name.as_str())));
}
