//! Calls of the binary, and a temporary folder for its files.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

/// Returns the standard output and error of a call that must end with `code` and must not panic.
pub(crate) fn run_with_code(code: i32, args: &[&str]) -> (String, String) {
    run_with_input(code, args, "")
}

/// As [`run_with_code`], with text on standard input.
pub(crate) fn run_with_input(code: i32, args: &[&str], input: &str) -> (String, String) {
    let output = assert_cmd::Command::new(crate::program())
        .args(args)
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .write_stdin(input)
        .output()
        .expect("it runs");
    let [out, error] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert_eq!(output.status.code(), Some(code), "{args:?}: {out}{error}");
    assert!(!error.contains("panicked"), "{error}");
    (out, error)
}

pub(crate) fn answer(args: &[&str]) -> String {
    run_with_code(0, args).0
}

pub(crate) fn json(args: &[&str]) -> Value {
    serde_json::from_str(&answer(&[args, &["--json"]].concat())).expect("JSON")
}

/// Returns the standard error of a call that must fail with exit code 2 and print nothing else.
pub(crate) fn refusal(args: &[&str]) -> String {
    let (out, error) = run_with_code(2, args);
    assert_eq!(out, "", "{args:?}");
    error
}

/// Temporary folder, removed when it is dropped.
pub(crate) struct TestFolder(pub(crate) TempDir);

impl TestFolder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> String {
        let path = self.0.path().join(name);
        path.to_str().expect("UTF-8").to_string()
    }

    /// Solves a game into a table; returns the name of the table and the report of the solve.
    pub(crate) fn solve(&self, spec: &str, options: &[&str]) -> (String, Value) {
        let name = [&[spec], options].concat().join(" ");
        let file = self.path(&format!("{}.table", name.replace([':', '=', ','], "_")));
        let call = ["solve", spec, "--out", &file, "--quiet"];
        let report = json(&[&call, options].concat());
        (file, report)
    }
}

/// Returns the least memory of the program with one thread, in MiB, as its own error states it.
///
/// A call takes up to 4 MiB more or less: how much of the program's file is resident depends on the
/// code that runs, and on the pages that the system has at hand.
pub(crate) fn program_mebibytes() -> f64 {
    let stderr = refusal(&["info", "nothing", "--memory", "1", "--threads", "1"]);
    let mut words = stderr.split_whitespace();
    words.find(|word| *word == "least");
    let number = words.next().and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no figure in '{stderr}'"))
}

/// Returns the sorted names of the entries of a folder.
pub(crate) fn file_names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
