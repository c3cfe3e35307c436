//! `audit`: agents judged by the values of a table.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::files::tables::csv_rows;
use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

/// Removes the times from a report: they differ from call to call.
fn without_times(mut report: Value) -> Value {
    report["seconds"] = Value::Null;
    for row in report["rows"].as_array_mut().expect("rows") {
        row["seconds_a_move"] = Value::Null;
    }
    report
}

fn rows(report: &Value) -> &Vec<Value> {
    report["rows"].as_array().expect("rows")
}

#[test]
fn agents_are_judged_alike_on_any_number_of_threads() {
    for (spec, from) in [
        ("onitama:2x3:boar", "self-play"),
        ("onitama:2x3:boar", "ranks"),
        ("quoridor:3x3:1", "self-play"),
        ("quoridor:3x3:1", "ranks"),
        ("ostle:3x3:2:1", "self-play"),
        ("ostle:3x3:2:1", "ranks"),
        ("tic-tac-toe", "self-play"),
    ] {
        let folder = TestFolder::new();
        let (file, _) = folder.solve(spec, &[]);
        let call = [
            "audit",
            "mcts:c=0.7",
            "random",
            "perfect",
            "--table",
            &file,
            "--playouts",
            "40,1",
            "-n",
            "150",
            "--from",
            from,
            "--quiet",
        ];
        let report = json(&call);
        assert_eq!(report["game"], spec);
        assert_eq!((&report["from"], &report["positions"]), (&json!(from), &json!(150)));
        let agents: Vec<&Value> = rows(&report).iter().map(|row| &row["agent"]).collect();
        let expected = ["mcts:playouts=1,c=0.7", "mcts:playouts=40,c=0.7", "random", "perfect"];
        assert_eq!(agents, expected);
        assert_eq!(rows(&report)[1]["playouts"], 40);
        for row in rows(&report) {
            check_sums(row, from, spec);
        }
        let perfect = &rows(&report)[3];
        for (key, value) in [("kept", 1.0), ("best", 1.0), ("plies_lost_a_win", 0.0)] {
            assert_eq!(perfect[key].as_f64().unwrap_or(value), value, "{spec} {key}");
        }
        let again = json(&[&call[..], &["--threads", "1"]].concat());
        assert_eq!(without_times(report.clone()), without_times(again), "{spec} {from}");
        let other = json(&[&call[..], &["--seed", "2"]].concat());
        assert_ne!(without_times(report.clone())["rows"], without_times(other)["rows"]);
        if from == "ranks" {
            let critical = |row: &Value| row["critical"].clone();
            let first = critical(&rows(&report)[0]);
            assert!(rows(&report).iter().all(|row| critical(row) == first), "{report}");
        }
    }
}

/// Checks that the counts of the classes, and of the layers, add up to those of the agent.
fn check_sums(row: &Value, from: &str, spec: &str) {
    let number = |row: &Value, key: &str| row[key].as_u64().unwrap();
    if from == "self-play" {
        assert_eq!(number(row, "positions"), 150, "{spec}");
    }
    for parts in ["by_remoteness", "by_layer"] {
        let parts = row[parts].as_array().unwrap();
        for key in ["positions", "critical", "given_away"] {
            let sum: u64 = parts.iter().map(|part| number(part, key)).sum();
            assert_eq!(sum, number(row, key), "{spec} {key}");
        }
    }
    let kept = 1.0 - number(row, "given_away") as f64 / number(row, "critical").max(1) as f64;
    assert!((row["kept_critical"].as_f64().unwrap_or(1.0) - kept).abs() < 1e-9);
    if let Some(bounds) = row["kept_critical_interval"].as_array() {
        let bounds = [0, 1].map(|i| bounds[i].as_f64().unwrap());
        assert!(bounds[0] <= kept && kept <= bounds[1]);
    }
    for part in row["by_remoteness"].as_array().unwrap() {
        assert_eq!(part["value"] == "draw", part["from_plies"].is_null(), "{part}");
    }
}

#[test]
fn text_csv_and_pictures() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:3x3:1", &[]);
    let [csv, svg, bars] = ["a.csv", "a.svg", "b.png"].map(|name| folder.path(name));
    let call =
        ["audit", "mc", "random", "--table", &file, "--playouts", "5,50", "-n", "200", "--quiet"];
    let files = ["--csv", &csv, "--plot", &svg];
    let text = answer(&[&call[..], &files].concat());
    for part in [
        "quoridor:3x3:1, self-play of at most 100 plies, the first 4 drawn at random",
        "mc:playouts=50",
        "kept",
        "won in 1 to 2",
        "2 fences on the board",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let report = json(&call);
    let lines = csv_rows(&fs::read(&csv).unwrap());
    for row in rows(&report) {
        let sum = |part: &str, key: &str| -> u64 {
            let lines = lines.iter().filter(|line| line["part"] == part);
            let lines = lines.filter(|line| row["agent"] == *line["agent"]);
            lines.map(|line| line[key].parse::<u64>().unwrap()).sum()
        };
        for key in ["positions", "critical", "given_away"] {
            for part in ["all", "value", "layer"] {
                assert_eq!(row[key], sum(part, key), "{part} {key}");
            }
        }
        for key in ["best", "wins_kept", "plies_lost_in_wins", "losses"] {
            assert_eq!(sum("all", key), sum("value", key), "{key}");
        }
    }
    let picture = fs::read_to_string(&svg).unwrap();
    for part in ["playouts a move", "by chance", "random", "<svg"] {
        assert!(picture.contains(part), "{part}");
    }
    let one = [&call[..5], &["-n", "20", "--quiet", "--plot", &bars]].concat();
    answer(&one);
    assert!(fs::read(&bars).unwrap().starts_with(b"\x89PNG"));
    let shown = answer(&[&call[..], &["--plot", "-", "--from", "ranks"]].concat());
    assert!(shown.contains("playouts a move") && shown.contains("by chance"), "{shown}");

    // Existing files stay unchanged without --force.
    let before = fs::read(&csv).unwrap();
    assert!(refusal(&[&call[..], &["--csv", &csv]].concat()).contains("--force"));
    assert!(refusal(&[&call[..], &["--plot", &svg]].concat()).contains("--force"));
    assert_eq!(fs::read(&csv).unwrap(), before);
    answer(&[&call[..], &["--csv", &csv, "--force", "--seed", "7"]].concat());
    assert_ne!(fs::read(&csv).unwrap(), before);
}

