//! `probe --batch`: positions in, one a line, and answers out in the same order.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use hindsight_games::{AnyGame, Position};
use serde_json::{Value, json};

use crate::files::exports::export;
use crate::harness::{TestFolder, answer, json, refusal, run_with_input};

const GAMES: [&str; 3] = ["quoridor:3x3:1", "onitama:3x3:boar", "ostle:3x3:2:1"];

/// Returns the objects of an answer, one a line.
pub(crate) fn objects(answer: &str) -> Vec<Value> {
    let lines = answer.lines().map(serde_json::from_str);
    lines.map(|object| object.expect("an object")).collect()
}

/// Returns the answers to lines that must be right.
pub(crate) fn batch(args: &[&str], input: &str) -> Vec<Value> {
    let (answer, error) = run_with_input(0, &[&["probe", "--quiet"], args].concat(), input);
    assert_eq!(error, "");
    objects(&answer)
}

#[test]
fn a_batch_answers_as_single_calls_do() {
    let folder = TestFolder::new();
    for spec in GAMES {
        let (table, _) = folder.solve(spec, &[]);
        let rows = export(&table, &[]);
        let rows = rows.iter().step_by(rows.len() / 9);
        let positions: Vec<&str> = rows.map(|row| row["position"].as_str()).collect();
        let input = positions.join("\n");
        let mut expected: Vec<Value> =
            positions.iter().map(|p| json(&["probe", &table, p])).collect();
        assert_eq!(batch(&[&table, "--batch", "--moves"], &input), expected, "{spec}");
        for answer in &mut expected {
            answer.as_object_mut().expect("an object").remove("moves");
        }
        assert_eq!(batch(&[&table, "--batch", "-"], &input), expected, "{spec}");
        let file = folder.path("positions");
        fs::write(&file, &input).expect("a file");
        assert_eq!(batch(&[&table, "--batch", &file], ""), expected, "{spec}");
    }
}

/// Thousands of positions are read by all threads, in the order of the table.
#[test]
fn a_long_batch_has_the_values_of_the_table() {
    let folder = TestFolder::new();
    for options in [&[][..], &["--layout", "compact"]] {
        let (table, _) = folder.solve("quoridor:4x3:1", options);
        let rows = export(&table, &[]);
        assert!(rows.len() > 2_000);
        // 7,919 is prime, so that every row comes once.
        let rows = (0..rows.len()).map(|i| &rows[i * 7_919 % rows.len()]);
        let rows: Vec<_> = rows.collect();
        let positions: Vec<&str> = rows.iter().map(|row| row["position"].as_str()).collect();
        let answers = batch(&[&table, "--batch", "--threads", "4"], &positions.join("\n"));
        assert_eq!(answers.len(), rows.len());
        for (answer, row) in answers.iter().zip(rows) {
            let plies: Option<u16> = row["remoteness"].parse().ok();
            let expected = json!({
                "position": row["position"], "value": row["value"], "remoteness": plies,
            });
            assert_eq!(*answer, expected, "{options:?}");
        }
    }
}

#[test]
fn a_bad_line_has_an_error_of_its_own() {
    let long = "x".repeat(20_000);
    let input = [
        "\u{feff}xo./.x./...\r\n".as_bytes(),
        b"\n",
        b"xo./.x./..\n",
        b"xo./.x./..\xff\n",
        long.as_bytes(),
        b"\nX.././O../...",
        b"\nX../.O./...",
    ];
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("hindsight"))
        .args(["probe", "tic-tac-toe", "--batch", "--quiet"])
        .write_stdin(input.concat())
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"");
    let answers = objects(&String::from_utf8(output.stdout).expect("UTF-8"));
    let faults = ["is empty", "'..' has 2", "UTF-8", "more than 16384 bytes", "has 4"];
    assert_eq!(answers.len(), 2 + faults.len());
    assert_eq!(answers[0]["position"], "xo./.x./...");
    for ((answer, fault), line) in answers[1..].iter().zip(faults).zip(2..) {
        assert_eq!(answer["line"], line);
        let error = answer["error"].as_str().expect("an error");
        assert!(error.contains(fault), "{error}");
    }
    assert_eq!(answers[6]["position"], "x../.o./...");
    assert_eq!(answers[6]["value"], "draw");
    assert_eq!(answers[6]["remoteness"], Value::Null);
}

#[test]
fn a_spec_is_solved_once_for_every_position() {
    let folder = TestFolder::new();
    let (table, _) = folder.solve("onitama:3x3:boar", &[]);
    let rows = export(&table, &[]);
    let positions: Vec<&str> = rows.iter().map(|row| row["position"].as_str()).collect();
    let args = ["probe", "onitama:3x3:boar", "--batch", "--quiet"];
    let (answer, _) = run_with_input(0, &args, &positions.join("\n"));
    let answers = objects(&answer);
    assert_eq!(answers.len(), rows.len());
    for (answer, row) in answers.iter().zip(&rows) {
        assert_eq!(answer["value"], row["value"]);
        let plies = answer["remoteness"].as_u64().map(|plies| plies.to_string());
        assert_eq!(plies.unwrap_or_default(), row["remoteness"]);
    }
}

