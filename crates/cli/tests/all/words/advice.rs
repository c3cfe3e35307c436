//! Advice in messages: each solver and each table that a message names is possible for the game.

use hindsight_games::{Method, Options, memory::machine_bytes};

use crate::harness::{TestFolder, answer, file_names, refusal};

/// Games with and without ranks, planes and countdown, small ones and some too large for any
/// machine.
const SPECS: [&str; 9] = [
    "tic-tac-toe",
    "four:7x6",
    "onitama:3x3:boar",
    "onitama:5x5:tiger,crab,monkey,crane,dragon",
    "onitama:6x6:boar",
    "quoridor:3x3:1",
    "quoridor:9x9:10",
    "ostle",
    "dobutsu",
];

/// Runs a call of any exit code. Returns the code and the last message.
fn last_message(args: &[&str]) -> (Option<i32>, String) {
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("hindsight"))
        .args(args)
        .output()
        .expect("it runs");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!error.contains("panicked"), "{args:?}: {error}");
    let last = error.lines().rev().find(|line| line.starts_with("hindsight: "));
    (output.status.code(), last.unwrap_or_default().to_string())
}

/// Returns the solver that a refusal advises, and the options that it says to leave out.
fn advised(message: &str) -> Option<(String, Vec<String>)> {
    let (_, advice) = message.rsplit_once("; ")?;
    let (without, rest) = match advice.strip_prefix("without ") {
        Some(advice) => advice.split_once(", ")?,
        None => ("", advice),
    };
    let solver = rest.strip_prefix("--solver ")?.split(' ').next()?;
    let without = without.split(" and ").filter(|option| !option.is_empty());
    Some((solver.to_string(), without.map(String::from).collect()))
}

#[test]
fn an_advised_solver_is_accepted() {
    let folder = TestFolder::new();
    let table = folder.path("new.table");
    let limits = ["--seconds", "0.05", "--memory", "1G", "--quiet"];
    let mut advices = 0;
    for spec in SPECS {
        for solver in ["planes", "tiered", "search"] {
            for more in [&[][..], &["--out", &table], &["--check", "9"]] {
                let call = [&["solve", spec, "--solver", solver], more, &limits].concat();
                let (code, message) = last_message(&call);
                let Some((other, without)) = advised(&message) else {
                    continue;
                };
                assert_eq!(code, Some(2), "{call:?}");
                let kept = if without.iter().any(|option| more.first() == Some(&&**option)) {
                    &[][..]
                } else {
                    more
                };
                let advised = [&["solve", spec, "--solver", &other], kept, &limits].concat();
                let (code, late) = last_message(&advised);
                let is_out_of_time = late.contains("0.05 s");
                assert!(code == Some(0) || is_out_of_time, "{message}\n{advised:?}: {late}");
                advices += 1;
            }
        }
    }
    assert!(advices > 12, "{advices} advices");
}

#[test]
fn an_advised_table_is_possible() {
    let options = Options { table: Some("new.table".into()), ..Options::default() };
    for spec in SPECS {
        let game = hindsight_games::game(spec).expect("a game");
        let is_possible =
            game.needs(Method::Auto, &options).is_ok_and(|needs| needs.memory <= machine_bytes());
        if game.check_solvable(&Options::default()).is_ok() {
            continue;
        }
        let error = refusal(&["puzzles", spec, "--quiet"]);
        if error.contains("--out FILE") {
            assert!(is_possible, "{error}");
        }
    }
    let large = "onitama:5x5:tiger,crab,monkey,crane,dragon";
    let error = refusal(&["puzzles", large]);
    assert!(!error.contains("--out"), "{error}");
}

#[test]
fn a_board_that_is_too_large_has_no_table() {
    let folder = TestFolder::new();
    let table = folder.path("no.table");
    let large = ["solve", "four:7x6", "--out", &table, "--memory", "200M", "--quiet"];
    let error = refusal(&large);
    assert!(error.contains("--solver graph writes what can be reached, if it fits"), "{error}");
    assert!(error.contains("without --out, --solver search looks for the value"), "{error}");
    let error = refusal(&[&large[..], &["--solver", "graph"]].concat());
    assert!(error.contains("the graph does not fit in memory: "), "{error}");
    assert!(error.contains("without --out, --solver search looks for the value"), "{error}");
    assert!(error.contains("; with --checkpoint DIR, sorted on disk"), "{error}");
    assert_eq!(file_names(folder.0.path()), [""; 0]);
    assert!(answer(&["solve", "four:4x4", "--solver", "search"]).contains("draw"));
}
