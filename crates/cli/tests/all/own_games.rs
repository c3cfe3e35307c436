//! Games whose rules are programs: every command takes them, and faults are sentences.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{
    TestFolder, answer, file_names, json as answer_json, refusal, run_with_code, run_with_input,
};
use crate::server::serve::{Serving, send, status_and_body};

const PROGRAM: &str = env!("CARGO_BIN_EXE_hindsight");

pub(crate) fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    fs::read_to_string(folder.join(name)).expect("an example")
}

/// Compiles a program in C; returns its path.
pub(crate) fn compile(folder: &TestFolder, name: &str, source: &str) -> String {
    let (file, program) = (folder.path(&format!("{name}.c")), folder.path(name));
    fs::write(&file, source).expect("a file");
    let status = Command::new("cc").args(["-O2", "-o", &program, &file]).status();
    assert!(status.expect("a compiler of C").success());
    program
}

fn breakthrough(folder: &TestFolder, size: &str) -> String {
    let program = compile(folder, "breakthrough", &example("breakthrough/breakthrough.c"));
    format!("cmd:{program} {size}")
}

/// Writes rules of some lines of a shell: a heap of ten stones, of which a move takes one or two.
/// `act` is done instead of an answer about four stones.
fn heap(folder: &TestFolder, name: &str, act: &str) -> String {
    let script = format!(
        "count=0\nwhile read -r word rest; do case $word in\n\
         rules) printf 'rules 1 heap\\nbytes 1\\nturns alternate\\nstart 0a\\nready\\n';;\n\
         expand) for p in $rest; do case $p in\n\
         00) echo loss;; 01) echo 00;; 04) {act};; 0a) echo 09 08;;\n\
         *) n=${{p#0}}; echo 0$((n - 1)) 0$((n - 2));; esac; done; echo end;;\n\
         esac; done\n"
    );
    let path = folder.path(name);
    fs::write(&path, script).expect("a file");
    format!("cmd:sh '{path}'")
}

fn sound_heap(folder: &TestFolder) -> String {
    heap(folder, "heap.sh", "echo 03 02")
}

#[test]
fn four_in_a_row_by_lines_has_the_values_of_ours() {
    let folder = TestFolder::new();
    let source = example("four.c").replace("COLUMNS = 5", "COLUMNS = 4");
    let spec = format!("cmd:{}", compile(&folder, "four", &source));
    let ours = answer_json(&["solve", "four:4x4", "--solver", "graph", "--quiet"]);
    for threads in ["1", "3"] {
        let theirs = answer_json(&["solve", &spec, "--threads", threads, "--quiet"]);
        for key in ["positions", "edges", "signature", "histogram"] {
            assert_eq!(theirs[key], ours[key], "{key}");
        }
    }
}

