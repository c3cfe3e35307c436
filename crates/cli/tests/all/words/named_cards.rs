//! Own cards keep their names: in every command, and in tables without their deck.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{
    TestFolder, answer, file_names, json, refusal, run_with_code, run_with_input,
};

const DECK: &str = "\
[[card]]
name = \"Wolf\"
stamp = \"blue\"
offsets = [[0, 1], [1, 1], [0, -1]]

[[card]]
name = \"piglet\"
offsets = [[-1, 0], [0, 1], [1, 0]]
";

const NAMED: &str = "onitama:3x3:wolf=(0,1)(0,-1)(1,1)@blue,piglet=(-1,0)(0,1)(1,0),ox,wolf,ox";
const NAMELESS: &str = "onitama:3x3:(0,1)(0,-1)(1,1)@blue,boar,ox,(0,1)(0,-1)(1,1),ox";
const START: &str = "rRr/3/bBb piglet,ox wolf,ox wolf blue";

/// Folder with a deck; returns a spec that names it.
fn folder_with_deck() -> (TestFolder, String) {
    let folder = TestFolder::new();
    let deck = folder.path("d.toml");
    fs::write(&deck, DECK).expect("a deck");
    let spec = format!("onitama:3x3:wolf,piglet,ox,wolf,ox:deck={deck}");
    (folder, spec)
}

/// Folder with a table of own cards, whose deck is gone.
fn folder_with_table() -> (TestFolder, String) {
    let (folder, spec) = folder_with_deck();
    let table = folder.path("w.table");
    answer(&["solve", &spec, "--out", &table, "--quiet"]);
    fs::remove_file(folder.path("d.toml")).expect("the deck");
    (folder, table)
}

fn moves(report: &Value) -> Vec<&str> {
    let moves = report["moves"].as_array().expect("moves").iter();
    moves.map(|row| row["move"].as_str().expect("a text")).collect()
}

#[test]
fn names_of_a_deck_are_shown_and_read() {
    let (folder, spec) = folder_with_deck();
    let solved = json(&["solve", &spec]);
    assert_eq!(solved["game"], NAMED);
    assert_eq!(solved["start"]["position"], START);
    let nameless = json(&["solve", NAMELESS]);
    for key in ["signature", "positions", "histogram"] {
        assert_eq!(solved[key], nameless[key], "{key}");
    }
    let text = answer(&["solve", &spec, "--quiet"]);
    assert!(text.contains("aside  wolf"), "{text}");
    assert!(text.contains(":wolf") && !text.contains(":(0,1)"), "{text}");

    for position in [START, "rRr/3/bBb boar,ox (1,1)(0,1)(0,-1),ox WOLF blue"] {
        let report = json(&["probe", &spec, position]);
        assert_eq!(report["position"], START);
        assert!(moves(&report).contains(&"a1a2:wolf"), "{report}");
    }
    let analysis = json(&["analyse", &spec, START, "--moves", "a1a2:wolf", "--cache", "none"]);
    assert_eq!(moves(&analysis), ["a1a2:wolf"]);
    let line = json(&["line", &spec]);
    assert!(line["end"].as_str().expect("a text").contains("piglet"));
    assert!(answer(&["perft", &spec, "--plies", "1", "--divide"]).contains("a1a2:wolf"));
    let graph = folder.path("g.dot");
    let small = spec.replace("3x3:wolf,piglet,ox,wolf,ox", "2x3:piglet");
    answer(&["graph", &small, "--out", &graph, "--quiet"]);
    assert!(fs::read_to_string(graph).expect("a graph").contains(":piglet"));
    let svg = folder.path("p.svg");
    let call = ["draw", &spec, START, "--out", &svg, "--last", "a3a2:wolf"];
    answer(&call);
    let picture = fs::read_to_string(svg).expect("a picture");
    assert!(picture.contains(">wolf<") && picture.contains(">piglet<"), "{picture}");
    let strategy = folder.path("s.csv");
    let weak = ["solve", &spec, "--weak", "--strategy", &strategy, "--quiet"];
    assert!(answer(&weak).contains("wins"));
    assert!(fs::read_to_string(strategy).expect("a strategy").contains(":wolf"));
}

#[test]
fn cards_are_listed_by_their_names() {
    let (folder, _) = folder_with_deck();
    let deck = folder.path("d.toml");
    let listed = answer(&["cards", "--deck", &deck]);
    assert!(listed.contains("wolf (blue)") && listed.contains("piglet (red)"), "{listed}");
    let call = ["cards", "piglet", "boar", "fang=(0,2)@blue", "(0,1)", "--deck", &deck];
    let report = json(&call);
    let rows = report.as_array().expect("cards").iter();
    let rows: Vec<_> = rows.map(|row| (&row["card"], &row["stamp"], &row["set"])).collect();
    let expected = [
        ("piglet", "red", "own"),
        ("boar", "red", "base"),
        ("fang", "blue", "own"),
        ("(0,1)", "red", "own"),
    ];
    assert_eq!(rows.len(), 4);
    for (row, (card, stamp, set)) in rows.iter().zip(expected) {
        assert_eq!((row.0, row.1, row.2), (&card.into(), &stamp.into(), &set.into()));
    }
}

