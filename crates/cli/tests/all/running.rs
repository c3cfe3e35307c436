//! Calls that are watched while they run: signals, locks, and files that appear meanwhile.

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::harness::{TestFolder, file_names};

/// A solve that takes far longer than any test waits, in many layers.
const LONG_SPEC: &str = "quoridor:5x5:10";

/// Starts a call in a folder.
fn spawn(folder: &TestFolder, args: &[&str]) -> Child {
    command(folder, args).spawn().expect("it runs")
}

fn command(folder: &TestFolder, args: &[&str]) -> Command {
    // Under `nohup` the tests, and so what they start, ignore a hangup.
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

/// Waits until something holds.
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "no {what} in two minutes"
        );
        sleep(Duration::from_millis(2));
    }
}

fn send(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status();
    assert!(sent.expect("a shell").success());
}

/// The exit code of a call and what it said on standard error.
fn wait(child: Child) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = child.wait_with_output().expect("a child");
    let said = String::from_utf8(stderr).expect("errors are text");
    assert!(!said.contains("panicked"), "{said}");
    (status.code(), said)
}

/// A solve with a checkpoint that has begun.
fn spawn_solve(folder: &TestFolder) -> Child {
    let child = spawn(
        folder,
        &["solve", LONG_SPEC, "--checkpoint", "ck", "--threads", "1"],
    );
    let layer = folder.0.path().join("ck/layer-000000.part");
    wait_for("layer", || layer.exists());
    child
}

#[test]
fn a_checkpoint_in_use_is_refused_by_name_and_process() {
    let folder = TestFolder::new();
    let mut first = spawn_solve(&folder);
    let mut before = file_names(&folder.0.path().join("ck"));
    // The first solve goes on and completes files.
    before.retain(|name| !name.ends_with(".tmp"));
    for resume in [&["--resume"][..], &[]] {
        let call = [&["solve", LONG_SPEC, "--checkpoint", "ck"], resume].concat();
        let begin = Instant::now();
        let (code, said) = wait(spawn(&folder, &call));
        assert_eq!(code, Some(2), "{said}");
        let process = format!("'ck' is in use by process {}", first.id());
        assert!(said.contains(&process), "{said}");
        assert!(begin.elapsed() < Duration::from_secs(20), "at once");
    }
    let other = ["reach", "ostle:3x3:2:1", "--checkpoint", "ck"];
    let (code, said) = wait(spawn(&folder, &other));
    assert!(
        code == Some(2) && said.contains("in use by process"),
        "{said}"
    );
    assert!(first.try_wait().expect("a child").is_none(), "undisturbed");
    let after = file_names(&folder.0.path().join("ck"));
    assert!(
        before.iter().all(|name| after.contains(name)),
        "{before:?} {after:?}"
    );
    // A killed process leaves no lock behind.
    first.kill().expect("a child to kill");
    first.wait().expect("a child");
    let call = ["solve", "quoridor:3x3:1", "--checkpoint", "ck", "--resume"];
    let (code, said) = wait(spawn(&folder, &call));
    assert!(
        code == Some(2) && said.contains("is of 'quoridor:5x5:10'"),
        "{said}"
    );
}

#[test]
fn a_folder_of_a_study_in_use_is_refused_by_name_and_process() {
    let folder = TestFolder::new();
    let study = [
        "study",
        "onitama-atlas",
        "--table",
        "3x3",
        "--seconds",
        "600",
        "--out",
        "at",
    ];
    let mut first = spawn(&folder, &study);
    wait_for("label", || folder.0.path().join("at/study.json").exists());
    let (code, said) = wait(spawn(&folder, &study));
    assert_eq!(code, Some(2), "{said}");
    let process = format!("'at' is in use by process {}", first.id());
    assert!(said.contains(&process), "{said}");
    first.kill().expect("a child to kill");
    first.wait().expect("a child");
}

