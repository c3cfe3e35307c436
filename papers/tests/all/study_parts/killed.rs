//! Parts that are killed, and run again.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::files;
use crate::harness::{TestFolder, json, refusal};

/// Starts a part and kills it when its file `results` has more than `bytes` bytes.
fn kill_part(call: &[&str], results: &Path, bytes: u64) {
    let mut child = Command::new(crate::program())
        .args(call)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    while !fs::metadata(results).is_ok_and(|file| file.len() > bytes) {
        assert_eq!(child.try_wait().expect("a child"), None, "it is at work");
        sleep(Duration::from_millis(1));
    }
    child.kill().expect("a child");
    assert_eq!(child.wait().expect("a child").code(), None, "killed");
}

/// Runs a killed part again, and checks that it goes on.
fn go_on(call: &[&str]) {
    let report = json(call);
    let share = &report["boards"][0];
    assert_eq!(share["done"], share["solves"]);
    assert!(share["new"].as_u64() > Some(0), "{report}");
    assert!(share["new"].as_u64() < share["solves"].as_u64(), "{report}");
    assert_eq!(json(call)["boards"][0]["new"], 0);
}

#[test]
fn a_killed_part_of_the_atlas_goes_on() {
    let folder = TestFolder::new();
    let (part, merged) = (folder.path("part"), folder.path("merged"));
    let study = ["study", "onitama-atlas", "--quiet", "--table", "2x3", "--threads=1"];
    let call = [&study[..], &["--part", "1/1", "--out", &part]].concat();
    let results = Path::new(&part).join("sets").join("2x3.jsonl");
    kill_part(&call, &results, 20_000);
    // The process may have been killed in the middle of a line.
    let mut text = fs::read_to_string(&results).expect("lines");
    text.push_str("{\"number\":4");
    fs::write(&results, text).expect("lines");
    let merge = ["study", "merge", "--quiet", &part, "--out", &merged];
    let error = refusal(&merge);
    assert!(error.contains("part 1/1 in '") && error.contains("of 4368 sets of 2x3"), "{error}");
    assert!(!Path::new(&merged).exists());
    go_on(&call);
    let whole = folder.path("whole");
    let study = [&study[..5], &["--seconds", "1000", "--out", &whole]].concat();
    assert_eq!(json(&merge), json(&study));
    assert!(files(Path::new(&merged)) == files(Path::new(&whole)));
}

#[test]
#[ignore = "slow: half a minute"]
fn a_killed_part_of_deals_goes_on() {
    let folder = TestFolder::new();
    let (part, other) = (folder.path("part"), folder.path("other"));
    let study = ["study", "onitama-deals", "--quiet", "--table", "3x3", "--deals", "601"];
    let call = |part: &str, out: &str| {
        let part = [part, "--out", out].map(String::from);
        let words = study.map(String::from).into_iter().chain(["--part".into()]);
        words.chain(part).collect::<Vec<_>>()
    };
    let (first, second) = (call("1/2", &part), call("2/2", &other));
    let [first, second] = [&first, &second].map(|call| call.iter().map(|word| &**word).collect());
    let (first, second): (Vec<&str>, Vec<&str>) = (first, second);
    kill_part(&first, &Path::new(&part).join("deals").join("deals.sqlite"), 13_000);
    assert_eq!(json(&second)["boards"][0]["solves"], 300);
    let merged = folder.path("merged");
    let merge = ["study", "merge", "--quiet", &part, &other, "--out", &merged];
    let error = refusal(&merge);
    assert!(error.contains("run"), "{error}");
    go_on(&first);
    let cells = json(&merge);
    assert_eq!((&cells[0]["column"], &cells[0]["ours"]), (&"deals".into(), &"601".into()));
}
