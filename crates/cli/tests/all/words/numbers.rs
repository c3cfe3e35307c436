//! Malformed and out-of-range numbers on the command line: the error states the valid range.

use crate::harness::{TestFolder, refusal};

#[test]
fn a_bad_number_is_refused_with_the_valid_range() {
    let solve = ["solve", "onitama:3x3:boar", "--solver", "planes", "--check"];
    let audit = ["audit", "mcts", "--table", "none.table"];
    let agents = ["study", "onitama-agents"];
    let deals = ["study", "onitama-deals"];
    let playouts = "a number of playouts from 1 to 16777216";
    let calls: [(&[&str], &[&str], &str); 13] = [
        (&solve, &["0"], "a number of positions from 1 to 1000000"),
        (&solve, &["-5"], "a number of positions from 1 to 1000000"),
        (&solve, &["many"], "a number of positions from 1 to 1000000"),
        (&audit, &["--playouts", "1,,10"], playouts),
        (&audit, &["--playouts", "1,0"], playouts),
        (&audit, &["--playouts", "16777217"], playouts),
        (&audit, &["-n", "0"], "a number of positions from 1 to 10000000"),
        (&audit, &["--opening", "-1"], "a number of plies from 0 to 4294967295"),
        (&audit, &["--max-turns", "0"], "a number of plies from 1 to 4294967295"),
        (&audit, &["--max-turns", "4294967296"], "a number of plies from 1 to 4294967295"),
        (&agents, &["--playouts", "0"], "a number of playouts from 1 to 100000"),
        (&agents, &["--playouts", "1e3"], "a number of playouts from 1 to 100000"),
        (&deals, &["--deals", "0"], "a number of deals from 1 to 1000000"),
    ];
    for (call, number, expected) in calls {
        let error = refusal(&[call, number].concat());
        assert!(error.contains(expected), "{number:?}: {error}");
    }
}

#[test]
fn only_commands_with_a_position_suggest_quotes() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:2x2:1", &[]);
    let tip = "a position with spaces in it goes in quotes";
    for command in ["probe", "line", "reach", "solve", "analyse", "play", "draw"] {
        let error = refusal(&[command, &file, "a1", "b2", "1,1"]);
        assert!(error.contains(tip), "{command}: {error}");
    }
    for command in ["info", "stats", "verify", "puzzles"] {
        let error = refusal(&[command, &file, &file]);
        assert!(error.contains("unexpected argument"), "{command}: {error}");
        assert!(!error.contains("quotes"), "{command}: {error}");
    }
}
