//! `cluster`: tables of several processes, started together or one by one.

pub(crate) mod damage;
pub(crate) mod ends;
pub(crate) mod harness;
pub(crate) mod proxy;
pub(crate) mod refusals;
pub(crate) mod strangers;

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::cluster::harness::Site;
use crate::harness::{TestFolder, answer, json};

/// Keys of the JSON report of a solve with a table.
const KEYS: [&str; 19] = [
    "draws",
    "game",
    "histogram",
    "losses",
    "peak_memory_bytes",
    "positions",
    "processes",
    "received_bytes",
    "scope",
    "seconds",
    "sent_bytes",
    "signature",
    "solver",
    "start",
    "table",
    "table_seconds",
    "threads",
    "wins",
    "work",
];

/// Checks the report of a solve in several processes against that of one.
fn check_report(report: &Value, one: &Value, processes: usize, threads: usize) {
    let mut keys: Vec<&String> = report.as_object().expect("an object").keys().collect();
    keys.sort();
    assert_eq!(keys, KEYS);
    let same = [
        "game",
        "scope",
        "solver",
        "positions",
        "wins",
        "losses",
        "draws",
        "histogram",
        "signature",
    ];
    for key in same {
        assert_eq!(report[key], one[key], "{key}");
    }
    for key in ["value", "remoteness", "position"] {
        assert_eq!(report["start"][key], one["start"][key], "start: {key}");
    }
    assert_eq!(report["processes"], processes);
    assert_eq!(report["threads"], threads);
    let work = report["work"].as_array().expect("a list");
    assert_eq!(work.len(), processes * threads);
    let sum = |key: &str| {
        let numbers = work.iter().map(|work| work[key].as_u64().expect("a number"));
        numbers.sum::<u64>()
    };
    // Ranks stand for positions that are equal by symmetry.
    assert!(sum("ranks") > 0, "{work:?}");
    assert!(sum("edges_away") < sum("edges"), "{work:?}");
    for key in ["sent_bytes", "received_bytes"] {
        let bytes = report[key].as_u64().expect("a number");
        assert_eq!(bytes > 0, processes > 1, "{key}");
    }
}

#[test]
fn several_processes_write_the_table_of_one() {
    let folder = TestFolder::new();
    for spec in ["onitama:3x3:boar", "quoridor:3x3:2"] {
        let (file, one) = folder.solve(spec, &["--solver", "tiered"]);
        let table = fs::read(&file).expect("the table");
        for (processes, threads) in [(1, 2), (2, 1), (3, 1)] {
            let out = folder.path("t");
            let call = format!(
                "cluster local -n {processes} --threads {threads} solve {spec} --quiet --out"
            );
            let call: Vec<&str> = call.split(' ').chain([out.as_str()]).collect();
            let report = json(&call);
            check_report(&report, &one, processes, threads);
            assert_eq!(report["table"]["bytes"], table.len());
            let written = fs::read(&out).expect("the table");
            assert!(written == table, "{spec}, {processes} processes");
            fs::remove_file(&out).expect("the table");
        }
    }
}

#[test]
fn a_solve_without_a_table_answers_in_text() {
    let one = json(&["solve", "tic-tac-toe", "--solver", "tiered", "--quiet"]);
    let signature = one["signature"].as_str().expect("a text");
    let call = "cluster local -n 2 --threads 1 solve tic-tac-toe --quiet";
    let text = answer(&call.split(' ').collect::<Vec<_>>());
    for part in [signature, "tiered, 2 processes, 1 thread each", "process 0 sent"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn processes_come_in_any_order() {
    const SPEC: &str = "onitama:3x3:boar";
    let site = Site::new(2);
    let table = site.table_of_one(SPEC);
    let call = format!("{SPEC} --threads 1 --out t");
    let mut second = site.start(1, &call);
    sleep(Duration::from_secs(2));
    let mut first = site.start(0, &call);
    first.check_done();
    second.check_done();
    site.check_table(&table, SPEC);
    for (process, running) in [&first, &second].into_iter().enumerate() {
        let stderr = running.stderr();
        let begin = format!("process {process} of 2, 1 thread: every position of {SPEC}");
        assert!(stderr.contains(&begin), "{stderr}");
    }
    let text = first.stdout();
    assert!(text.contains("2 processes, 1 thread each"), "{text}");
    assert_eq!(second.stdout(), "", "process 0 alone answers");
}
