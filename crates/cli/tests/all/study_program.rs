//! Studies of papers are in another program, `hindsight-papers`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::harness::TestFolder;

/// Runs the program from another folder, with only another folder on the path.
fn run(folder: &TestFolder, path: &str, args: &[&str]) -> Output {
    let own = folder.path("hindsight");
    if !Path::new(&own).exists() {
        // A copy could not be run while another test makes a process.
        fs::hard_link(crate::program(), &own)
            .or_else(|_| fs::copy(crate::program(), &own).map(|_| ()))
            .expect("a program");
    }
    let output = Command::new(own).args(args).env("PATH", path).output();
    output.expect("it runs")
}

/// Writes a program that prints a word, its arguments, and ends with code 7.
fn write_program(path: &str, word: &str) {
    fs::write(path, format!("#!/bin/sh\necho {word} \"$@\"\nexit 7\n")).expect("a script");
    fs::set_permissions(path, Permissions::from_mode(0o755)).expect("a script");
}

#[test]
fn another_program_gets_the_whole_command_line() {
    let folder = TestFolder::new();
    let bin = folder.path("bin");
    fs::create_dir(&bin).expect("a folder");
    let study = ["study", "onitama-thesis", "--table", "6", "--json", "--threads=1"];
    let missing = run(&folder, &bin, &study);
    let error = String::from_utf8(missing.stderr).expect("a text");
    assert_eq!(missing.status.code(), Some(2), "{error}");
    assert!(error.contains("onitama-thesis is a study of the program hindsight-papers"), "{error}");
    assert!(error.contains("cargo build --release --package hindsight-papers"), "{error}");
    assert!(missing.stdout.is_empty());
    let path = format!("{bin}:/usr/bin:/bin");
    for (file, word) in [("bin/hindsight-papers", "path"), ("hindsight-papers", "beside")] {
        write_program(&folder.path(file), word);
        let found = run(&folder, &path, &study);
        assert_eq!(found.status.code(), Some(7));
        let words = format!("{word} {}\n", study.join(" "));
        assert_eq!(String::from_utf8_lossy(&found.stdout), words);
    }
    // Faults of the command line are found before, and the study of deals is here.
    for (line, code) in [(["study", "onitama-thesis", "--tables"], 2), (["study", "go", "-q"], 2)] {
        assert_eq!(run(&folder, &path, &line).status.code(), Some(code), "{line:?}");
    }
    let deals = ["study", "onitama-deals", "--table", "2x2", "--deals", "2", "--quiet"];
    assert_eq!(run(&folder, &path, &deals).status.code(), Some(0));
}
