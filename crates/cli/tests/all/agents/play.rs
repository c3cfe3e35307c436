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
    let moves = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "a1", "a2", "a3"];
    let out = play(&game, &moves);
    assert!(out.contains("You are X and move first; O is random."), "{out}");
    let ends =
        ["you win after", "you lose after", "nobody wins (draw)", "the game is not finished"];
    assert_eq!(ends.iter().filter(|end| out.contains(**end)).count(), 1, "{out}");
    assert_eq!(out, play(&game, &moves), "the same seed, the same game");
    assert!(play(&game, &["resign"]).contains("you lose (resigned)"));
    assert!(play(&game, &["quit"]).contains("not finished after 0 plies"));
    assert!(play(&game, &[]).contains("not finished after 0 plies"), "the end of the input");
    let second = play(&["tic-tac-toe", "--agent", "random", "--second", "--seed", "1"], &["quit"]);
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
    let out = play(&by_table, &["hint", "moves", "nonsense", "help", "undo", "quit"]);
    assert!(out.contains("a4a3:boar  win in 21"), "{out}");
    assert!(out.contains("'nonsense' is no legal move here; legal are:"), "{out}");
    assert!(out.contains("nothing to take back") && out.contains("save FILE"), "{out}");
    let unknown = play(&["onitama:3x4:boar", "--agent", "random"], &["moves", "hint", "quit"]);
    assert!(unknown.contains("a4a3:boar ") && unknown.contains("a4a3:boar  win"), "{unknown}");
    // With a perfect opponent the game is solved first, so values are shown.
    let perfect = play(
        &["tic-tac-toe", "--agent", "perfect", "--seed", "3"],
        &["hint", "b2", "hint", "quit"],
    );
    assert!(perfect.contains("b2  draw"), "{perfect}");
}

#[test]
fn a_hint_stays_the_same_and_says_what_is_certain() {
    let call = ["play", "four:7x6", "--agent", "human", "--quiet", "--json"];
    let (out, _) = run_with_input(0, &call, "hint\nhint\nquit\n");
    let lines = json_lines(&out);
    let hints: Vec<_> = lines.iter().filter(|line| line["event"] == "hint").collect();
    assert_eq!(hints.len(), 2, "{out}");
    assert_eq!(hints[0], hints[1]);
    assert_eq!(hints[0]["certain"], false);
    let text = play(
        &["four:7x6", "--agent", "human"],
        &["d1", "a1", "d2", "a2", "d3", "hint", "a3", "hint", "quit"],
    );
    // O is lost whatever it plays but d4; X then wins with d4.
    assert!(text.contains("d4  win in 1 ply"), "{text}");
    let open = play(&["four:7x6", "--agent", "human"], &["hint", "quit"]);
    assert!(open.contains("Nothing is certain here."), "{open}");
}

#[test]
fn games_are_saved_undone_and_resumed() {
    let folder = TestFolder::new();
    let path = folder.path("game.jsonl");
    let save = format!("save {path}");
    let game = ["onitama:5x5:random", "--agent", "mcts:playouts=20", "--seed", "7"];
    let call = [&["play", "--quiet", "--json"], &game[..]].concat();
    let listed = play(&game, &["moves", "quit"]);
    let is_list = |line: &&str| line.contains(':') && line.split(' ').all(|mv| mv.contains(':'));
    let moves = listed.lines().find(is_list).expect("a list of moves");
    let mv = moves.split(' ').next().expect("a move");
    let (report, _) = run_with_input(0, &call, &format!("{mv}\n{save}\nundo\n{mv}\nquit\n"));
    let report = json_lines(&report).pop().expect("a record");
    assert_eq!(report["moves"].as_array().unwrap().len(), 2);
    let saved: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((&saved["game"], &saved["moves"][0]), (&report["game"], &report["moves"][0]));
    assert_eq!(saved["ending"], "unfinished");
    let call = ["play", "--quiet", "--json", "--load", &path, "--agent", "random"];
    let loaded = json_lines(&run_with_input(0, &call, "").0).pop();
    let loaded = loaded.expect("a record");
    assert_eq!((&loaded["game"], &loaded["moves"]), (&saved["game"], &saved["moves"]));
    let same = play(&["--load", &path], &["quit"]);
    assert!(same.contains("is mcts:playouts=20."), "{same}");
}

/// Returns the lines of an answer as JSON values.
fn json_lines(answer: &str) -> Vec<serde_json::Value> {
    let lines = answer.lines();
    let values = lines.map(|line| serde_json::from_str(line).expect("a line of JSON"));
    values.collect()
}