#[test]
fn every_command_takes_a_program_of_rules() {
    let folder = TestFolder::new();
    let spec = breakthrough(&folder, "3 4");
    let of_spec = |args: &[&str]| {
        let args: Vec<&str> =
            args.iter().map(|&arg| if arg == "SPEC" { &spec } else { arg }).collect();
        answer_json(&[&args[..], &["--quiet"]].concat())
    };
    // Counted by a program of its own, which looks at every position until nothing changes.
    let solved = of_spec(&["solve", "SPEC"]);
    let start = json!({ "value": "loss", "remoteness": 12, "position": "BBB/BBB/WWW/WWW white" });
    assert_eq!((&solved["start"], &solved["positions"]), (&start, &json!(55152)));
    assert_eq!((&solved["edges"], &solved["wins"]), (&json!(112354), &json!(19807)));
    let merged = of_spec(&["solve", "SPEC", "--symmetry", "all"]);
    assert_eq!((&merged["start"]["remoteness"], &merged["positions"]), (&json!(12), &json!(17391)));
    for solver in ["proof", "forward"] {
        let solved = of_spec(&["solve", "SPEC", "--solver", solver]);
        assert_eq!(solved["start"]["value"], "loss", "{solver}");
    }
    let position = "BBB/B.B/.W./W.W white";
    let probed = of_spec(&["probe", "SPEC", position]);
    let solved = of_spec(&["solve", "SPEC", position]);
    assert_eq!(solved["start"]["value"], probed["value"]);
    let line = of_spec(&["line", "SPEC", position]);
    assert_eq!(
        line["line"].as_array().map(|plies| json!(plies.len())),
        Some(probed["remoteness"].clone())
    );
    assert_eq!(
        of_spec(&["analyse", "SPEC", position, "--seconds", "20"])["value"],
        probed["value"]
    );
    assert_eq!(of_spec(&["perft", "SPEC", "--plies", "2"])["plies"][2]["paths"], 20);
    assert!(of_spec(&["puzzles", "SPEC", "--count", "2"])["puzzles"][0]["line"].is_array());
    let laws = of_spec(&["laws", "SPEC", "--positions", "200"]);
    assert_eq!((&laws["broken"], &laws["positions"]), (&Value::Null, &json!(200)));
    let graph = folder.path("graph.csv");
    answer(&["graph", &spec, "--out", &graph]);
    let nodes = fs::read_to_string(folder.path("graph.nodes.csv")).expect("a graph");
    assert_eq!(nodes.lines().count(), 55152 + 1);
    let picture = folder.path("board.svg");
    answer(&["draw", &spec, "--out", &picture]);
    assert!(fs::read_to_string(&picture).expect("a picture").contains("<svg"));
    let games = folder.path("games.jsonl");
    let played = of_spec(&[
        "match",
        "perfect",
        "mcts:playouts=50",
        "--game",
        "SPEC",
        "-n",
        "4",
        "--games",
        &games,
    ]);
    assert_eq!(played["game"], spec);
    // A bot is told of the game by its spec, which has spaces.
    let bot = format!("cmd:{PROGRAM} agent mcts:playouts=50 --game '{spec}' --quiet");
    let bots = of_spec(&["match", &bot, "random", "--game", "SPEC", "-n", "2"]);
    assert_eq!(bots["faults"], json!([{}, {}]));
    let reviewed = of_spec(&["review", &games, "--rules", "SPEC"]);
    assert!(reviewed["plies"].as_array().is_some_and(|plies| !plies.is_empty()));
}

#[test]
fn the_example_in_python_is_a_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let spec = format!("cmd:python3 '{}' 14", folder.join("take_away.py").display());
    let probed = answer_json(&["probe", &spec, "7 stones second", "--quiet"]);
    assert_eq!((&probed["value"], &probed["remoteness"]), (&json!("win"), &json!(5)));
    assert_eq!(probed["moves"][0]["move"], "one");
    let line = answer_json(&["line", &spec, "--quiet"]);
    assert_eq!(line["remoteness"], 9);
    // The page has the same program, which says less of itself.
    let page = include_str!("../../../../docs/own-game.md");
    let (_, rest) = page.split_once("```python\n").expect("a program");
    let (program, _) = rest.split_once("```").expect("its end");
    let copy = TestFolder::new();
    let path = copy.path("page.py");
    fs::write(&path, program).expect("a file");
    let solved = answer_json(&["solve", &format!("cmd:python3 '{path}' 14"), "--quiet"]);
    assert_eq!((&solved["start"]["remoteness"], &solved["positions"]), (&json!(9), &json!(15)));
}

#[test]
fn a_game_is_played_kept_and_loaded() {
    let folder = TestFolder::new();
    let (spec, kept) = (breakthrough(&folder, "3 4"), folder.path("kept.jsonl"));
    let input = format!("a2b3\nsave {kept}\nquit\n");
    let (out, _) = run_with_input(0, &["play", &spec, "--agent", "random", "--seed", "1"], &input);
    assert!(out.contains("saved in"), "{out}");
    let (out, _) = run_with_input(0, &["play", &spec, "--load", &kept], "quit\n");
    assert!(out.contains("White"), "{out}");
    // The file alone starts no program.
    let text = refusal(&["play", "--load", &kept]);
    assert!(text.contains("rules of a program need a command line that names it"), "{text}");
    let text = refusal(&["review", &kept]);
    assert!(text.contains("rules of a program need a command line that names it"), "{text}");
}

#[test]
fn positions_and_moves_without_names_are_digits_and_numbers() {
    let folder = TestFolder::new();
    let spec = sound_heap(&folder);
    let probed = answer_json(&["probe", &spec, "07 second", "--quiet"]);
    assert_eq!((&probed["position"], &probed["value"]), (&json!("07 second"), &json!("win")));
    assert_eq!(probed["moves"][0]["move"], "1");
    assert_eq!(answer_json(&["probe", &spec, "07", "--quiet"])["position"], "07 first");
    let text = refusal(&["probe", &spec, "7"]);
    assert!(text.contains("'7' is no position: it has 2 hexadecimal digits"), "{text}");
}