#[test]
fn signals_save_a_checkpoint_and_leave_nothing_else() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = TestFolder::new();
        let child = spawn_solve(&folder);
        send(signal, &child);
        let (ended, said) = wait(child);
        assert_eq!(ended, Some(code), "{signal}: {said}");
        assert!(said.ends_with("hindsight: stopped\n"), "{said}");
        assert_eq!(file_names(folder.0.path()), ["ck"]);
        let kept = file_names(&folder.0.path().join("ck"));
        let is_kept = |name: &String| name == "checkpoint" || name.ends_with(".part");
        assert!(kept.iter().all(is_kept), "{kept:?}");
    }
}

#[test]
fn a_signal_leaves_no_temporary_folder_and_no_half_table() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = TestFolder::new();
        let child = spawn(
            &folder,
            &["solve", LONG_SPEC, "--out", "t", "--threads", "1"],
        );
        wait_for("folder", || {
            file_names(folder.0.path())
                .iter()
                .any(|name| name.ends_with(".layers"))
        });
        send(signal, &child);
        wait(child);
        assert_eq!(file_names(folder.0.path()), [""; 0], "{signal}");
    }
}

#[test]
fn a_second_signal_ends_at_once_and_sweeps() {
    let folder = TestFolder::new();
    let child = spawn(
        &folder,
        &["solve", LONG_SPEC, "--out", "t", "--threads", "1"],
    );
    wait_for("folder", || {
        file_names(folder.0.path())
            .iter()
            .any(|name| name.ends_with(".layers"))
    });
    send("TERM", &child);
    // It may have ended by the first already.
    let kill = format!("kill -INT {}", child.id());
    let sent = Command::new("sh")
        .args(["-c", &kill])
        .stderr(Stdio::null())
        .status();
    sent.expect("a shell");
    let (code, said) = wait(child);
    assert!([Some(143), Some(130)].contains(&code), "{code:?} {said}");
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
    wait_for("layer", || {
        folder.0.path().join("ck/layer-000000.part").exists()
    });
    send("HUP", &child);
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a child").is_none(), "it goes on");
    send("TERM", &child);
    assert_eq!(wait(child).0, Some(143));
}

#[test]
fn a_checkpoint_is_saved_where_nobody_reads_what_is_said() {
    let folder = TestFolder::new();
    let mut child = spawn_solve(&folder);
    // As `tee` dies of Ctrl-C, too.
    drop(child.stderr.take());
    sleep(Duration::from_millis(50));
    send("INT", &child);
    assert_eq!(child.wait().expect("a child").code(), Some(130));
    let resumed = spawn(
        &folder,
        &["solve", LONG_SPEC, "--checkpoint", "ck", "--resume"],
    );
    sleep(Duration::from_millis(200));
    send("TERM", &resumed);
    let (code, said) = wait(resumed);
    assert_eq!(code, Some(143), "{said}");
}

#[test]
fn a_file_that_appears_during_a_solve_is_left_alone() {
    let folder = TestFolder::new();
    let call = [
        "solve",
        "quoridor:4x4:2",
        "--out",
        "t",
        "--threads",
        "1",
        "--json",
    ];
    let child = spawn(&folder, &call);
    wait_for("file", || {
        file_names(folder.0.path())
            .iter()
            .any(|name| name.ends_with(".partial"))
    });
    let out = folder.0.path().join("t");
    fs::write(&out, "mine").expect("a file");
    let (code, said) = wait(child);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("the result is in 't.2'"), "{said}");
    assert_eq!(fs::read(&out).expect("the file"), b"mine");
    assert_eq!(file_names(folder.0.path()), ["t", "t.2"]);
    let (code, said) = wait(spawn(&folder, &["verify", "t.2"]));
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn of_two_solves_to_one_name_one_reports_success() {
    let folder = TestFolder::new();
    let call = ["solve", "quoridor:4x4:2", "--out", "t", "--quiet", "--json"];
    let both = [spawn(&folder, &call), spawn(&folder, &call)].map(wait);
    let mut codes = both.clone().map(|(code, _)| code);
    codes.sort();
    // The second may have begun when the first was done.
    assert_eq!(codes, [Some(0), Some(2)], "{both:?}");
    let (code, said) = wait(spawn(&folder, &["verify", "t"]));
    assert_eq!(code, Some(0), "{said}");
    assert!(
        file_names(folder.0.path())
            .iter()
            .all(|name| ["t", "t.2"].contains(&name.as_str()))
    );
}
