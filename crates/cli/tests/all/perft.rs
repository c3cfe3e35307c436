//! `perft`: paths and positions by plies.

use serde_json::{Value, json};

use crate::harness::{answer, json, refusal};

#[test]
fn tic_tac_toe_has_the_known_numbers() {
    let text = answer(&["perft", "tic-tac-toe", "--plies", "9", "--quiet"]);
    let expected = "tic-tac-toe
.../.../...

ply    paths  positions
  0        1          1
  1        9          9
  2       72         72
  3      504        252
  4    3,024        756
  5   15,120      1,260
  6   54,720      1,520
  7  148,176      1,140
  8  200,448        390
  9  127,872         78
";
    assert_eq!(text, expected);
}

#[test]
fn paths_below_the_first_moves_sum_up() {
    for (spec, position) in [
        ("tic-tac-toe", ".../.../..."),
        ("onitama:3x3:tiger,crab,monkey,crane,dragon", ""),
        ("quoridor:2x3:1", "a2 b2 1,0 a1v black"),
        ("ostle:3x3:2:1", ""),
    ] {
        let mut call = vec!["perft", spec, "--plies", "3", "--divide"];
        call.extend(Some(position).filter(|text| !text.is_empty()));
        let report = json(&call);
        let last = report["plies"][3]["paths"].as_u64().expect("a number");
        let rows = report["divide"].as_array().expect("rows");
        let paths = rows.iter().map(|row| row["paths"].as_u64().expect("a number"));
        assert_eq!(paths.sum::<u64>(), last, "{spec}");
        assert_eq!(rows.len() as u64, report["plies"][1]["paths"].as_u64().unwrap());
        if !position.is_empty() {
            assert_eq!(report["position"], position);
        }
        let text = answer(&call);
        assert!(text.contains("move") && text.contains("all"), "{text}");
    }
}

#[test]
fn a_finished_game_has_no_paths() {
    let over = ["perft", "tic-tac-toe", "xxx/oo./...", "--plies", "2"];
    let report = json(&[&over[..], &["--divide"]].concat());
    assert_eq!(
        report,
        json!({
            "game": "tic-tac-toe",
            "position": "xxx/oo./...",
            "plies": [
                {"ply": 0, "paths": 1, "positions": 1},
                {"ply": 1, "paths": 0, "positions": 0},
                {"ply": 2, "paths": 0, "positions": 0},
            ],
            "divide": [],
        })
    );
    let none = json(&["perft", "tic-tac-toe", "--plies", "0"]);
    assert_eq!(none["plies"], json!([{"ply": 0, "paths": 1, "positions": 1}]));
    assert_eq!(none.get("divide"), None::<&Value>);
}

#[test]
fn bad_counts_are_refused_with_a_reason() {
    let calls: [(&[&str], &str); 10] = [
        (&["perft", "tic-tac-toe"], "--plies <N>"),
        (&["perft", "tic-tac-toe", "--plies", "-1"], "a number of plies from 0 to 1000"),
        (&["perft", "tic-tac-toe", "--plies", "1001"], "a number of plies from 0 to 1000"),
        (&["perft", "tic-tac-toe", "--plies", "x"], "a number of plies from 0 to 1000"),
        (&["perft", "tic-tac-toe", "--plies", "0", "--divide"], "at least 1"),
        (&["perft", "tic-tac-toe", "nonsense", "--plies", "1"], "position 'nonsense'"),
        (&["perft", "quoridor:1x2:1", "--plies", "1"], "2 to 9 wide"),
        (&["perft", "quoridor:5x5:2", "c1 c5 2,2", "-", "white", "--plies", "1"], "in quotes"),
        (
            &["perft", "quoridor:5x5:2", "--plies", "6", "--memory", "2M", "--quiet"],
            "count fewer --plies",
        ),
        (
            &["perft", "onitama:2x3:boar", "--plies", "1000", "--quiet"],
            "than 128 bits can count; count at most",
        ),
    ];
    for (args, reason) in calls {
        let error = refusal(args);
        assert!(error.contains(reason), "{args:?}: {error}");
    }
}