#[test]
fn faults_of_a_program_are_sentences_and_nothing_is_written() {
    let folder = TestFolder::new();
    for (act, reason) in [
        ("exit 3", "crashed: it ended with exit code 3, in the position 04"),
        ("kill -9 $$", "crashed: it ended by signal 9, in the position 04"),
        ("echo", "there is no move and no result, in the position 04"),
        ("echo 0302", "nonsense: '0302' is neither win, draw or loss nor positions of 2"),
        ("echo 03 0x", "nonsense: '03 0x' is neither"),
        ("echo error what is this", "gave up: 'what is this', in the position 04"),
        // Among others or alone, wherever it stands in an answer.
        ("echo 03 02; echo loss", "is a line more than were asked for, where end is missing"),
        (":", "'end' comes after "),
        ("while :; do echo -n 03030303; done", "is longer than 4194304 bytes, in the position 04"),
    ] {
        let spec = heap(&folder, "bad.sh", act);
        let before = file_names(folder.0.path());
        let graph = folder.path("graph.csv");
        for command in [&["solve", &spec][..], &["graph", &spec, "--out", &graph], &["line", &spec]]
        {
            let text = refusal(&[command, &["--quiet"]].concat());
            assert!(text.contains(&reason.replace("it ended by", "it was ended by")), "{text}");
            assert!(text.contains(&format!("the rules '{spec}' fail: ")), "{text}");
            assert_eq!(text.lines().count(), 1, "{text}");
        }
        assert_eq!(file_names(folder.0.path()), before);
    }
}

#[test]
fn an_end_that_is_missing_is_named() {
    let folder = TestFolder::new();
    let spec = sound_heap(&folder);
    let path = folder.path("heap.sh");
    let script = fs::read_to_string(&path).expect("a file").replace("; echo end;;", ";;");
    fs::write(&path, script).expect("a file");
    let text = refusal(&["perft", &spec, "--plies", "1", "--quiet"]);
    assert!(text.contains("the line 'end' is missing after the answer"), "{text}");
}

#[test]
fn faulty_beginnings_are_refused() {
    let folder = TestFolder::new();
    let good = "rules 1 x\\nbytes 1\\nturns alternate\\nstart 00\\nready";
    for (lines, reason) in [
        ("hello 1 bot".into(), "is not rules 1 NAME"),
        (good.replace("rules 1", "rules 2"), "is of version 2 of the protocol, not 1"),
        (good.replace("bytes 1", "bytes 33"), "is not bytes N, with N from 1 to 32"),
        (good.replace("bytes 1", "bytes 2"), "comes after a start of 1 bytes, not 2"),
        (good.replace("start 00\\n", ""), "comes before start and the first position"),
        (good.replace("start 00", "start 0g"), "is not start and hexadecimal digits"),
        (good.replace("turns alternate", "turns"), "is not one of: rules, bytes, start"),
        (good.replace("turns alternate", "player 1"), "the last byte is 0"),
        (good.replace("ready", "player 0\\nready"), "both turns alternate and player"),
        (good.replace("ready", "can fly\\nready"), "other words than names, text, canonical"),
        (good.replace("ready", "start 01\\nready"), "is said twice"),
        (good.replace("ready", "players a A\\nready"), "both players are called a"),
    ] {
        let path = folder.path("begin.sh");
        fs::write(&path, format!("printf '{lines}\\n'; cat")).expect("a file");
        let text = refusal(&["solve", &format!("cmd:sh {path}")]);
        assert!(text.contains(reason), "{lines}: {text}");
    }
    assert!(refusal(&["solve", "cmd:"]).contains("cmd: needs a program"));
    assert!(
        refusal(&["solve", "cmd:./no-such-program"]).contains("cannot start './no-such-program'")
    );
    assert!(refusal(&["solve", "cmd:true"]).contains("crashed: it ended with exit code 0"));
}

#[test]
fn who_says_nothing_of_turns_is_told_so() {
    let folder = TestFolder::new();
    let spec = sound_heap(&folder);
    let path = folder.path("heap.sh");
    let script = fs::read_to_string(&path).expect("a file").replace("turns alternate\\n", "");
    fs::write(&path, script).expect("a file");
    let (_, note) = run_with_code(0, &["perft", &spec, "--plies", "1"]);
    assert!(note.contains("says neither 'turns alternate' nor 'player N'"), "{note}");
}

