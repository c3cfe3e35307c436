//! Names and times that are misspelt.

use crate::harness::{answer, refusal};

#[test]
fn only_names_that_are_alike_are_suggested() {
    for (line, meant) in [
        (&["slove", "tic-tac-toe"][..], "solve"),
        (&["analyze", "tic-tac-toe"], "analyse"),
        (&["solve", "tic-tac-toe", "--memry", "1G"], "--memory"),
        (&["study", "onitama-thesi"], "onitama-thesis"),
        (&["solve", "dobutsi"], "dobutsu"),
        (&["solve", "four:5x4", "--solver", "serch"], "search"),
        (&["solve", "quoridr:3x3:1"], "quoridor"),
    ] {
        let error = refusal(line);
        assert!(error.contains(&format!("did you mean '{meant}'?")), "{error}");
        assert_eq!(error.matches("did you mean").count(), 1, "{error}");
    }
    for line in [&["elo"][..], &["help", "elo"], &["study", "go"], &["solve", "chess"]] {
        let error = refusal(line);
        assert!(!error.contains("did you mean") && !error.contains("similar"), "{error}");
    }
}

#[test]
fn times_have_units() {
    for seconds in ["1", "0.5", "2s", "0.1m", "1h"] {
        answer(&["solve", "tic-tac-toe", "--seconds", seconds]);
    }
    for seconds in ["0", "-1", "m", "1d", "1 s", "nan", "inf", "1e9", "1e7h", "", "1ms"] {
        let error = refusal(&["solve", "tic-tac-toe", &format!("--seconds={seconds}")]);
        assert!(error.contains("such as 20, 90s, 10m or 2h"), "{error}");
    }
}