/// Line of a file of games: X wins in the last of these moves of tic-tac-toe.
fn finished_game(agents: &str) -> String {
    format!(r#"{{"game":"tic-tac-toe","number":0,"agents":{agents},"first":0,"#)
        + r#""moves":["a1","b1","a2","b2","a3"],"winner":0,"ending":"win","work":[0,0],"#
        + r#""seconds":[0.5,0.0]}"#
        + "\n"
}

#[test]
fn a_file_is_overwritten_only_on_demand() {
    let folder = TestFolder::new();
    let [own, many, other] = ["own", "many", "other"].map(|name| folder.path(name));
    let line = finished_game(r#"["human","random"]"#);
    std::fs::write(&own, &line).unwrap();
    std::fs::write(&many, line.repeat(2)).unwrap();
    std::fs::write(&other, "mine").unwrap();
    let saved = |file: &str, commands: &[&str]| {
        let out = play(&["--load", file], commands);
        (out, std::fs::read_to_string(file).unwrap())
    };
    // A file of one game is saved where it was.
    let (out, text) = saved(&own, &["undo", "save", "c3", "save"]);
    assert!(out.contains(&format!("saved in {own}")), "{out}");
    assert!(text.contains("\"c3\"") && text.lines().count() == 1, "{text}");
    // Other games are never lost.
    let overwrite = format!("overwrite {many}");
    for command in ["save", &format!("save {many}"), &overwrite] {
        let (out, text) = saved(&many, &["undo", command]);
        assert!(!out.contains("saved in"), "{out}");
        assert_eq!(text.lines().count(), 2);
    }
    // A file that exists is replaced by `overwrite` alone.
    let (out, _) = saved(&many, &[&format!("save {other}")]);
    assert!(out.contains(&format!("overwrite {other} replaces it")), "{out}");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
    let commands = [format!("overwrite {other}"), format!("save {other}")];
    let (out, _) = saved(&many, &commands.each_ref().map(String::as_str));
    assert_eq!(out.matches("saved in").count(), 2, "{out}");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), line, "as it was");
}