#[test]
fn broken_laws_are_named_with_their_position() {
    let folder = TestFolder::new();
    // The second answer about four stones is another one.
    let spec = heap(
        &folder,
        "moody.sh",
        "count=$((count + 1)); if [ $count = 1 ]; then echo 03 02; else echo 03; fi",
    );
    let (out, _) = run_with_code(1, &["laws", &spec]);
    assert!(out.contains("but not in the position\n  04"), "{out}");
    let text = refusal(&["solve", &spec]);
    assert!(text.contains("break a law: a position has the same answer"), "{text}");
    // Who takes two stones of two moves again.
    let source = example("breakthrough/breakthrough.c")
        .replace("p.player = 1 - p.player;", "if (move.to % columns) p.player = 1 - p.player;");
    let twice = format!("cmd:{} 3 4", compile(&folder, "twice", &source));
    let text = refusal(&["solve", &twice]);
    assert!(text.contains("in which it is the same player's turn, White"), "{text}");
    let broken = run_with_code(1, &["laws", &twice, "--json"]).0;
    let broken: Value = serde_json::from_str(&broken).expect("JSON");
    assert_eq!(broken["broken"]["law"], "each question has a right answer");
    let met = broken["broken"]["met"].as_str().expect("a fault");
    assert!(met.contains("in which it is the same player's turn, White"), "{met}");
}

/// Returns the numbers of processes that are kept in a file and still run.
fn alive(file: &str) -> Vec<String> {
    let text = fs::read_to_string(file).expect("numbers of processes");
    let runs = |number: &&str| {
        let state = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z ")
    };
    text.split_whitespace().filter(runs).map(String::from).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn no_program_outlives_its_command() {
    let folder = TestFolder::new();
    let numbers = folder.path("numbers");
    let spec = sound_heap(&folder);
    let path = folder.path("heap.sh");
    // The program goes on after the end of its input, and so does its child.
    let script = fs::read_to_string(&path).expect("a file");
    let script =
        format!("sleep 777 & echo $$ $! >> '{numbers}'\n{script}while :; do sleep 1; done\n");
    fs::write(&path, script).expect("a file");
    for (code, command) in [
        (0, &["solve", &spec][..]),
        (0, &["laws", &spec, "--positions", "50"]),
        (2, &["probe", &spec, "no position"]),
    ] {
        run_with_code(code, &[command, &["--quiet"]].concat());
        assert_eq!(alive(&numbers), [""; 0], "{command:?}");
    }
}

#[test]
fn a_program_that_hangs_is_left_at_once_by_a_signal() {
    let folder = TestFolder::new();
    let spec = heap(&folder, "hangs.sh", "sleep 1000");
    let mut command = Command::new(PROGRAM);
    let child = command.args(["solve", &spec, "--quiet"]).stderr(Stdio::piped()).spawn();
    let child = child.expect("a process");
    std::thread::sleep(Duration::from_millis(1500));
    let asked = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "hindsight: stopped\n");
}

#[test]
fn a_server_has_the_programs_of_its_command_line_and_no_others() {
    let folder = TestFolder::new();
    let (mark, broken) = (folder.path("started"), folder.path("broken"));
    let act = format!("[ -e '{broken}' ] && exit 3; echo 03 02");
    let (spec, bad) = (breakthrough(&folder, "3 4"), heap(&folder, "bad.sh", &act));
    let evil = format!("cmd:touch {mark}");
    let mut server = Serving::start(&[&spec, &bad]);
    let address = server.line();
    let address = address.trim().trim_end_matches('/');
    let path = |id: &str, rest: &str| {
        let id: String = id.bytes().map(|byte| format!("%{byte:02X}")).collect();
        format!("/api/v1/tables/{id}{rest}")
    };
    let (status, body) = status_and_body(address, &path(&spec, "/probe"));
    let body: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!((status, &body["remoteness"]), (200, &json!(12)));
    fs::write(&broken, "").expect("a file");
    let (status, body) = status_and_body(address, &path(&bad, "/probe"));
    assert_eq!(status, 502);
    assert!(body.contains("it ended with exit code 3, in the position 04"), "{body}");
    for rest in ["", "/probe", "/position", "/analyse?seconds=1"] {
        assert_eq!(status_and_body(address, &path(&evil, rest)).0, 404, "{rest}");
    }
    let body = r#"{ "position": "00", "agent": "random" }"#;
    assert_eq!(send(address, &format!("POST {}", path(&evil, "/choose")), body).0, 404);
    assert!(!Path::new(&mark).exists());
}
