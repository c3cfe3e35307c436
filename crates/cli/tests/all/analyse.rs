//! `analyse`, its cache, and `probe` of positions that no solve reaches.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use hindsight_engine::checkpoint::bytes::fnv_hash;
use hindsight_games::{Position, Symmetry, game_with_symmetry};
use serde_json::Value;

use crate::harness::{TestFolder, answer, json, refusal};

/// The real game, and a position of it that Blue, to move, wins at once.
const REAL_GAME: &str = "onitama:5x5:tiger,crab,monkey,crane,dragon";
const WON_AT_ONCE: &str = "r2rR/5/2B2/2b2/bb2b crane,monkey tiger,dragon crab blue";

fn moves(report: &Value) -> &Vec<Value> {
    report["moves"].as_array().expect("a list")
}

#[test]
fn a_small_game_is_known_move_by_move() {
    let report = json(&["analyse", "onitama:3x4:boar"]);
    assert_eq!(report["value"], "win");
    assert_eq!((&report["remoteness"], &report["player"]), (&21.into(), &"Red".into()));
    assert!(report["bound"].is_null() && report["estimate"].is_null());
    let plies: Vec<_> = moves(&report).iter().map(|mv| (&mv["value"], &mv["remoteness"])).collect();
    let expected =
        [("win", 21), ("win", 21), ("loss", 18)].map(|(value, n)| (value.into(), n.into()));
    assert_eq!(plies, expected.each_ref().map(|(value, n): &(Value, Value)| (value, n)));
    for mv in moves(&report) {
        let line = mv["line"].as_array().expect("a line");
        assert_eq!(line[0], mv["move"]);
        assert_eq!(line.len() as u64, mv["remoteness"].as_u64().expect("plies"));
        let after = json(&["probe", "onitama:3x4:boar", mv["to"].as_str().expect("a position")]);
        assert_ne!(after["value"], mv["value"]);
    }
    let text = answer(&["analyse", "onitama:3x4:boar"]);
    for part in ["Red wins in 21 plies; Red is to move.", "b4b3:boar  loss in 18 plies", "source"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn positions_of_the_real_game_have_an_answer() {
    for command in ["analyse", "probe"] {
        let report = json(&[command, REAL_GAME, WON_AT_ONCE, "--seconds", "1"]);
        assert_eq!((&report["value"], &report["remoteness"]), (&"win".into(), &1.into()));
        assert_eq!(moves(&report)[0]["move"], "c3c5:tiger");
        assert_eq!(moves(&report)[0]["remoteness"], 1);
    }
    let start = json(&["analyse", REAL_GAME, "--seconds", "0.3"]);
    assert!(start["value"].is_null() && start["remoteness"].is_null());
    let open = moves(&start).iter().filter(|mv| mv["value"].is_null());
    let estimates = open.map(|mv| mv["estimate"].as_f64().expect("a number"));
    let estimates: Vec<f64> = estimates.collect();
    assert!(estimates.is_sorted_by(|a, b| a >= b), "{estimates:?}");
    assert_eq!(start["estimate"].as_f64(), estimates.first().copied());
    let probed = json(&["probe", REAL_GAME, "--seconds", "0.3"]);
    assert!(probed["value"].is_null() && moves(&probed)[0]["value"].is_null());
    let solved = json(&["solve", REAL_GAME, WON_AT_ONCE, "--weak"]);
    assert_eq!(solved["start"]["value"], "win");
    assert_eq!(solved["start"]["best_move"], "c3c5:tiger");
}

#[test]
fn some_moves_or_a_table_are_enough() {
    let folder = TestFolder::new();
    let (table, _) = folder.solve("quoridor:3x3:1", &[]);
    let by_table = json(&["analyse", &table]);
    assert_eq!(by_table["sources"][0], "table");
    assert_eq!((&by_table["value"], &by_table["remoteness"]), (&"loss".into(), &8.into()));
    let best = moves(&by_table)[0]["move"].as_str().expect("a move");
    let other = moves(&by_table)[5]["move"].as_str().expect("a move");
    let named = format!("{other},{best}");
    let some = json(&["analyse", "quoridor:3x3:1", "--moves", &named]);
    let found: Vec<_> = moves(&some).iter().map(|mv| (&mv["move"], &mv["remoteness"])).collect();
    let expected =
        [0, 5].map(|i| (&moves(&by_table)[i]["move"], &moves(&by_table)[i]["remoteness"]));
    assert_eq!(found, expected);
    assert!(some["value"].is_null(), "other moves may be better");
    let error = refusal(&["analyse", "quoridor:3x3:1", "--moves", "a1,i9"]);
    assert!(error.contains("'i9' is no legal move here"), "{error}");
}

#[test]
fn a_cache_is_checked_listed_and_emptied() {
    let folder = TestFolder::new();
    let cache = folder.path("kept");
    let call = ["analyse", "tic-tac-toe", "--cache", &cache];
    assert_eq!(json(&call)["value"], "draw");
    fs::write(folder.path("kept/planes-1.blob"), "no planes").expect("a file");
    fs::write(folder.path("kept/notes.txt"), "not ours").expect("a file");
    let listed = json(&["cache", "--cache", &cache]);
    assert_eq!(listed["files"][0]["name"], "planes-1.blob");
    assert_eq!((&listed["bytes"], listed["files"].as_array().map(Vec::len)), (&9.into(), Some(1)));
    let cleared = json(&["cache", "clear", "--cache", &cache]);
    assert_eq!(cleared["bytes"], 0);
    assert!(fs::exists(folder.path("kept/notes.txt")).expect("a folder"));
    let (table, _) = folder.solve("quoridor:3x3:1", &[]);
    let added = json(&["cache", "add", &table, "--cache", &cache]);
    let name = added["files"][0]["name"].as_str().expect("a name").to_string();
    assert!(name.starts_with("quoridor-3x3-1-") && name.ends_with(".table"), "{name}");
    let call = ["analyse", "quoridor:3x3:1", "--cache", &cache];
    assert_eq!(json(&call)["sources"], serde_json::json!(["table"]));
    // A damaged table is not believed, and the answer is the same.
    let kept = folder.path(&format!("kept/{name}"));
    let mut bytes = fs::read(&kept).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&kept, bytes).expect("a file");
    let report = json(&call);
    assert_eq!((&report["value"], &report["remoteness"]), (&"loss".into(), &8.into()));
    assert_ne!(report["sources"][0], "table");
    for (call, about) in [
        (&["cache", "add"][..], "FILE"),
        (&["cache", "clear", &table], "is no action"),
        (&["cache", "add", "no.table"], "no.table"),
    ] {
        assert!(refusal(call).contains(about), "{call:?}");
    }
    let file = folder.path("kept/notes.txt");
    let error = refusal(&["analyse", "tic-tac-toe", "--cache", &file]);
    assert!(error.contains("--cache names a folder that can be written, or none"), "{error}");
    assert_eq!(json(&["analyse", "tic-tac-toe", "--cache", "none"])["value"], "draw");
}

/// Proofs are put into the cache, which no search of a millisecond betters.
#[test]
fn a_win_of_unknown_plies_is_shown_with_its_bound() {
    let spec = "quoridor:9x9:10";
    let game = game_with_symmetry(spec, Symmetry::All).expect("a game");
    let position = game.start();
    let format = |position: &Position| game.format(&game.canonical(position).expect("a position"));
    let mut words = vec![String::from("w25")];
    for mv in game.moves(&position).expect("moves") {
        let to = game.play(&position, &mv).expect("a move");
        let to = format(&to).expect("a position");
        let word = if words.len() == 1 { "w25" } else { "-" };
        let is_new = words.iter().all(|line| !line.ends_with(&to));
        words.extend(is_new.then(|| format!("{word}\t{to}")));
    }
    let text = format(&position).expect("a position");
    let body = format!("hindsight findings 1\n{spec}\t{text}\n{}\n", words.join("\n"));
    let hash = |text: &str| format!("{:016x}", fnv_hash(text.as_bytes()));
    let folder = TestFolder::new();
    let name = format!("findings-{}-{}.blob", hash(spec), hash(&text));
    fs::write(folder.path(&name), format!("{body}{}\n", hash(&body))).expect("a file");
    let cache = folder.path("");
    let call = ["probe", spec, &text, "--seconds", "0.001", "--cache", &cache];
    let report = json(&call);
    let bound = serde_json::json!({"value": "win", "plies": 25});
    assert_eq!((&report["bound"], &moves(&report)[0]["bound"]), (&bound, &bound));
    let last = moves(&report).last().expect("moves");
    assert!(report["remoteness"].is_null() && last.get("bound").is_none());
    let text = answer(&call);
    let bounded = "win in at most 25 plies";
    assert!(
        text.contains(&format!(" to move: {bounded}.")) && text.matches(bounded).count() > 1,
        "{text}"
    );
}

#[test]
fn a_game_that_is_over_has_a_winner_and_no_plies() {
    for (position, words) in [
        ("xxx/oo./...", "The game is over: X has won."),
        ("xox/oxx/oxo", "The game is over: a draw."),
    ] {
        for command in ["analyse", "probe"] {
            let text = answer(&[command, "tic-tac-toe", position]);
            assert!(text.contains(words), "{text}");
            assert!(!text.contains("in 0 plies") && !text.contains("to move"), "{text}");
        }
    }
}

#[test]
fn bad_input_of_an_analysis_is_refused() {
    for (call, about) in [
        (&["analyse", "tic-tac-toe", "--seconds", "0"][..], "a time above 0"),
        (&["analyse", "tic-tac-toe", "c1 c5 2,2 - white"], "3 rows"),
        (&["analyse", "onitama:3x4:wolf"], "wolf"),
        (&["analyse", "no.table"], "there is no file 'no.table'"),
        (&["probe", "quoridor:9x9:10", "e1 e9 10,10 - green"], "green"),
    ] {
        let error = refusal(call);
        assert!(error.contains(about), "{call:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn ctrl_c_ends_an_analysis_with_the_best_so_far() {
    let binary = assert_cmd::cargo::cargo_bin!("hindsight");
    let mut child = Command::new(binary)
        .args(["analyse", REAL_GAME, "--seconds", "60", "--cache", "none", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut lines = stderr.lines().map_while(Result::ok);
    assert!(lines.next().is_some_and(|line| line.contains(" after ")));
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("a signal").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(!moves(&report).is_empty());
}
