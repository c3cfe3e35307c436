//! `review`: played games move by move.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::harness::{TestFolder, answer, json as report_of, refusal, run_with_code};

const REAL_GAME: &str = "onitama:5x5:tiger,crab,monkey,crane,dragon";

/// Writes a file with one game of tic-tac-toe or another game.
fn write_game(folder: &TestFolder, name: &str, game: &Value) -> String {
    let file = folder.path(name);
    fs::write(&file, format!("{game}\n")).expect("a file");
    file
}

/// Returns a game as `match --games` writes it.
fn game(spec: &str, moves: &[&str]) -> Value {
    json!({
        "game": spec, "number": 0, "agents": ["random", "mcts"], "first": 0, "moves": moves,
        "winner": null, "ending": "limit", "work": [0, 0], "seconds": [0.0, 0.0],
    })
}

/// Plays random games of a spec into a file.
fn random_games(folder: &TestFolder, spec: &str, name: &str, plies: &str) -> String {
    let file = folder.path(name);
    answer(&[
        "match",
        "random",
        "random",
        "-n",
        "2",
        "--game",
        spec,
        "--games",
        &file,
        "--quiet",
        "--max-turns",
        plies,
    ]);
    file
}

fn plies(report: &Value) -> &Vec<Value> {
    report["plies"].as_array().expect("a list")
}