#[test]
fn a_table_keeps_names_without_its_deck() {
    let (folder, table) = folder_with_table();
    let info = json(&["info", &table]);
    assert_eq!((&info["game"], &info["start"]["position"]), (&NAMED.into(), &START.into()));
    let text = answer(&["probe", &table]);
    assert!(text.contains("a1a2:wolf") && text.contains("piglet"), "{text}");
    assert!(answer(&["line", &table]).contains(":piglet"));
    assert_eq!(json(&["verify", &table])["game"], NAMED);
    assert_eq!(json(&["stats", &table])["game"], NAMED);
    let csv = folder.path("w.csv");
    answer(&["export", &table, "--out", &csv, "--value", "draw", "--quiet"]);
    assert!(fs::read_to_string(&csv).expect("rows").contains("wolf"));
    let (lines, _) = run_with_input(0, &["probe", &table, "--batch", "--moves"], START);
    assert!(lines.contains("a1a2:wolf"), "{lines}");
    let puzzles = json(&["puzzles", &table, "--count", "1", "--max-plies", "9"]);
    let puzzle = puzzles["puzzles"][0]["position"].as_str().expect("a puzzle");
    assert!(puzzle.contains("wolf"), "{puzzles}");
    let call = ["audit", "random", "--table", &table, "-n", "10", "--json", "--quiet"];
    assert!(answer(&call).contains(NAMED));
    // Nothing of the file says where the deck was.
    let bytes = fs::read(&table).expect("a table");
    let deck = folder.path("d.toml");
    assert!(!bytes.windows(deck.len()).any(|window| window == deck.as_bytes()));
}

#[test]
fn tables_of_either_spec_serve_both() {
    let (folder, named) = folder_with_table();
    let nameless = folder.path("n.table");
    answer(&["solve", NAMELESS, "--out", &nameless, "--quiet"]);
    let same = json(&["compare", &named, &nameless]);
    assert_eq!((&same["different"], &same["same_bytes"]), (&0.into(), &false.into()));
    assert_eq!(same["game"], NAMED);
    for (table, spec, card) in [
        (&nameless, NAMED, ":wolf"),
        (&named, NAMELESS, ":(0,1)(0,-1)(1,1)"),
        (&named, NAMED, ":wolf"),
    ] {
        let games = folder.path("games.jsonl");
        let play = ["match", "perfect", "random", "-n", "2", "--quiet", "--force"];
        let by = ["--game", spec, "--table", table, "--games", &games];
        assert_eq!(json(&[&play[..], &by].concat())["game"], spec);
        let kept = fs::read_to_string(&games).expect("games");
        assert!(kept.contains(card), "{kept}");

        let call = ["play", spec, "--table", table, "--agent", "random", "--seed", "1"];
        let (out, _) = run_with_input(0, &[&call[..], &["--quiet"]].concat(), "moves\nquit\n");
        assert!(out.contains(card), "{out}");
        // A kept game of one spec is reviewed by a table of the other, with its own names.
        for reviewed_by in [&named, &nameless] {
            let call = ["review", &games, "--game", "0", "--table", reviewed_by];
            let report = json(&call);
            assert_eq!((&report["game"], &report["source"]), (&spec.into(), &"table".into()));
        }
    }
    let message = refusal(&["play", "onitama:3x3:wolf=(0,1)", "--table", &named]);
    assert!(message.contains("is a table of onitama:3x3:wolf=(0,1)(0,-1)"), "{message}");
}

#[test]
fn games_are_saved_loaded_and_reviewed_by_names() {
    let (folder, spec) = folder_with_deck();
    let saved = folder.path("game.jsonl");
    let input = format!("a1a2:wolf\nsave {saved}\nquit\n");
    let call = ["play", &spec, "--agent", "random", "--seed", "3", "--quiet"];
    let (out, _) = run_with_input(0, &call, &input);
    assert!(out.contains("wolf"), "{out}");
    fs::remove_file(folder.path("d.toml")).expect("the deck");
    let text = fs::read_to_string(&saved).expect("a game");
    assert!(text.contains(NAMED) && text.contains("a1a2:wolf"), "{text}");
    let review = json(&["review", &saved]);
    assert_eq!(review["game"], NAMED);
    assert_eq!(review["plies"][0]["move"], "a1a2:wolf");
    for args in [&["--load", &*saved][..], &[NAMELESS, "--load", &saved]] {
        let call = [&["play", "--quiet"], args].concat();
        let (out, _) = run_with_input(0, &call, "show\nquit\n");
        assert!(out.contains("wolf"), "{out}");
    }
}

