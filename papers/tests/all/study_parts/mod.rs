//! Parts of a study (`--part`), and parts put together (`study merge`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::{TestFolder, answer, json, refusal};

mod killed;
mod refused;

const ATLAS: [&str; 5] = ["study", "onitama-atlas", "--quiet", "--table", "1x3"];

/// Five deals, each decided within its seconds by one thread, which makes the counts repeatable.
const DEALS: [&str; 10] = [
    "study",
    "onitama-deals",
    "--quiet",
    "--table",
    "3x3",
    "--deals",
    "5",
    "--seed=3",
    "--threads",
    "1",
];

/// Returns the bytes of all files below a folder, by their paths in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = PathBuf::from(path.file_name().expect("a name"));
        if path.is_dir() {
            let below = self::files(&path).into_iter();
            files.extend(below.map(|(below, bytes)| (name.join(below), bytes)));
        } else {
            files.insert(name, fs::read(&path).expect("a file"));
        }
    }
    files
}

/// Makes part `number` of `of` of a study; returns its folder.
fn make_part(folder: &TestFolder, study: &[&str], number: u64, of: u64) -> String {
    let out = folder.path(&format!("part-{number}-{of}"));
    let part = format!("{number}/{of}");
    let report = json(&[study, &["--part", &part, "--out", &out]].concat());
    assert_eq!((&report["study"], &report["part"]), (&study[1].into(), &part.into()));
    for share in report["boards"].as_array().expect("boards") {
        assert_eq!(share["done"], share["solves"], "{report}");
    }
    out
}

/// Makes all parts of a study and puts them together, in a strange order; returns what is printed.
fn make_and_merge(folder: &TestFolder, study: &[&str], of: u64, out: &str) -> Value {
    let mut parts: Vec<String> = (1..=of).map(|n| make_part(folder, study, n, of)).collect();
    parts.rotate_left(of as usize / 2);
    parts.reverse();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    json(&[&["study", "merge", "--quiet"], &parts[..], &["--out", out]].concat())
}

/// Returns the bytes of a database of deals, with measured seconds, the work that a search got done
/// and the win that it found first set to the same.
fn timeless_deals(folder: &Path) -> Vec<u8> {
    let file = folder.join("deals").join("deals.sqlite");
    let database = rusqlite::Connection::open(&file).expect("a database");
    let timeless = "UPDATE deals SET seconds = 0.5, positions = 1, students = 0, plies = 0,
        best_move = NULL";
    let changed = database.execute(timeless, []);
    assert_eq!(changed.expect("our table"), 5);
    // Places of rows in the file depend on the lengths of the numbers before.
    database.execute_batch("VACUUM").expect("room");
    drop(database);
    fs::read(file).expect("a file")
}

/// Returns the cells of a report without measured seconds, without the work that a search got done,
/// and without the move of the win that its threads found first: a busy machine changes them.
fn timeless_cells(report: &Value) -> Vec<&Value> {
    let cells = report.as_array().expect("cells").iter();
    let is_timed = |cell: &Value| {
        let timed = ["seconds", "positions", "students", "best move"];
        timed.iter().any(|column| cell["column"] == *column)
    };
    cells.filter(|cell| !is_timed(cell)).collect()
}

#[test]
fn parts_of_the_atlas_make_the_folder_of_the_whole() {
    let folder = TestFolder::new();
    let whole = folder.path("whole");
    let report = json(&[&ATLAS[..], &["--seconds", "1000", "--out", &whole]].concat());
    let whole = files(Path::new(&whole));
    assert_eq!(whole[Path::new("study.json")].len(), 47, "no part in the label");
    for of in [1, 2, 3, 7] {
        let merged = folder.path(&format!("merged-{of}"));
        assert_eq!(make_and_merge(&folder, &ATLAS, of, &merged), report);
        let merged = files(Path::new(&merged));
        let names = |files: &BTreeMap<PathBuf, _>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&merged), names(&whole));
        for (name, bytes) in &merged {
            assert!(bytes == &whole[name], "{of} parts: {} differs", name.display());
        }
    }
}

#[test]
fn parts_of_deals_make_the_folder_of_the_whole() {
    let folder = TestFolder::new();
    let whole = folder.path("whole");
    let report = json(&[&DEALS[..], &["--out", &whole]].concat());
    let expected = timeless_deals(Path::new(&whole));
    for of in [1, 2, 3, 7] {
        let merged = folder.path(&format!("merged-{of}"));
        let printed = make_and_merge(&folder, &DEALS, of, &merged);
        assert_eq!(timeless_cells(&printed), timeless_cells(&report));
        assert!(timeless_deals(Path::new(&merged)) == expected, "{of} parts");
        let label = |folder: &str| fs::read(Path::new(folder).join("study.json")).expect("a label");
        assert_eq!(label(&merged), label(&whole));
    }
}

#[test]
fn a_part_has_as_much_time_as_it_is_given() {
    let folder = TestFolder::new();
    let part = folder.path("part");
    let call = [&ATLAS[..], &["--threads=1", "--part", "2/3", "--out", &part]].concat();
    let short = answer(&[&call[..], &["--seconds", "0.000001"]].concat());
    assert!(short.starts_with("onitama-atlas, part 2/3, after 0."), "{short}");
    assert!(short.contains("\n  1x3  1456     1    1\n"), "{short}");
    assert!(short.contains("not complete: the same call goes on"), "{short}");
    let rest = answer(&call);
    assert!(rest.contains("\n  1x3  1456  1456  1455\n"), "{rest}");
    assert!(rest.contains("The part is complete"), "{rest}");
}

#[test]
fn deals_that_are_not_decided_have_the_same_seconds_in_all_parts() {
    let folder = TestFolder::new();
    let [first, second, merged] = ["first", "second", "merged"].map(|name| folder.path(name));
    let study = ["study", "onitama-deals", "--quiet", "--deals", "2"];
    let run = |part: &str, seconds: &str, out: &str| {
        let options = ["--part", part, "--seconds", seconds, "--out", out];
        json(&[&study[..], &options].concat())
    };
    run("1/2", "0.01", &first);
    run("2/2", "0.02", &second);
    let merge = ["study", "merge", "--quiet", &first, &second, "--out", &merged];
    let error = refusal(&merge);
    assert!(error.contains("part 1/2 in '"), "{error}");
    assert!(error.contains("has 0 of 1 deals; run it again with --seconds 0.02"), "{error}");
    assert_eq!(run("1/2", "0.02", &first)["boards"][0]["new"], 1);
    let cells = json(&merge);
    let rows: Vec<&Value> = cells.as_array().expect("cells").iter().map(|c| &c["row"]).collect();
    assert_eq!((rows[0], rows[rows.len() - 1]), (&"0.01 s".into(), &"0.02 s".into()));
}