#[test]
fn a_short_game_is_judged_move_by_move() {
    let folder = TestFolder::new();
    let moves = ["b2", "a2", "c1", "a3", "a1"];
    let file = write_game(&folder, "game.jsonl", &game("tic-tac-toe", &moves));
    let report = report_of(&["review", &file]);
    assert_eq!(report["game"], "tic-tac-toe");
    assert_eq!(report["source"], "solve");
    assert_eq!(report["start"], ".../.../...");
    let column =
        |key: &str| -> Vec<Value> { plies(&report).iter().map(|ply| ply[key].clone()).collect() };
    assert_eq!(column("ply"), [1, 2, 3, 4, 5].map(Value::from));
    assert_eq!(column("move"), moves.map(Value::from));
    assert_eq!(column("player"), ["X", "O", "X", "O", "X"].map(Value::from));
    let values = ["draw", "draw", "win", "loss", "win"].map(Value::from);
    assert_eq!(column("value_before"), values);
    let values = ["draw", "loss", "win", "loss", "win"].map(Value::from);
    assert_eq!(column("value_after"), values);
    let gave = ["nothing", "draw", "nothing", "nothing", "nothing"].map(Value::from);
    assert_eq!(column("gave"), gave);
    assert_eq!(column("plies_lost"), [json!(0), json!(null), json!(0), json!(0), json!(0)]);
    assert_eq!(column("estimate_after"), vec![Value::Null; 5]);
    let players = &report["players"];
    assert_eq!(
        players[1],
        json!({
            "player": "O", "agent": "mcts", "moves": 2, "best_moves": 1,
            "gave_away": 1, "unknown": 0, "accuracy": 75.0, "worst": [2],
        })
    );
    assert_eq!(players[0]["accuracy"], 100.0);
    assert_eq!(
        report["turning_points"],
        json!([{
            "ply": 2, "player": "O", "position": ".../.x./...", "goal": "draw", "plies": null,
            "solution": "a3", "link": "/?g=tic-tac-toe&p=.../.x./...",
        }])
    );
    assert_eq!(report["link"], "/?g=tic-tac-toe&m=b2,a2,c1,a3,a1");
    let text = answer(&["review", &file]);
    for part in [
        "X (random) against O (mcts)",
        "gave away",
        "a draw",
        "O           2     1",
        "Ply 2: O had a draw, and a2 gave it away; a3 keeps it",
        report["link"].as_str().expect("a text"),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn every_value_is_that_of_a_probe() {
    let folder = TestFolder::new();
    let spec = "onitama:3x4:boar";
    let file = random_games(&folder, spec, "games.jsonl", "30");
    let (table, _) = folder.solve(spec, &[]);
    for index in ["0", "1"] {
        let call = ["review", &file, "--game", index];
        let by_table = report_of(&[&call[..], &["--table", &table]].concat());
        let solved = report_of(&[&call[..], &["--cache", "none"]].concat());
        assert_eq!(by_table["number"].to_string(), index);
        assert_eq!((&by_table["source"], &solved["source"]), (&"table".into(), &"solve".into()));
        assert_eq!(by_table["plies"], solved["plies"]);
        for ply in plies(&by_table) {
            let position = ply["position"].as_str().expect("a position");
            let probed = report_of(&["probe", &table, position]);
            assert_eq!(ply["value_before"], probed["value"]);
            assert_eq!(ply["remoteness_before"], probed["remoteness"]);
            let moves = probed["moves"].as_array().expect("moves");
            let played = moves.iter().find(|mv| mv["move"] == ply["move"]).expect("legal");
            assert_eq!(ply["value_after"], played["value"]);
            assert_eq!(ply["remoteness_after"], played["remoteness"]);
            let is_best =
                played["value"] == probed["value"] && played["remoteness"] == probed["remoteness"];
            assert_eq!(ply["gave"] == "nothing", is_best);
            assert_eq!(ply["best"] == ply["move"], is_best);
        }
    }
    let text = answer(&["review", &file, "--table", &table]);
    assert!(text.contains("The values are those of the table."), "{text}");
}

#[test]
fn a_game_may_begin_anywhere() {
    let folder = TestFolder::new();
    let mut record = game("tic-tac-toe", &["c3", "c1"]);
    record["start"] = "xo./.x./...".into();
    record["first"] = 1.into();
    let file = write_game(&folder, "game.jsonl", &record);
    let report = report_of(&["review", &file]);
    assert_eq!(report["start"], "xo./.x./...");
    assert_eq!(plies(&report)[0]["position"], "xo./.x./...");
    assert_eq!(plies(&report)[0]["player"], "O");
    // Agent 1 made the first move, so it is O.
    assert_eq!(report["players"][1]["agent"], "mcts");
    assert_eq!((&report["winner"], &report["ending"]), (&"X".into(), &"win".into()));
    record["start"] = "nowhere".into();
    let file = write_game(&folder, "bad.jsonl", &record);
    assert!(refusal(&["review", &file]).contains("the start of the saved game"));
}

#[test]
fn large_games_have_estimates() {
    let folder = TestFolder::new();
    let file = random_games(&folder, REAL_GAME, "games.jsonl", "8");
    let call = ["review", &file, "--seconds", "2", "--cache", "none"];
    let report = report_of(&call);
    assert_eq!(report["source"], "analyses");
    let open: Vec<&Value> =
        plies(&report).iter().filter(|ply| ply["value_after"].is_null()).collect();
    // A busy machine may leave no time for an estimate of some position.
    let estimates = open.iter().filter_map(|ply| ply["estimate_after"].as_f64());
    let estimates: Vec<f64> = estimates.collect();
    assert!(!estimates.is_empty());
    assert!(estimates.iter().all(|estimate| estimate.abs() <= 1.0));
    for ply in &open {
        assert!(ply["gave"].is_null() || ply["gave"] == "nothing");
    }
    let pairs = plies(&report).windows(2);
    for pair in pairs.filter(|pair| pair[0]["estimate_after"].is_f64()) {
        let [after, before] = [&pair[0]["estimate_after"], &pair[1]["estimate_before"]];
        assert_eq!(after.as_f64(), before.as_f64().map(|estimate| -estimate));
    }
    let text = answer(&call);
    assert!(text.contains("Each position was analysed by itself."), "{text}");
    assert!(text.contains("estimate "), "{text}");
}

#[test]
fn the_picture_marks_what_was_given_away() {
    let folder = TestFolder::new();
    let moves = ["b2", "a2", "c1", "a3", "a1"];
    let file = write_game(&folder, "game.jsonl", &game("tic-tac-toe", &moves));
    let picture = folder.path("game.svg");
    answer(&["review", &file, "--svg", &picture]);
    let svg = fs::read_to_string(&picture).expect("a picture");
    for part in ["X wins", "O wins", "draw", "proved", "2. a2", "gave away a result"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("estimate"));
    let error = refusal(&["review", &file, "--svg", &picture]);
    assert!(error.contains("exists"), "{error}");
    let png = folder.path("game.png");
    report_of(&["review", &file, "--svg", &png]);
    assert!(fs::read(&png).expect("a picture").starts_with(b"\x89PNG"));
    let text = answer(&["review", &file]);
    assert!(text.contains("   X ┤") && text.contains("draw ┤"), "{text}");
}

#[test]
fn games_are_reviewed_as_people_write_them() {
    let folder = TestFolder::new();
    let moves = ["b2", "a2", "c1", "a3", "a1"];
    let file = write_game(&folder, "game.jsonl", &game("tic-tac-toe", &moves));
    let kept = report_of(&["review", &file]);
    let text =
        "[White \"Ada\"]\n[Game \"tic-tac-toe\"]\n\n1. b2 {the middle} a2?; bad\n2. c1 a3 a1 *";
    let file = folder.path("game.pgn");
    fs::write(&file, text).expect("a file");
    let typed = "1. b2 a2 2. c1 a3 3. a1 1-0";
    let by_moves = report_of(&["review", "tic-tac-toe", "--moves", typed]);
    let by_tag = report_of(&["review", "--moves", text]);
    let resigned = (&"X".into(), &"resigned".into());
    let unfinished = (&Value::Null, &"unfinished".into());
    let by_file = report_of(&["review", &file]);
    for (report, end) in [(&by_moves, resigned), (&by_tag, unfinished), (&by_file, unfinished)] {
        assert_eq!(report["plies"], kept["plies"]);
        assert_eq!((&report["winner"], &report["ending"]), end);
    }
    // A pipe is read once, whatever the game is written in.
    let record = folder.path("game.jsonl");
    for source in [&file, &record] {
        let call = format!(
            "cat '{source}' | '{}' review /dev/stdin --json --quiet",
            env!("CARGO_BIN_EXE_hindsight")
        );
        let piped = Command::new("sh").args(["-c", &call]).output().expect("a shell");
        let piped: Value = serde_json::from_slice(&piped.stdout).expect("JSON");
        assert_eq!(piped["plies"], kept["plies"], "{source}");
    }
    // The rules have precedence over the result that the text names.
    let over = report_of(&["review", "tic-tac-toe", "--moves", "a1 b1 a2 b2 a3 0-1"]);
    assert_eq!((&over["winner"], &over["ending"]), (&"X".into(), &"win".into()));
    assert_eq!(by_tag["players"][0]["agent"], "Ada");
    assert_eq!(by_moves["players"][1]["agent"], "?");
    let call = ["review", "tic-tac-toe", "xo./.x./...", "--moves", "c3 a1 0-1"];
    let report = report_of(&call);
    assert_eq!((&report["start"], &report["number"]), (&"xo./.x./...".into(), &0.into()));
    // The second player moves first here, and is the winner of 0-1.
    assert_eq!((&report["winner"], &report["ending"]), (&"O".into(), &"resigned".into()));
    let four = report_of(&["review", "four:4x4:3", "--moves", "2233"]);
    assert_eq!(plies(&four)[3]["move"], "c2");
    assert_eq!(four["ending"], "unfinished");
    for (call, about) in [
        (&["tic-tac-toe", "--moves", "1. b2 b2"][..], "move 2 (O): 'b2' is no legal move here"),
        (&["--moves", "b2"], "write the spec before --moves"),
        (&["tic-tac-toe", "--moves", "b2 {"], "has no }"),
        (&["chess", "--moves", "e4"], "there is no game 'chess'"),
        (&["tic-tac-toe", "nowhere", "--moves", "b2"], "position 'nowhere'"),
        (&[&*file, "xo./.x./..."], "--moves"),
        (&[&*file, "--game", "1"], "has one game, number 0"),
        (&["no.jsonl", "--moves", "b2"], "there is no file 'no.jsonl'"),
        (&[], "<FILE-OR-SPEC>"),
    ] {
        let error = refusal(&[&["review"], call].concat());
        assert!(error.contains(about), "{call:?}: {error}");
    }
    fs::write(&file, "1. b2 a2").expect("a file");
    let error = refusal(&["review", &file]);
    assert!(error.contains("does not name its game"), "{error}");
    fs::write(&file, "[Game \"tic-tac-toe\"] b2 z1").expect("a file");
    let error = refusal(&["review", &file]);
    assert!(error.contains("game.pgn': move 2 (O): 'z1'"), "{error}");
}

#[test]
fn bad_input_of_a_review_is_refused() {
    let folder = TestFolder::new();
    let good = write_game(&folder, "good.jsonl", &game("tic-tac-toe", &["b2"]));
    let whole = fs::read_to_string(&good).expect("a game");
    let write = |name: &str, text: &str| {
        let file = folder.path(name);
        fs::write(&file, text).expect("a file");
        file
    };
    let cut = write("cut.jsonl", &whole[..whole.len() / 2]);
    let empty = write("empty.jsonl", "");
    let broken = write("broken.jsonl", "{\"key\":1}\n");
    let illegal = game("tic-tac-toe", &["b2", "b2"]);
    let illegal = write_game(&folder, "illegal.jsonl", &illegal);
    let chess = write_game(&folder, "chess.jsonl", &game("chess", &["e4"]));
    let deck = write_game(&folder, "deck.jsonl", &game("onitama:3x4:wolf:deck=/etc/passwd", &[]));
    let (table, _) = folder.solve("quoridor:3x3:1", &[]);
    let new = folder.path("new.gif");
    for (call, about) in [
        (&[&*cut][..], "is cut off or no game"),
        (&[&*empty], "there is no game in"),
        (&[&*broken], "line 1 is no game"),
        (&[&*illegal], "move 2 of the saved game"),
        (&[&*chess], "there is no game 'chess'"),
        (&[&*deck], "deck"),
        (&["no.jsonl"], "cannot read 'no.jsonl'"),
        (&[&*good, "--game", "1"], "has one game, number 0"),
        (&[&*good, "--game", "-1"], "a game from 0"),
        (&[&*good, "--table", &*table], "is a table of quoridor:3x3:1"),
        (&[&*good, "--table", &*good], "is not a Hindsight table"),
        (&[&*good, "--svg", &*good, "--force"], "name the same file"),
        (&[&*good, "--svg", "-"], "--svg would go to standard output"),
        (&[&*good, "--svg", &*new], "end it in .svg or .png"),
        (&[&*good, "--seconds", "0"], "a time above 0"),
    ] {
        let error = refusal(&[&["review"], call].concat());
        assert!(error.contains(about), "{call:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert_eq!(fs::read_to_string(&good).expect("a game"), whole);
    assert!(!fs::exists(new).expect("a folder"));
    // A whole game before the cut is taken, with a note.
    let both = write("both.jsonl", &format!("{whole}{}", &whole[..40]));
    let (_, note) = run_with_code(0, &["review", &both]);
    assert!(note.contains("is cut off"), "{note}");
}

#[test]
fn a_game_without_moves_is_reviewed() {
    let folder = TestFolder::new();
    let file = write_game(&folder, "game.jsonl", &game("tic-tac-toe", &[]));
    assert_eq!(report_of(&["review", &file])["plies"], json!([]));
    assert!(answer(&["review", &file]).contains("cut off after 0 plies"));
    {
        let picture = folder.path("none.svg");
        let error = refusal(&["review", &file, "--svg", &picture]);
        assert!(error.contains("nothing to draw"), "{error}");
        assert!(!fs::exists(picture).expect("a folder"));
    }
}

#[test]
fn a_signal_ends_a_review_with_what_is_known() {
    let folder = TestFolder::new();
    let file = random_games(&folder, REAL_GAME, "games.jsonl", "6");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("hindsight"))
        .args(["review", &file, "--seconds", "300", "--cache", "none", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut lines = stderr.lines().map_while(Result::ok);
    assert!(lines.next().is_some_and(|line| line.contains("reviewing: ")));
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.expect("a signal").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(143));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(plies(&report).len(), 6);
}

#[test]
fn a_short_time_leaves_no_position_without_value_or_estimate() {
    let folder = TestFolder::new();
    let moves = ["d1", "a1", "d2", "a2", "d3", "a3", "d4"];
    let file = write_game(&folder, "game.jsonl", &game("four:7x6", &moves));
    let call = ["review", &file, "--seconds", "0.01", "--cache", "none"];
    let report = report_of(&call);
    assert_eq!(report["source"], "analyses");
    for ply in plies(&report) {
        for when in ["before", "after"] {
            let [value, estimate] =
                ["value", "estimate"].map(|kind| &ply[format!("{kind}_{when}")]);
            assert_ne!(value.is_null(), estimate.is_null(), "{ply}");
        }
    }
    let last = plies(&report).last().expect("seven plies");
    assert_eq!(
        (&last["value_after"], &last["remoteness_before"], &last["gave"]),
        (&"win".into(), &1.into(), &"nothing".into())
    );
    let text = answer(&call);
    assert!(text.contains("estimate"), "{text}");
    assert!(text.contains("the other values are proved"), "{text}");
}