/// Starts a batch with pipes.
fn spawn(args: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("hindsight"))
        .args(["probe", "tic-tac-toe", "--batch", "--quiet"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs")
}

#[test]
fn each_line_is_answered_at_once() {
    let mut child = spawn(&[]);
    let mut input = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    for position in ["x../.../...", "xo./.../...", "xo./.x./..."] {
        writeln!(input, "{position}").expect("a reader");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("an answer");
        assert_eq!(objects(&answer)[0]["position"], position);
    }
    drop(input);
    assert!(child.wait().expect("an end").success());
}

#[test]
fn an_endless_input_ends_with_its_reader() {
    let mut child = spawn(&["--moves"]);
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || while input.write_all(b"xo./.x./...\n").is_ok() {});
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut answer = String::new();
    answers.read_line(&mut answer).expect("an answer");
    drop(answers);
    let output = child.wait_with_output().expect("an end");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    writer.join().expect("the input ends");
}

#[test]
fn bad_calls_are_refused_before_the_work() {
    let folder = TestFolder::new();
    // Its solve would take hours.
    let spec = "quoridor:5x5:10";
    let missing = folder.path("missing");
    let error = refusal(&["probe", spec, "--batch", &missing]);
    assert_eq!(error, format!("hindsight: there is no file '{missing}'\n"));
    let error = refusal(&["probe", spec, "--batch", &folder.path("")]);
    assert!(error.ends_with("is a folder; name a file\n"), "{error}");
    assert!(refusal(&["probe", spec, "c1 c5 9,9 - white", "--batch"]).contains("--batch"));
    assert!(refusal(&["probe", spec, "--moves"]).contains("--batch"));
    // An input to which the answers are appended would never end.
    let both = folder.path("both");
    fs::write(&both, "xo./.x./...\n").expect("a file");
    let append = File::options().append(true).open(&both).expect("a file");
    let output = Command::new(assert_cmd::cargo::cargo_bin!("hindsight"))
        .args(["probe", "tic-tac-toe", "--batch", &both])
        .stdout(append)
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&both).expect("text"), "xo./.x./...\n");
}

#[test]
fn an_empty_input_has_no_answers() {
    assert_eq!(batch(&["tic-tac-toe", "--batch"], ""), [] as [Value; 0]);
}

/// Returns the positions of a game of moves chosen by `seed`, of at most 40 plies.
fn played(game: &AnyGame, mut seed: usize) -> Vec<Position> {
    let mut positions = vec![game.start()];
    while positions.len() <= 40 {
        let successors = game.successors(&positions[positions.len() - 1]);
        let successors = successors.expect("successors");
        if successors.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        positions.push(successors[(seed >> 33) % successors.len()]);
    }
    positions
}

/// Returns the text of a state of Ostle with nothing forbidden.
fn without_forbidden(state: &str) -> String {
    let (position, _) = state.rsplit_once(' ').expect("a forbidden move or -");
    format!("{position} -")
}

#[test]
fn positions_of_games_are_joined_with_an_export() {
    let folder = TestFolder::new();
    let specs = [
        "onitama:3x3:tiger,boar,crab,ox,eel",
        "quoridor:4x3:1",
        "ostle:3x3:3:1",
        "tic-tac-toe",
        "dodgem:3x3",
    ];
    for spec in specs {
        let game = hindsight_games::game(spec).expect("a game");
        let (table, _) = folder.solve(spec, &[]);
        let rows = export(&table, &[]);
        let by_position = rows.iter().map(|row| (row["position"].as_str(), row));
        let by_position: BTreeMap<&str, _> = by_position.collect();
        let row_of = |position: &str| by_position.get(position);
        let positions: Vec<Position> = (1..=30).flat_map(|seed| played(&game, seed)).collect();
        let text = |position| game.format(position).expect("a text");
        let input: Vec<String> = positions.iter().map(text).collect();
        let input = input.join("\n");
        let answers = batch(&[&table, "--batch", "--canonical"], &input);
        assert_eq!(batch(&[spec, "--batch", "--canonical"], &input), answers, "{spec}");
        let mut movers = [0, 0];
        let mut finished = 0;
        for (answer, position) in answers.iter().zip(&positions) {
            movers[game.player_to_move(position).expect("a player")] += 1;
            let Some(canonical) = answer["canonical"].as_str() else {
                assert!(game.outcome(position).expect("an outcome").is_some(), "{answer}");
                finished += 1;
                continue;
            };
            let row = row_of(canonical).or_else(|| {
                assert!(spec.starts_with("ostle"), "{answer} has no row");
                row_of(&without_forbidden(canonical))
            });
            let row = row.unwrap_or_else(|| panic!("{answer} has no row"));
            assert_eq!(answer["value"], row["value"], "{answer}");
            let plies: Option<u16> = row["remoteness"].parse().ok();
            assert_eq!(answer["remoteness"], json!(plies), "{answer}");
        }
        assert!(movers.iter().all(|&n| n > 30), "{spec}: {movers:?}");
        assert!(finished < 31, "{spec}: {finished}");
        let last = text(&positions[positions.len() - 1]);
        let single = json(&["probe", &table, &last, "--canonical", "--quiet"]);
        assert_eq!(single["canonical"], answers[answers.len() - 1]["canonical"], "{spec}");
    }
}

#[test]
fn the_row_of_a_position_is_a_line_of_the_text() {
    let blue = "rRr/3/bBb boar,boar boar,boar boar blue";
    let text = answer(&["probe", "onitama:3x3:boar", blue, "--canonical"]);
    let line = "\nIn a table: rRr/3/bBb boar,boar boar,boar boar red\n\n";
    assert!(text.contains(line), "{text}");
}