#[test]
fn a_match_draws_from_the_deck() {
    let folder = TestFolder::new();
    let deck = folder.path("d.toml");
    let own = ["[[0, 1]]", "[[1, 1]]", "[[0, 1], [1, 0]]"].iter().enumerate();
    let own = own.map(|(i, o)| format!("[[card]]\nname = \"own{i}\"\noffsets = {o}\n"));
    fs::write(&deck, own.collect::<String>()).expect("a deck");
    let games = folder.path("games.jsonl");
    let spec = format!("onitama:3x3:random:hand=1:deck={deck}");
    let call = ["match", "random", "random", "-n", "4", "--game", &spec, "--games", &games];
    answer(&[&call[..], &["--quiet"]].concat());
    let text = fs::read_to_string(games).expect("games");
    for name in ["own0=(0,1)", "own1=(1,1)", "own2=(0,1)(1,0)", ":own"] {
        assert!(text.contains(name), "{name}: {text}");
    }
    let spec = format!("onitama:3x3:random:deck={deck}");
    let message = refusal(&["match", "random", "random", "-n", "1", "--game", &spec]);
    assert!(message.contains("5 are random, and 3 can be drawn"), "{message}");
}

#[test]
fn bad_names_and_decks_are_one_line_and_no_file() {
    let folder = TestFolder::new();
    let deck = folder.path("d.toml");
    let card = |name: &str, rest: &str| format!("[[card]]\nname = \"{name}\"\n{rest}\n");
    let moves = "offsets = [[0, 1]]";
    let long = "w".repeat(40);
    for (text, expected) in [
        (card("a:b", moves), "line 2, column 8: 'a:b' is no name for a card"),
        (card("a,b", moves), "'a,b' is no name"),
        (card("a=b", moves), "'a=b' is no name"),
        (card("a@b", moves), "'a@b' is no name"),
        (card("a b", moves), "'a b' is no name"),
        (card("a/b", moves), "'a/b' is no name"),
        (card("12", moves), "'12' is no name"),
        (card("", moves), "'' is no name"),
        (card("random", moves), "not random"),
        (card(&long, moves), "a name of 40 letters is too long for a card: at most 32"),
        (card("boar", moves), "'boar' is a built-in card with other offsets"),
        (card("wolf", moves) + &card("Wolf", moves), "line 5, column 8: the card 'wolf' stands"),
        (card("wolf", "offsets = [[0, 3]]"), "outside [-2..2]"),
        (card("wolf", ""), "missing field `offsets`"),
        (String::new(), "missing field `card`"),
    ] {
        fs::write(&deck, &text).expect("a deck");
        let spec = format!("onitama:3x3:wolf:deck={deck}");
        let table = folder.path("w.table");
        let message = refusal(&["solve", &spec, "--out", &table]);
        assert!(message.contains(expected), "{text}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(file_names(folder.0.path()), ["d.toml"]);
        assert!(refusal(&["cards", "--deck", &deck]).contains(expected));
    }
    fs::write(&deck, DECK).expect("a deck");
    for (cards, expected) in [
        ("wolf,wolf,wolf,wolf", "only 4 cards; 5 are dealt"),
        ("wolf=(0,1)", "'wolf' is the card (0,1)(0,-1)(1,1) already"),
        ("fang", "there is no card 'fang'"),
        ("piglot", "did you mean 'piglet'"),
    ] {
        let spec = format!("onitama:3x3:{cards}:deck={deck}");
        let message = refusal(&["solve", &spec]);
        assert!(message.contains(expected), "{cards}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    // A card without moves is a card: its holder passes.
    let stone = answer(&["solve", "onitama:3x3:stone=()", "--quiet"]);
    assert!(stone.contains("pass:stone"), "{stone}");
}

/// Runs a call that must end within seconds; returns its exit code.
fn code_in_time(args: &[&str], folder: &Path) -> Option<i32> {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("hindsight"));
    command.args(args).current_dir(folder);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().expect("the program");
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a status") {
            return status.code();
        }
        if begin.elapsed() > Duration::from_secs(30) {
            child.kill().expect("it still runs");
            child.wait().expect("a status");
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_deck_that_is_no_ordinary_file_is_refused() {
    let folder = TestFolder::new();
    let pipe = folder.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let spec = format!("onitama:3x3:wolf:deck={pipe}");
    for call in [
        &["solve", &*spec][..],
        &["cards", "--deck", &pipe],
        &["match", "random", "random", "-n", "1", "--game", &spec],
        &["serve", &spec],
    ] {
        assert_eq!(code_in_time(call, folder.0.path()), Some(2), "{call:?}");
    }
    let (_, message) = run_with_code(2, &["cards", "--deck", &folder.path(".")]);
    assert!(message.contains("is no ordinary file; a deck is a file of TOML"), "{message}");
}
