//! `match`: games between agents.

use serde_json::Value;

use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

fn game_lines(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a file of games");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_match_is_counted_and_every_game_kept() {
    let folder = TestFolder::new();
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
    let report = json(&call);
    let records = game_lines(&games);
    assert_eq!(records.len(), 20);
    assert_eq!(report["agents"], serde_json::json!(["mcts:playouts=50", "mc:playouts=50"]));
    assert_eq!(report["game"], "onitama:3x4:random");
    let winners = |winner: Value| records.iter().filter(|game| game["winner"] == winner).count();
    assert_eq!(report["wins"], serde_json::json!([winners(0.into()), winners(1.into())]));
    assert_eq!(report["ties"], winners(Value::Null));
    let plies: usize = records.iter().map(|game| game["moves"].as_array().unwrap().len()).sum();
    assert_eq!(report["mean_plies"].as_f64().unwrap(), plies as f64 / 20.0);
    let mut lengths: Vec<usize> =
        records.iter().map(|game| game["moves"].as_array().unwrap().len()).collect();
    lengths.sort();
    let median = (lengths[9] + lengths[10]) as f64 / 2.0;
    assert_eq!(report["median_plies"].as_f64().unwrap(), median);
    let of_length = lengths.iter().filter(|&&plies| plies == lengths[0]).count();
    assert_eq!(report["lengths"][lengths[0].to_string()], of_length);
    for (number, pair) in records.chunks(2).enumerate() {
        assert_eq!([&pair[0]["number"], &pair[1]["number"]], [2 * number, 2 * number + 1]);
        assert_eq!([&pair[0]["first"], &pair[1]["first"]], [0, 1], "both seats");
        assert_eq!(pair[0]["game"], pair[1]["game"], "the same deal");
    }
    assert_ne!(records[0]["game"], records[2]["game"]);
    // One thread plays the same games; a file that exists is not overwritten.
    let again = folder.path("again.jsonl");
    let one = [&call[..call.len() - 1], &[&again, "--threads", "1"]].concat();
    assert_eq!(json(&one)["wins"], report["wins"]);
    let moves =
        |games: Vec<Value>| games.into_iter().map(|game| game["moves"].clone()).collect::<Vec<_>>();
    assert_eq!(moves(game_lines(&again)), moves(records));
    assert!(refusal(&call).contains("--force"));
    assert_eq!(report["opening"], 0);
    let opening = answer(&["match", "random", "random", "-n", "2", "--opening", "1", "--quiet"]);
    let first = "onitama:5x5:random: 2 games of at most 100 plies after 1 ply at random, seed 1\n";
    assert!(opening.starts_with(first), "{opening}");
    let text = answer(&call[..call.len() - 2]);
    assert!(text.contains("Elo of the first agent") && text.contains("stream"), "{text}");
    let lengths = format!("mean length {:.1} plies, median {median}\n", plies as f64 / 20.0);
    assert!(text.contains(&lengths), "{lengths}{text}");
}

#[test]
fn perfect_play_is_by_a_table_or_a_solve() {
    let folder = TestFolder::new();
    for spec in ["onitama:3x3:boar", "ostle:3x3:2:1", "quoridor:3x3:1"] {
        let (file, solved) = folder.solve(spec, &[]);
        let by_table =
            json(&["match", "perfect", "random", "-n", "30", "--table", &file, "--quiet"]);
        let by_solve = json(&["match", "perfect", "random", "-n", "30", "--game", spec, "--quiet"]);
        assert_eq!(by_table["wins"], by_solve["wins"], "{spec}");
        assert_eq!(by_table["game"], solved["game"]);
        if solved["start"]["value"] == "win" {
            assert!(by_table["wins"][0].as_u64() >= Some(15), "{spec}: {by_table}");
        }
    }
    let (file, _) = folder.solve("tic-tac-toe", &[]);
    let lure = json(&["match", "lure", "perfect", "-n", "10", "--table", &file, "--quiet"]);
    assert_eq!((&lure["ties"], &lure["elo"]), (&10.into(), &0.0.into()));
    let other = refusal(&["match", "lure", "random", "--table", &file, "--game", "ostle"]);
    assert!(other.contains("is a table of tic-tac-toe, not of ostle"), "{other}");
}

#[test]
fn bad_matches_are_refused_with_a_reason() {
    for (call, reason) in [
        (&["mctss", "random"][..], "did you mean 'mcts'?"),
        (&["mcts:playouts=0", "random"], "playouts is a whole number from 1"),
        (&["mcts:exploration=1", "random"], "there is no option of mcts 'exploration'"),
        (&["Human", "mcts"], "hindsight play SPEC --agent AGENT"),
        (&["mcst", "human"], "hindsight play SPEC --agent AGENT"),
        (&["random", "random", "-n", "0"], "a number of games, from 1"),
        (&["random", "random", "-n", "-1"], "a number of games, from 1"),
        (&["random", "random", "--max-turns", "0"], "a number of plies from 1"),
        (&["random", "random", "--max-turns", "-1"], "a number of plies from 1"),
        (&["random", "random", "--seed", "-1"], "a seed, a number from 0"),
        (&["random", "random", "--game", "onitama:5x5:randon"], "randon"),
        (&["random", "random", "--game", "onitama:9x9:random"], "9x9"),
        (
            &["random", "random", "--table", "none.table"],
            "--table is for the agents level, perfect and lure",
        ),
        (&["perfect", "random", "--table", "none.table"], "there is no file"),
        (&["perfect", "random"], "name the cards"),
        (&["random"], "required"),
    ] {
        let error = refusal(&[&["match"], call].concat());
        assert!(error.contains(reason), "{call:?}: {error}");
    }
    let (_, error) = run_with_code(
        2,
        &["match", "perfect", "random", "--game", "onitama:4x4:boar", "--memory", "1M"],
    );
    assert!(error.contains("--memory"), "{error}");
}

