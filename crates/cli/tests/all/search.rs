//! `solve --solver search`: value, plies and a best move.

use crate::harness::{answer, json, refusal};

#[test]
fn search_finds_the_value_of_the_graph() {
    for (spec, position) in [
        ("four:4x4:3", "..../..../..../...."),
        ("four:4x4", "..../.ox./.xo./.xox"),
        ("tic-tac-toe", "xo./.x./..."),
        ("tic-tac-toe", "xo./.../..."),
        ("tic-tac-toe", "xxx/oo./..."),
    ] {
        let [search, graph] =
            ["search", "graph"].map(|solver| json(&["solve", spec, position, "--solver", solver]));
        let [start, expected] = [&search["start"], &graph["start"]];
        assert_eq!(start["value"], expected["value"], "{spec} {position}");
        assert_eq!(start["remoteness"], expected["remoteness"], "{spec} {position}");
        assert_eq!(start["bounds"][0], start["bounds"][1]);
        assert_eq!(start["bounds"][0]["value"], start["value"]);
        assert_eq!(start["bounds"][0]["remoteness"], start["remoteness"]);
        assert_eq!(search["solver"], "search");
        assert!(search["wins"].is_null() && search["histogram"].is_null());
        let moves = json(&["probe", spec, position])["moves"].clone();
        let moves = moves.as_array().expect("a list");
        assert_eq!(moves.is_empty(), start["best_move"].is_null());
        if let Some(best) = moves.first() {
            let played = moves.iter().find(|mv| mv["move"] == start["best_move"]);
            let played = played.expect("a legal move");
            assert_eq!(played["value"], best["value"], "{spec} {position}");
            assert_eq!(played["remoteness"], best["remoteness"], "{spec} {position}");
        }
    }
}

#[test]
fn search_tells_the_value_in_words() {
    let won = answer(&["solve", "four:4x4:3", "--solver", "search"]);
    assert!(won.contains("X, to move, wins in 9 plies, with "), "{won}");
    let lost = answer(&["solve", "four:6x4"]);
    assert!(lost.contains("O wins in 24 plies; X is to move. No move lasts"), "{lost}");
    let drawn = answer(&["solve", "four:5x4"]);
    assert!(drawn.contains("a draw; X is to move. "), "{drawn}");
    assert!(drawn.contains("keeps the draw.\n"), "{drawn}");
}

#[test]
fn search_is_chosen_where_the_graph_is_large() {
    let found = json(&["solve", "four:6x5", "--memory", "100M"]);
    assert_eq!(found["chosen"]["solver"], "search");
    assert_eq!(found["start"]["value"], "draw");
    let peak = found["peak_memory_bytes"].as_u64();
    assert!(peak.is_none_or(|bytes| bytes < 100 << 20), "{peak:?}");
}

#[test]
fn search_tells_what_is_proved_when_time_is_over() {
    let call = ["solve", "four:7x6", "--seconds", "0.1"];
    let late = json(&call);
    assert!(late["start"]["value"].is_null() && late["start"]["best_move"].is_null());
    assert_eq!(late["start"]["bounds"][0]["value"], "loss");
    assert_eq!(late["start"]["bounds"][1]["value"], "win");
    assert!(answer(&call).contains("Not decided in this time"));
}

#[test]
fn search_refuses_other_games_and_too_little_memory() {
    for (call, about) in [
        (
            &["quoridor:3x3:1", "--solver", "search"][..],
            "not for quoridor:3x3:1; --solver tiered solves every position",
        ),
        (&["four:8x7", "--solver", "search", "--memory", "20M"], "needs at least"),
        (&["four:7x6", "..../..../..../....", "--solver", "search"], "this board has 6 rows"),
        (
            &["four:7x6", "--solver", "search", "--out", "x.table"],
            "--out is for --solver graph; search has no table",
        ),
    ] {
        let error = refusal(&[&["solve"], call].concat());
        assert!(error.contains(about), "{call:?}: {error}");
    }
}
