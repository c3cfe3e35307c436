//! A full disk: the error is one line, and no incomplete table is left behind.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SPEC: &str = "onitama:3x3:boar";

/// Runs the command in a folder, with files limited to `max_bytes`, rounded down to blocks of 512.
fn run(folder: &Path, max_bytes: u64, args: &str) -> Output {
    // With SIGXFSZ ignored, a write beyond the limit fails as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" {args} --quiet", max_bytes / 512);
    Command::new("sh")
        .current_dir(folder)
        .args(["-c", &script, env!("CARGO_BIN_EXE_hindsight")])
        .output()
        .expect("a shell")
}

/// Returns the error, of one line, of a call that must fail because a file is too large.
fn refusal(folder: &Path, max_bytes: u64, args: &str) -> String {
    let output = run(folder, max_bytes, args);
    let stderr = String::from_utf8(output.stderr).expect("errors are text");
    assert_eq!(output.status.code(), Some(2), "{args}: {stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert_eq!(stderr.matches("File too large").count(), 1, "{stderr}");
    stderr
}

fn run_successfully(folder: &Path, args: &str) {
    let output = run(folder, u64::MAX >> 10, args);
    assert!(output.status.success(), "{output:?}");
}

fn file_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

fn file_len(file: &Path) -> u64 {
    fs::metadata(file).expect("a file").len()
}

/// Returns the table of a solve without limits, its length, and that of the longest layer file.
fn undisturbed_solve() -> (Vec<u8>, u64, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_successfully(path, &format!("solve {SPEC} --out t --checkpoint work"));
    let layers = file_names(&path.join("work"));
    let layers = layers.iter().map(|name| file_len(&path.join("work").join(name)));
    let longest = layers.max().expect("layers");
    let bytes = fs::read(path.join("t")).expect("the table");
    let length = bytes.len() as u64;
    assert!(1024 < longest && longest + 512 < length, "{longest} {length}");
    (bytes, length, longest)
}

#[test]
fn a_table_without_room_is_not_written() {
    let (_, length, longest) = undisturbed_solve();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    // First the longest layer does not fit, then only the table does not.
    for (most, file) in [(longest - 512, "the layers of 't'"), (length - 1, "t: ")] {
        let stderr = refusal(path, most, &format!("solve {SPEC} --out t"));
        assert!(stderr.contains(file), "{stderr}");
        assert_eq!(file_names(path), [""; 0], "{stderr}");
    }
}

#[test]
fn a_checkpoint_without_room_is_resumed_when_there_is_some() {
    let (bytes, length, longest) = undisturbed_solve();
    for most in [longest - 512, length - 1] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let call = format!("solve {SPEC} --out t --checkpoint work");
        refusal(path, most, &call);
        assert_eq!(file_names(path), ["work"]);
        let checkpoint_files = file_names(&path.join("work"));
        assert!(
            checkpoint_files.iter().all(|name| !name.ends_with(".tmp")),
            "{checkpoint_files:?}"
        );
        assert!(checkpoint_files.iter().any(|name| name == "checkpoint"), "{checkpoint_files:?}");
        // A second attempt without room loses no layer.
        refusal(path, most, &format!("{call} --resume"));
        assert_eq!(file_names(&path.join("work")), checkpoint_files);
        run_successfully(path, &format!("{call} --resume"));
        assert!(fs::read(path.join("t")).expect("the table") == bytes);
    }
}

#[test]
fn an_export_without_room_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_successfully(path, &format!("solve {SPEC} --out t"));
    for call in ["export t --out positions.csv", "graph onitama:3x3:boar --out graph.graphml"] {
        let stderr = refusal(path, 4096, call);
        let file = call.rsplit(' ').next().expect("a name");
        assert!(stderr.contains(file), "{stderr}");
        assert_eq!(file_names(path), ["t"], "{stderr}");
    }
}

#[test]
fn a_solve_that_no_disk_has_room_for_is_not_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    for files in ["--out t", "--checkpoint work"] {
        let call = format!("solve onitama:7x7:boar {files} --memory 1000000T");
        let output = run(folder.path(), u64::MAX >> 10, &call);
        let stderr = String::from_utf8(output.stderr).expect("errors are text");
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        let name = files.rsplit(' ').next().expect("a name");
        let refused = format!("not enough disk for '{name}'");
        assert!(stderr.contains(&refused) && stderr.contains("are free"), "{stderr}");
        assert_eq!(file_names(folder.path()), [""; 0]);
    }
}
