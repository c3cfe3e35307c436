//! `play`: a person against an agent, through a pipe.

use crate::harness::{TestFolder, json, refusal, run_with_input};

/// Returns the standard output of `play` for these lines of input.
fn play(args: &[&str], lines: &[&str]) -> String {
    let call = [&["play", "--quiet"], args].concat();
    let (out, error) = run_with_input(0, &call, &(lines.join("\n") + "\n"));
    assert_eq!(error, "", "{args:?}");
    out
}

#[test]
fn a_game_is_played_to_its_end() {
    // The lines contain every move, in an order that lets X complete a column.
    let game = ["tic-tac-toe", "--agent", "random", "--seed", "5"];
    let moves = [
        "a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "a1", "a2", "a3",
    ];
    let out = play(&game, &moves);
    assert!(
        out.contains("You are X and move first; O is random."),
        "{out}"
    );
    let ends = [
        "you win (win)",
        "you lose (win)",
        "nobody wins (draw)",
        "the game is not finished",
    ];
    assert_eq!(
        ends.iter().filter(|end| out.contains(**end)).count(),
        1,
        "{out}"
    );
    assert_eq!(out, play(&game, &moves), "the same seed, the same game");
    assert!(play(&game, &["resign"]).contains("you lose (resigned)"));
    assert!(play(&game, &["quit"]).contains("not finished after 0 plies"));
    assert!(
        play(&game, &[]).contains("not finished after 0 plies"),
        "the end of the input"
    );
    let second = play(
        &[
            "tic-tac-toe",
            "--agent",
            "random",
            "--second",
            "--seed",
            "1",
        ],
        &["quit"],
    );
    assert!(
        second.contains("You are O and move second") && second.contains("X plays "),
        "{second}"
    );
}

#[test]
fn moves_hints_and_values() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("onitama:3x4:boar", &[]);
    let by_table = ["--table", &file, "--agent", "random", "--seed", "1"];
    let out = play(
        &by_table,
        &["hint", "moves", "nonsense", "help", "undo", "quit"],
    );
    assert!(out.contains("a4a3:boar  win in 21"), "{out}");
    assert!(
        out.contains("'nonsense' is no legal move here; legal are:"),
        "{out}"
    );
    assert!(
        out.contains("nothing to take back") && out.contains("save FILE"),
        "{out}"
    );
    let unknown = play(
        &["onitama:3x4:boar", "--agent", "random"],
        &["moves", "hint", "quit"],
    );
    assert!(
        unknown.contains("a4a3:boar ") && unknown.contains("a tree search plays"),
        "{unknown}"
    );
    // With a perfect opponent the game is solved first, so values are shown.
    let perfect = play(
        &["tic-tac-toe", "--agent", "perfect", "--seed", "3"],
        &["hint", "b2", "hint", "quit"],
    );
    assert!(perfect.contains("b2  draw"), "{perfect}");
}

#[test]
fn games_are_saved_undone_and_resumed() {
    let folder = TestFolder::new();
    let path = folder.path("game.jsonl");
    let save = format!("save {path}");
    let game = [
        "onitama:5x5:random",
        "--agent",
        "mcts:playouts=20",
        "--seed",
        "7",
    ];
    let call = [&["play", "--quiet", "--json"], &game[..]].concat();
    let listed = play(&game, &["moves", "quit"]);
    let is_list = |line: &&str| line.contains(':') && line.split(' ').all(|mv| mv.contains(':'));
    let moves = listed.lines().find(is_list).expect("a list of moves");
    let mv = moves.split(' ').next().expect("a move");
    let (report, _) = run_with_input(0, &call, &format!("{mv}\n{save}\nundo\n{mv}\nquit\n"));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["moves"].as_array().unwrap().len(), 2);
    let saved: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(
        (&saved["game"], &saved["moves"][0]),
        (&report["game"], &report["moves"][0])
    );
    assert_eq!(saved["ending"], "unfinished");
    let loaded = json(&["play", "--quiet", "--load", &path, "--agent", "random"]);
    assert_eq!(
        (&loaded["game"], &loaded["moves"]),
        (&saved["game"], &saved["moves"])
    );
    let same = play(&["--load", &path], &["quit"]);
    assert!(same.contains("is mcts:playouts=20."), "{same}");
    // A save overwrites neither the loaded file nor a file that this game did not save.
    for force in [&[][..], &["--force"]] {
        let call = [&["--load", &path, "--agent", "random"], force].concat();
        let again = play(&call, &[&save, "quit"]);
        assert!(again.contains("name the same file"), "{again}");
    }
    std::fs::write(folder.path("other"), "mine").unwrap();
    let other = format!("save {}", folder.path("other"));
    let again = play(&["--load", &path, "--agent", "random"], &[&other, "quit"]);
    assert!(again.contains("--force"), "{again}");
}

#[test]
fn a_move_forbidden_by_rule_8_is_named_as_such() {
    let folder = TestFolder::new();
    let path = folder.path("hole.jsonl");
    // The hole has moved to the left and may not move back at once.
    let game = r#"{"game":"ostle","number":0,"agents":["random","human"],"first":0,"moves":["c3L"],
        "winner":null,"ending":"unfinished","work":[0,0],"seconds":[0,0]}"#;
    let game = game.replace(['\n', ' '], "");
    // Byte order mark and line break of an editor on another system.
    std::fs::write(&path, format!("\u{feff}{game}\r\n")).unwrap();
    let out = play(&["--load", &path], &["b3R", "b3X", "quit"]);
    let forbidden = "'b3R' is forbidden by rule 8: \
                     it would bring back the position of two plies before; legal are: a5U";
    let words: Vec<&str> = out.split_whitespace().collect();
    assert!(words.join(" ").contains(forbidden), "{out}");
    assert!(out.contains("'b3X' is no legal move here"), "{out}");
    assert!(out.contains("not finished after 1 ply"), "{out}");
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let folder = TestFolder::new();
    let path = folder.path("bad.jsonl");
    std::fs::write(&path, "{\"game\":\n").unwrap();
    let call = |args: &[&str]| refusal(&[&["play"], args].concat());
    assert!(call(&["--load", &path]).contains("line 1 is no game"));
    std::fs::write(&path, "").unwrap();
    assert!(call(&["--load", &path]).contains("there is no game in"));
    assert!(call(&["--load", "none.jsonl"]).contains("cannot read 'none.jsonl'"));
    assert!(call(&["--agent", "alphabet"]).contains("did you mean 'alphabeta'?"));
    assert!(call(&["--seed", "-1"]).contains("a seed, a number from 0"));
    assert!(call(&["--agent", "perfect"]).contains("name the cards"));
    assert!(call(&["onitama:5x5:random,boar"]).contains("'onitama:5x5:random,boar': only 2 cards"));
    assert!(call(&["onitama:5x5:randon"]).contains("randon"));
    assert!(
        call(&["quoridor:9x9:10", "--agent", "perfect", "--memory", "10M"]).contains("--memory")
    );
    let wrong = r#"{"game":"tic-tac-toe","number":0,"agents":["human","random"],"first":0,
        "moves":["b2","b2"],"winner":null,"ending":"unfinished","work":[0,0],"seconds":[0,0]}"#;
    std::fs::write(&path, wrong.replace(['\n', ' '], "")).unwrap();
    assert!(call(&["--load", &path]).contains("move 2 of the saved game"));
    assert!(call(&["ostle", "--load", &path]).contains("the saved game is of tic-tac-toe"));
}
