//! Where there is no room for a file, one line says so, and nothing is left that passes for a table.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SPEC: &str = "onitama:3x3:boar";

/// Runs the command in a folder; no file may become larger than `most` bytes, rounded down to 512.
fn run(folder: &Path, most: u64, args: &str) -> Output {
    // Without the signal, a write beyond the limit fails as on a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" {args} --quiet",
        most / 512
    );
    Command::new("sh")
        .current_dir(folder)
        .args(["-c", &script, env!("CARGO_BIN_EXE_hindsight")])
        .output()
        .expect("a shell")
}

/// What a call says that fails for want of room: one line.
fn refusal(folder: &Path, most: u64, args: &str) -> String {
    let output = run(folder, most, args);
    let said = String::from_utf8(output.stderr).expect("errors are text");
    assert_eq!(output.status.code(), Some(2), "{args}: {said}");
    assert!(output.stdout.is_empty());
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(said.matches("File too large").count(), 1, "{said}");
    said
}

fn run_successfully(folder: &Path, args: &str) {
    let output = run(folder, u64::MAX >> 10, args);
    assert!(output.status.success(), "{output:?}");
}

fn file_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

fn file_len(file: &Path) -> u64 {
    fs::metadata(file).expect("a file").len()
}

/// The bytes of the table, its length, and that of the longest layer of its checkpoint.
fn undisturbed_solve() -> (Vec<u8>, u64, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_successfully(path, &format!("solve {SPEC} --out t --checkpoint work"));
    let layers = file_names(&path.join("work"));
    let layers = layers
        .iter()
        .map(|name| file_len(&path.join("work").join(name)));
    let longest = layers.max().expect("layers");
    let bytes = fs::read(path.join("t")).expect("the table");
    let length = bytes.len() as u64;
    assert!(
        1024 < longest && longest + 512 < length,
        "{longest} {length}"
    );
    (bytes, length, longest)
}

#[test]
fn a_table_without_room_is_not_written() {
    let (_, length, longest) = undisturbed_solve();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    // A layer has no room; the layers have, but the table has not.
    for (most, file) in [(longest - 512, "layer-00000"), (length - 1, "t: ")] {
        let said = refusal(path, most, &format!("solve {SPEC} --out t"));
        assert!(said.contains(file), "{said}");
        assert_eq!(file_names(path), [""; 0], "{said}");
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
        let kept = file_names(&path.join("work"));
        assert!(kept.iter().all(|name| !name.ends_with(".tmp")), "{kept:?}");
        assert!(kept.iter().any(|name| name == "checkpoint"), "{kept:?}");
        // Still no room: nothing is lost.
        refusal(path, most, &format!("{call} --resume"));
        assert_eq!(file_names(&path.join("work")), kept);
        run_successfully(path, &format!("{call} --resume"));
        assert!(fs::read(path.join("t")).expect("the table") == bytes);
    }
}

#[test]
fn an_export_without_room_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_successfully(path, &format!("solve {SPEC} --out t"));
    for call in [
        "export t --out positions.csv",
        "graph onitama:3x3:boar --out graph.graphml",
    ] {
        let said = refusal(path, 4096, call);
        let file = call.rsplit(' ').next().expect("a name");
        assert!(said.contains(file), "{said}");
        assert_eq!(file_names(path), ["t"], "{said}");
    }
}

#[test]
fn a_solve_that_no_disk_has_room_for_is_not_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    for files in ["--out t", "--checkpoint work"] {
        let call = format!("solve onitama:7x7:boar {files} --memory 1000000T");
        let output = run(folder.path(), u64::MAX >> 10, &call);
        let said = String::from_utf8(output.stderr).expect("errors are text");
        assert_eq!(output.status.code(), Some(2), "{said}");
        let name = files.rsplit(' ').next().expect("a name");
        let refused = format!("not enough disk for '{name}'");
        assert!(
            said.contains(&refused) && said.contains("are free"),
            "{said}"
        );
        assert_eq!(file_names(folder.path()), [""; 0]);
    }
}