/// A forced move, such as the last of nine in tic-tac-toe, takes no playouts.
#[test]
fn forced_moves_cost_nothing() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    let agent = "mc:playouts=1";
    let game = ["--game", "tic-tac-toe", "--quiet", "--games", &games];
    json(&[&["match", agent, agent, "-n", "40"], &game[..]].concat());
    let mut whole = 0;
    for game in game_lines(&games) {
        if game["moves"].as_array().unwrap().len() == 9 {
            let first = game["first"].as_u64().unwrap() as usize;
            assert_eq!(game["work"][first], 9 + 7 + 5 + 3, "{game}");
            whole += 1;
        }
    }
    assert!(whole > 0);
}

/// Time that passes while the process is stopped is not added to an agent's limit.
#[test]
#[cfg(target_os = "linux")]
fn a_stopped_process_does_not_use_up_an_agents_time() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let begin = Instant::now();
    let call = "match mc:time=3 random -n 1 --max-turns 1 --quiet --json";
    let child = Command::new(assert_cmd::cargo::cargo_bin!("hindsight"))
        .args(call.split(' '))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let signal = |name: &str| {
        let mut kill = Command::new("kill");
        let sent = kill.args([name, &child.id().to_string()]).status();
        assert!(sent.expect("a shell's command").success());
    };
    sleep(Duration::from_millis(500));
    signal("-STOP");
    sleep(Duration::from_millis(2000));
    signal("-CONT");
    let awake = begin.elapsed().as_secs_f64();
    let output = child.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let seconds = report["seconds_a_move"][0].as_f64().unwrap();
    assert!(seconds >= 3.0, "{report}");
    // On a busy machine the process may wake after the limit.
    assert!(seconds < awake.max(3.0) + 1.0, "{seconds} {awake}");
}

/// Every agent keeps a limit of half a second, even with slow steps.
#[test]
fn agents_keep_their_time_limit() {
    for agent in
        ["mc:time=0.5", "mcts:time=0.5", "mcts:time=0.5,rollouts=1048576", "alphabeta:time=0.5"]
    {
        let game = ["--game", "quoridor:9x9:10", "--max-turns", "1", "--quiet"];
        let report = json(&[&["match", agent, "random", "-n", "1"], &game[..]].concat());
        let seconds = report["seconds_a_move"][0].as_f64().unwrap();
        assert!((0.5..2.0).contains(&seconds), "{agent}: {seconds}");
    }
}

/// A match that is killed while it writes leaves half a line, which may end within a character.
#[test]
fn half_a_line_of_a_killed_match_is_told_and_mended() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    let call = ["match", "random", "random", "--game", "tic-tac-toe", "-n", "4"];
    let call = [&call[..], &["--games", &games]].concat();
    run_with_code(0, &[&call[..], &["--quiet"]].concat());
    let whole = std::fs::read(&games).expect("games");
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let before = lines[..3].concat();
    for half in [
        &lines[3][..lines[3].len() - 1 - lines[3].len() / 2],
        &lines[3][..9],
        &lines[3][..1],
        b"{\"game\":\"onitama:3x4:\xe7\x8e",
        b"\0\0\0\0",
    ] {
        let cut = [&before[..], half].concat();
        // Readers name the line and read the rest.
        std::fs::write(&games, &cut).expect("a file");
        for reader in [&["review", &games, "--quiet"][..], &["play", "--load", &games]] {
            let (_, note) = run_with_code(0, reader);
            let note = note.replace('\n', " ");
            assert!(note.contains("line 4 of '") && note.contains("is cut off"), "{note}");
        }
        assert_eq!(std::fs::read(&games).expect("games"), cut, "readers change nothing");
        // The next match says so, whether it may replace the file or not.
        let (out, note) = run_with_code(2, &call);
        let note = note.replace('\n', " ");
        assert!(out.is_empty() && note.contains("line 4 of '"), "{note}");
        assert!(note.contains("is half a line") && note.contains("which leaves 3 games"), "{note}");
        assert!(note.contains("exists; choose another name or add --force"), "{note}");
        assert_eq!(std::fs::read(&games).expect("games"), before);
        std::fs::write(&games, &cut).expect("a file");
        let (_, note) = run_with_code(0, &[&call[..], &["--force"]].concat());
        assert!(note.replace('\n', " ").contains("it and 3 games before it are to be"), "{note}");
        assert_eq!(game_lines(&games).len(), 4);
    }
    // A file of another kind is not touched, and neither is one without a half line.
    for text in ["a letter\nwithout an end", "{\"key\": 1}", "{\"game\":1}\n{\"game\":", ""] {
        std::fs::write(&games, text).expect("a file");
        assert!(!refusal(&call).contains("half a line"), "{text}");
        assert_eq!(std::fs::read_to_string(&games).expect("a file"), text);
    }
}

/// Two matches do not write one file, and neither is the line of a running one cut off.
#[test]
fn a_file_that_grows_is_left_alone() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    let text = "{\"game\":\"tic-tac-toe\",";
    std::fs::write(&games, text).expect("a file");
    let held = std::fs::File::open(&games).expect("a file");
    held.try_lock().expect("a lock");
    let call = ["match", "random", "random", "-n", "1", "--games", &games];
    assert!(!refusal(&call).contains("half a line"));
    let error = refusal(&[&call[..], &["--force", "--quiet"]].concat());
    assert!(error.contains("another run writes to it"), "{error}");
    assert_eq!(std::fs::read_to_string(&games).expect("a file"), text);
}