#[test]
fn small_tables_have_fewer_positions_than_wanted() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("tic-tac-toe", &[]);
    let call = ["audit", "random", "--table", &file, "--from", "ranks", "--quiet"];
    let report = json(&[&call[..], &["-n", "100000"]].concat());
    let all = rows(&report)[0]["positions"].as_u64().unwrap();
    assert!(all > 100 && all < 100_000, "{all}");
    let again = json(&[&call[..], &["-n", "200000", "--seed", "5"]].concat());
    assert_eq!(rows(&again)[0]["critical"], rows(&report)[0]["critical"], "all of them");
}

fn assert_one_line(error: &str) {
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
}

#[test]
fn bad_audits_are_refused_with_a_reason() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("onitama:2x3:boar", &[]);
    let [csv, missing, text] = ["a.csv", "none.table", "text.table"].map(|name| folder.path(name));
    fs::write(&text, "no table").unwrap();
    let with_table = ["--table", &*file, "--csv", &csv];
    for (call, reason) in [
        (&["mctss"][..], "did you mean 'mcts'?"),
        (&["mcts:playout=5"], "did you mean 'playouts'?"),
        (&["mcts:playouts=0"], "playouts is a whole number from 1"),
        (&["random", "--playouts", "10"], "none of the agents"),
        (&["mcts:time=1", "--playouts", "10"], "none of the agents"),
        (&["mcts", "--playouts", "0"], "from 1 to 16777216"),
        (&["mcts", "--playouts", "1,99999999"], "invalid value '99999999'"),
        (&["mcts", "--playouts", "1,"], "--playouts"),
        (&["mcts:rollouts=9", "--playouts", "5"], "a move only 5 in all"),
        (&["mcts", "mcts:c=0.4"], "mcts:playouts=1000 is there twice"),
        (&["random", "-n", "0"], "invalid value '0'"),
        (&["random", "-n", "-5"], "-5"),
        (&["random", "--max-turns", "0"], "invalid value '0'"),
        (&["random", "--opening", "-1"], "--opening"),
        (&["random", "--opening", "100"], "nothing is left of games of 100"),
        (&["random", "--opening", "3", "--from", "ranks"], "are for games"),
        (&["random", "--from", "nowhere"], "self-play, ranks"),
        (&["random", "--seed", "-1"], "--seed"),
        (&["random", "--plot", "a.gif"], "ends like no picture"),
        (&["random", "--plot", "-", "--json"], "goes with text only"),
        (&["random", "--plot", &csv], "same file"),
        (&[], "AGENT"),
    ] {
        let error = refusal(&[&["audit"], call, &with_table].concat());
        assert!(error.contains(reason), "{call:?}: {error}");
        assert_one_line(&error);
        assert!(!Path::new(&csv).exists());
    }
    for (table, reason) in [(&*missing, "there is no file"), (&*text, "is not a Hindsight table")] {
        let error = refusal(&["audit", "random", "--table", table, "--csv", &csv]);
        assert!(error.contains(reason), "{error}");
        assert_one_line(&error);
    }
    // Agents are checked before the table. A table is not overwritten.
    let error = refusal(&["audit", "mctss", "--table", &missing]);
    assert!(error.contains("did you mean"), "{error}");
    let error = refusal(&["audit", "random", "--table", &file, "--csv", &file, "--force"]);
    assert!(error.contains("name the same file"), "{error}");
    assert!(refusal(&["audit", "random"]).contains("--table"));
}

#[test]
fn damage_is_reported_and_nothing_written() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:3x3:1", &[]);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() * 3 / 4;
    bytes[middle..].fill(0x5a);
    fs::write(&file, bytes).unwrap();
    let csv = folder.path("a.csv");
    let call = ["audit", "random", "--table", &file, "--csv", &csv, "--quiet"];
    for from in ["self-play", "ranks"] {
        let (out, error) = run_with_code(2, &[&call[..], &["--from", from]].concat());
        assert!(error.contains("is damaged") && out.is_empty(), "{error}");
        assert_one_line(&error);
    }
    let left = fs::read_dir(folder.0.path()).unwrap();
    assert_eq!(left.count(), 1, "only the table");
}

/// Random openings of nine plies leave no move to choose.
#[test]
fn barren_games_end() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("tic-tac-toe", &[]);
    let error = refusal(&["audit", "random", "--table", &file, "--opening", "9", "--quiet"]);
    assert!(error.contains("1,000 games had no position to judge"), "{error}");
    assert_one_line(&error);
}
