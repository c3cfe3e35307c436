//! `solve --weak`: the winner, and a strategy.

use std::collections::HashMap;
use std::fs;

use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

#[test]
fn weak_finds_who_wins_and_by_which_move() {
    let solved = json(&["solve", "onitama:3x4:boar"]);
    for symmetry in ["none", "all"] {
        let weak = json(&["solve", "onitama:3x4:boar", "--weak", "--symmetry", symmetry]);
        assert_eq!(weak["start"]["value"], solved["start"]["value"]);
        assert_eq!(weak["start"]["mover_wins"], true);
        assert_eq!(weak["start"]["other_wins"], false);
        assert_eq!(weak["solver"], "proof");
        assert!(weak["start"]["remoteness"].is_null() && weak["wins"].is_null());
        let best = weak["start"]["best_move"].as_str().expect("a move");
        let moves = json(&["probe", "onitama:3x4:boar"])["moves"].clone();
        let moves = moves.as_array().expect("a list");
        let best_report = moves.iter().find(|mv| mv["move"] == best);
        assert_eq!(best_report.expect("a legal move")["value"], "win");
    }
    let drawn = answer(&["solve", "tic-tac-toe", "--weak", "--threads", "1"]);
    assert!(drawn.contains("Neither side can win: a draw, with "), "{drawn}");
    let lost = answer(&["solve", "onitama:4x4:boar", "--weak"]);
    assert!(lost.contains("Blue wins, whatever Red plays."), "{lost}");
}

#[test]
fn weak_reports_when_time_is_over() {
    let call = ["solve", "onitama:5x5:boar", "--weak", "--seconds", "0.2"];
    let late = json(&[&call[..], &["--memory", "50M"]].concat());
    assert!(late["start"]["value"].is_null() && late["start"]["best_move"].is_null());
    assert!(late["positions"].as_u64().expect("a count") > 0);
    let text = answer(&call);
    assert!(text.contains("Not decided in this time and memory"), "{text}");
}

#[test]
fn weak_refuses_what_it_cannot_do() {
    for (options, about) in [
        (&["--weak", "--out", "x.table"][..], "leave out --out"),
        (&["--weak", "--solver", "graph"], "leave out --solver"),
        (&["--weak", "--seconds", "-1"], "a time above 0"),
        (&["--weak", "--check", "9"], "leave out --check"),
        (&["--weak", "--memory", "1"], "a search for who wins needs at least"),
    ] {
        let error = refusal(&[&["solve", "onitama:3x3:boar"], options].concat());
        assert!(error.contains(about), "{options:?}: {error}");
    }
}

/// Returns the lines of a file of strategies: move, value and plies by position.
fn strategy_lines(file: &str) -> HashMap<String, [String; 3]> {
    let mut reader = csv::Reader::from_path(file).expect("a file");
    assert_eq!(
        reader.headers().expect("a first line"),
        &["position", "move", "value", "plies"][..]
    );
    let line = |line: Result<csv::StringRecord, csv::Error>| {
        let line = line.expect("four fields");
        let [position, mv, value, plies] = [0, 1, 2, 3].map(|i| line[i].to_string());
        (position, [mv, value, plies])
    };
    reader.records().map(line).collect()
}

#[test]
fn a_strategy_wins_within_its_stated_plies() {
    let folder = TestFolder::new();
    for (spec, symmetry) in [("onitama:3x4:boar", "none"), ("onitama:3x4:boar", "all")] {
        let file = folder.path(&format!("{symmetry}.csv"));
        let call = ["solve", spec, "--weak", "--strategy", &file];
        let report = json(&[&call[..], &["--symmetry", symmetry]].concat());
        let lines = strategy_lines(&file);
        assert_eq!(report["strategy"]["positions"], lines.len());
        assert!(report["positions"].as_u64() > Some(0));
        let start = report["start"]["position"].as_str().expect("a position");
        assert!(lines.contains_key(start));
        let some = lines.iter().step_by(lines.len() / 12 + 1);
        let start = lines.get_key_value(start);
        for (position, [mv, value, plies]) in some.chain(start) {
            assert_eq!(value, "win");
            let probed = json(&["probe", spec, position]);
            let moves = probed["moves"].as_array().expect("moves");
            let played = moves.iter().find(|played| played["move"] == *mv);
            let played = played.expect("a move of the game");
            assert_eq!(played["value"], "win", "{position} {mv}");
            // The strategy may take longer than the fastest win.
            let plies: u64 = plies.parse().expect("plies");
            assert!(plies >= played["remoteness"].as_u64().expect("plies"), "{position}");
        }
    }
}

#[test]
fn a_strategy_and_its_counts_do_not_depend_on_threads() {
    let folder = TestFolder::new();
    // Won, lost and drawn.
    for (spec, value) in
        [("onitama:3x4:boar", "win"), ("quoridor:3x3:1", "loss"), ("tic-tac-toe", "draw")]
    {
        let found = ["1", "2", "4"].map(|threads| {
            let file = folder.path(&format!("{value}-{threads}.csv"));
            let call = ["solve", spec, "--weak", "--strategy", &file, "--threads", threads];
            let report = json(&call);
            assert_eq!(report["start"]["value"], value, "{spec}");
            let strategy = std::fs::read(&file).expect("a strategy");
            (report["positions"].clone(), report["start"].clone(), strategy)
        });
        assert!(found[0] == found[1] && found[0] == found[2], "{spec}");
    }
}

#[test]
fn a_draw_has_a_strategy_for_each_side() {
    let folder = TestFolder::new();
    let file = folder.path("draw.csv");
    let text = answer(&["solve", "tic-tac-toe", "--weak", "--strategy", &file]);
    assert!(text.contains("strategy"), "{text}");
    let lines = strategy_lines(&file);
    let marks = |position: &str, mark: char| position.matches(mark).count();
    for mine in ['x', 'o'] {
        let moves_now =
            |position: &&String| (marks(position, 'x') == marks(position, 'o')) == (mine == 'x');
        let positions: Vec<&String> = lines.keys().filter(moves_now).collect();
        assert!(positions.len() > 10, "{positions:?}");
    }
    assert!(lines.values().all(|[_, value, plies]| value == "draw" && plies.is_empty()));
}

#[test]
fn no_strategy_is_written_where_none_was_found() {
    let folder = TestFolder::new();
    let file = folder.path("none.csv");
    let call = ["solve", "onitama:5x5:boar", "--weak", "--strategy", &file];
    let late = ["--seconds", "0.2", "--memory", "50M"];
    let text = answer(&[&call[..], &late].concat());
    assert!(text.contains("No strategy was written"), "{text}");
    assert!(json(&[&call[..], &late].concat())["strategy"].is_null());
    assert!(fs::read_dir(folder.0.path()).expect("a folder").next().is_none());
    fs::write(&file, "mine").expect("a file");
    let error = refusal(&call);
    assert!(error.contains("exists; choose another name or add --force"), "{error}");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "mine");
    let error = refusal(&["solve", "onitama:3x3:boar", "--strategy", &file]);
    assert!(error.contains("--weak"), "{error}");
    let small = ["solve", "onitama:2x2:boar", "--weak", "--strategy", &file, "--force"];
    run_with_code(0, &small);
    assert!(!strategy_lines(&file).is_empty());
}
