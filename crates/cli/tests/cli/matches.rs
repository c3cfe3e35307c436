//! Matches between agents.

use serde_json::Value;

use crate::called::{Folder, answer, ends, json, refusal};

fn lines(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a file of games");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn a_match_is_counted_and_every_game_kept() {
    let folder = Folder::new();
    let games = folder.path("games.jsonl");
    let call = [
        "match",
        "MCTS:playouts=50",
        "mc:playouts=50",
        "-n",
        "20",
        "--game",
        "onitama:3x4:random",
        "--quiet",
        "--games",
        &games,
    ];
    let told = json(&call);
    let kept = lines(&games);
    assert_eq!(kept.len(), 20);
    assert_eq!(
        told["agents"],
        serde_json::json!(["mcts:playouts=50", "mc:playouts=50"])
    );
    assert_eq!(told["game"], "onitama:3x4:random");
    let winners = |winner: Value| kept.iter().filter(|game| game["winner"] == winner).count();
    assert_eq!(
        told["wins"],
        serde_json::json!([winners(0.into()), winners(1.into())])
    );
    assert_eq!(told["ties"], winners(Value::Null));
    let plies: usize = kept
        .iter()
        .map(|game| game["moves"].as_array().unwrap().len())
        .sum();
    assert_eq!(told["mean_plies"].as_f64().unwrap(), plies as f64 / 20.0);
    let mut lengths: Vec<usize> = kept
        .iter()
        .map(|game| game["moves"].as_array().unwrap().len())
        .collect();
    lengths.sort();
    let median = (lengths[9] + lengths[10]) as f64 / 2.0;
    assert_eq!(told["median_plies"].as_f64().unwrap(), median);
    let of_length = lengths.iter().filter(|&&plies| plies == lengths[0]).count();
    assert_eq!(told["lengths"][lengths[0].to_string()], of_length);
    for (number, pair) in kept.chunks(2).enumerate() {
        assert_eq!(
            [&pair[0]["number"], &pair[1]["number"]],
            [2 * number, 2 * number + 1]
        );
        assert_eq!([&pair[0]["first"], &pair[1]["first"]], [0, 1], "both seats");
        assert_eq!(pair[0]["game"], pair[1]["game"], "the same deal");
    }
    assert_ne!(kept[0]["game"], kept[2]["game"]);
    // The same games on one thread; the file is not overwritten.
    let again = folder.path("again.jsonl");
    let one = [&call[..call.len() - 1], &[&again, "--threads", "1"]].concat();
    assert_eq!(json(&one)["wins"], told["wins"]);
    let moves = |games: Vec<Value>| {
        games
            .into_iter()
            .map(|game| game["moves"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(moves(lines(&again)), moves(kept));
    assert!(refusal(&call).contains("--force"));
    let text = answer(&call[..call.len() - 2]);
    assert!(
        text.contains("Elo of the first agent") && text.contains("stream"),
        "{text}"
    );
    let lengths = format!(
        "mean length {:.1} plies, median {median}\n",
        plies as f64 / 20.0
    );
    assert!(text.contains(&lengths), "{lengths}{text}");
}

#[test]
fn perfect_play_is_by_a_table_or_a_solve() {
    let folder = Folder::new();
    for spec in ["onitama:3x3:boar", "ostle:3x3:2:1", "quoridor:3x3:1"] {
        let (file, said) = folder.solve(spec, &[]);
        let by_table = json(&[
            "match", "perfect", "random", "-n", "30", "--table", &file, "--quiet",
        ]);
        let by_solve = json(&[
            "match", "perfect", "random", "-n", "30", "--game", spec, "--quiet",
        ]);
        assert_eq!(by_table["wins"], by_solve["wins"], "{spec}");
        assert_eq!(by_table["game"], said["game"]);
        if said["start"]["value"] == "win" {
            assert!(
                by_table["wins"][0].as_u64() >= Some(15),
                "{spec}: {by_table}"
            );
        }
    }
    let (file, _) = folder.solve("tic-tac-toe", &[]);
    let lure = json(&[
        "match", "lure", "perfect", "-n", "10", "--table", &file, "--quiet",
    ]);
    assert_eq!((&lure["ties"], &lure["elo"]), (&10.into(), &0.0.into()));
    let other = refusal(&[
        "match", "lure", "random", "--table", &file, "--game", "ostle",
    ]);
    assert!(
        other.contains("is a table of tic-tac-toe, not of ostle"),
        "{other}"
    );
}

#[test]
fn bad_matches_are_refused_with_a_reason() {
    for (call, reason) in [
        (&["mctss", "random"][..], "did you mean 'mcts'?"),
        (
            &["mcts:playouts=0", "random"],
            "playouts is a whole number from 1",
        ),
        (
            &["mcts:exploration=1", "random"],
            "there is no option of mcts 'exploration'",
        ),
        (&["Human", "mcts"], "hindsight play SPEC --agent AGENT"),
        (&["mcst", "human"], "hindsight play SPEC --agent AGENT"),
        (
            &["random", "random", "-n", "0"],
            "a number of games, from 1",
        ),
        (
            &["random", "random", "-n", "-1"],
            "a number of games, from 1",
        ),
        (
            &["random", "random", "--max-turns", "0"],
            "a number of plies, from 1",
        ),
        (
            &["random", "random", "--max-turns", "-1"],
            "a number of plies, from 1",
        ),
        (
            &["random", "random", "--seed", "-1"],
            "a seed, a number from 0",
        ),
        (
            &["random", "random", "--game", "onitama:5x5:randon"],
            "randon",
        ),
        (&["random", "random", "--game", "onitama:9x9:random"], "9x9"),
        (
            &["random", "random", "--table", "none.table"],
            "--table is for the agents perfect and lure",
        ),
        (
            &["perfect", "random", "--table", "none.table"],
            "there is no file",
        ),
        (&["perfect", "random"], "name the cards"),
        (&["random"], "required"),
    ] {
        let error = refusal(&[&["match"], call].concat());
        assert!(error.contains(reason), "{call:?}: {error}");
    }
    let (_, error) = ends(
        2,
        &[
            "match",
            "perfect",
            "random",
            "--game",
            "onitama:4x4:boar",
            "--memory",
            "1M",
        ],
    );
    assert!(error.contains("--memory"), "{error}");
}