#[test]
fn a_finished_game_is_looked_at_and_goes_on() {
    let folder = TestFolder::new();
    let path = folder.path("game.jsonl");
    std::fs::write(&path, finished_game(r#"["human","human"]"#)).unwrap();
    let out = play(&["--load", &path], &["b3", "back 2", "b3", "last", "quit"]);
    let mut rest = out.as_str();
    for part in [
        "Two people play",
        "x../xo./xo.",
        "X wins after 5 plies",
        "'b3' is no command, and the game is over",
        ".../x../xo.",
        "ply 3 of 5 is shown",
        "x../xo./xo.",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part}: {out}"));
        rest = &rest[at..];
    }
    // From the position looked at, the game goes on; the end can be taken back too.
    let out = play(&["--load", &path], &["first", "undo", "b2", "show", "quit"]);
    assert!(out.contains(".../.x./..."), "{out}");
    assert!(out.contains("not finished after 1 ply"), "{out}");
    let out = play(&["--load", &path], &["undo", "c3", "quit"]);
    assert!(out.contains("not finished after 5 plies"), "{out}");
}

#[test]
fn the_rules_say_who_has_won_and_which_files_are_read() {
    let folder = TestFolder::new();
    let path = folder.path("game.jsonl");
    let wrong = finished_game(r#"["mcts","random"]"#).replace("\"winner\":0", "\"winner\":1");
    std::fs::write(&path, wrong).unwrap();
    let out = play(&["--load", &path], &["hint", "moves", "save"]);
    assert!(out.contains("you win after 5 plies"), "{out}");
    assert_eq!(out.matches("the game is over: there are no moves").count(), 2);
    let saved = json_lines(&std::fs::read_to_string(&path).unwrap()).remove(0);
    assert_eq!(saved["winner"], 0);
    assert_eq!((&saved["agents"][0], &saved["seconds"][0]), (&"mcts".into(), &0.5.into()));
    for spec in ["onitama:5x5:boar:deck=/etc/passwd", "onitama:5x5:random"] {
        let line = finished_game(r#"["human","random"]"#).replace("tic-tac-toe", spec);
        std::fs::write(&path, line).unwrap();
        assert!(refusal(&["play", "--load", &path]).contains(spec));
    }
    let after_the_end = finished_game(r#"["human","random"]"#).replace("\"a3\"", "\"a3\",\"c3\"");
    std::fs::write(&path, after_the_end).unwrap();
    let error = refusal(&["play", "--load", &path]);
    assert!(error.contains("move 6 of the saved game (O): 'c3' is no move: the game is over"));
}

#[test]
fn a_terminal_gets_no_control_characters() {
    let out = play(&["tic-tac-toe", "--agent", "human"], &["\u{1b}[31m", "save /\u{7}/x"]);
    assert!(out.contains("\\u{1b}[31m") && !out.contains(['\u{1b}', '\u{7}']), "{out}");
}

#[test]
fn a_game_begins_at_any_position() {
    let folder = TestFolder::new();
    let path = folder.path("game.jsonl");
    let save = format!("save {path}");
    let start = "xx./oo./...";
    let out = play(&["tic-tac-toe", start, "--agent", "human"], &["c3", &save]);
    assert!(out.contains("X wins after 1 ply"), "{out}");
    let record = json_lines(&std::fs::read_to_string(&path).unwrap()).remove(0);
    assert_eq!(record["start"], start);
    let again = play(&["--load", &path], &["back", "quit"]);
    assert!(again.contains(start) && again.contains("X wins"), "{again}");
    let refused = |position| refusal(&["play", "tic-tac-toe", position]);
    assert!(refused("xx../oo../..../....").contains("position 'xx../oo../..../....'"));
    let with_load = refusal(&["play", "tic-tac-toe", start, "--load", &path]);
    assert!(with_load.contains("cannot be used with"), "{with_load}");
    std::fs::write(&path, record.to_string().replace("xx.", "xxxx")).unwrap();
    assert!(refusal(&["play", "--load", &path]).contains("the start of the saved game"));
}

#[test]
fn two_people_play() {
    let game = ["onitama:5x5:boar", "--agent", "Human"];
    let out = play(&game, &["a5a4", "a1a2:boar", "resign", "a4a3", "undo", "quit"]);
    assert!(out.contains("Two people play."), "{out}");
    assert!(out.contains("Blue wins (resigned) after 2 plies"), "{out}");
    assert!(out.contains("not finished after 2 plies"), "{out}");
}

#[test]
fn the_card_is_left_out_where_one_fits() {
    let spec = "onitama:3x4:crab,boar,ox,horse,rooster:first=red";
    let out = play(&[spec, "--agent", "human"], &["b4b3", "B4A3", "quit"]);
    let one_line: Vec<&str> = out.split_whitespace().collect();
    let one_line = one_line.join(" ");
    let several = "'b4b3' fits several moves: b4b3:boar b4b3:ox";
    assert!(one_line.contains(several), "{out}");
    assert!(one_line.contains("'B4A3' is no legal move here"), "{out}");
    let analysed = json(&["analyse", "onitama:3x4:boar", "--moves", "b4b3", "--seconds", "1"]);
    assert_eq!(analysed["moves"][0]["move"], "b4b3:boar");
}

#[test]
fn programs_hear_of_every_event_and_load_the_answer() {
    let folder = TestFolder::new();
    let path = folder.path("answer.jsonl");
    let call = ["play", "tic-tac-toe", "--quiet", "--json", "--agent", "random", "--seed", "4"];
    let lines = "help\nnonsense\nhint\nmoves\nb2\nresign\nundo\nquit\n";
    let (answer, error) = run_with_input(0, &call, lines);
    assert!(error.contains("'nonsense' is no legal move here"), "{error}");
    let lines = json_lines(&answer);
    let events: Vec<&str> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    let expected = [
        "start", "position", "help", "error", "hint", "moves", "move", "position", "over",
        "position",
    ];
    assert_eq!(events, expected, "{answer}");
    let [start, position] = [&lines[0], &lines[1]];
    assert_eq!((&start["agent"], &start["you"]), (&"random".into(), &"X".into()));
    assert_eq!(position["moves"].as_array().unwrap().len(), 9);
    assert_eq!(position["player"], "X");
    assert_eq!(lines[5]["moves"].as_array().unwrap().len(), 9);
    assert!(lines[4]["moves"][0]["value"].is_string(), "{answer}");
    let record = lines.last().unwrap();
    assert_eq!(record["moves"].as_array().unwrap().len(), 2);
    std::fs::write(&path, &answer).unwrap();
    assert!(play(&["--load", &path], &["quit"]).contains("after 2 plies"));
}

#[test]
fn levels_play_by_values_where_these_are_quickly_known() {
    let out = play(&["tic-tac-toe", "--level", "10", "--seed", "1"], &["moves", "quit"]);
    assert!(out.contains("O is level:10") && out.contains("b2  draw"), "{out}");
    let by_search = play(&["onitama:5x5:random", "--level", "3"], &["moves", "quit"]);
    assert!(!by_search.contains("draw") && !by_search.contains("win"), "{by_search}");
    // The positions that can be reached would not fit: every position is solved instead.
    let small = ["quoridor:5x5:2", "--agent", "perfect", "--memory", "64M", "--threads", "1"];
    assert!(play(&small, &["moves", "quit"]).contains("c2   loss in 18 plies"));
    for (level, message) in [
        ("11", "levels are numbers from 1 to 10, not '11'"),
        ("0", "levels are numbers from 1 to 10"),
        ("best", "not 'best'"),
    ] {
        let error = refusal(&["play", "tic-tac-toe", "--level", level]);
        assert!(error.contains(message), "{error}");
    }
    assert!(refusal(&["play", "Cargo.toml"]).contains("--table names a table"));
    assert!(refusal(&["play", "--agent", "level"]).contains("such as level:5"));
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
