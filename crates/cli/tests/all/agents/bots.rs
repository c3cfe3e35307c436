//! Programs that play in `match`, `play` and `audit`. Those in tournaments are in `tournament.rs`.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{
    TestFolder, answer, json as answer_json, refusal, run_with_code, run_with_input,
};
use crate::running::wait_for;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hindsight");

/// Writes a bot of some lines of a shell, which acts on `go`; returns its agent.
fn bot(folder: &TestFolder, name: &str, act: &str) -> String {
    let script = format!(
        "#!/bin/sh\nwhile read -r word first rest; do case $word in hello) echo hello 1;; \
         quit) exit;; moves) move=$first; count=$((count + 1));; go) {act};; esac; done\n"
    );
    let path = folder.path(name);
    std::fs::write(&path, script).expect("a file");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, executable).expect("a program");
    format!("cmd:'{path}'")
}

fn moves_of(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file).expect("a file of games");
    let games = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let games = games.map(|game: Value| json!([game["game"], game["moves"], game["winner"]]));
    games.collect()
}

#[test]
fn agents_as_programs_play_the_games_of_the_agents() {
    let folder = TestFolder::new();
    for (first, second, game) in [
        ("random", "mcts:playouts=60", "onitama:3x4:random"),
        ("alphabeta:depth=3", "level:4", "quoridor:3x3:1"),
        ("perfect", "mc:playouts=30", "ostle:3x3:2:1"),
    ] {
        let play = |first: &str, second: &str, name: &str| {
            let file = folder.path(name);
            let call = ["match", first, second, "-n", "8", "--game", game, "--quiet"];
            let report = answer_json(&[&call[..], &["--games", &file, "--force"]].concat());
            (report, moves_of(&file))
        };
        let program = |agent: &str| format!("cmd:{PROGRAM} agent {agent} --quiet");
        let (ours, our_games) = play(first, second, "ours");
        let (theirs, their_games) = play(&program(first), &program(second), "theirs");
        assert_eq!(our_games, their_games, "{first} {second}");
        for key in ["wins", "ties", "first_mover", "lengths", "endings", "faults"] {
            assert_eq!(ours[key], theirs[key], "{first} {second} {key}");
        }
        assert_eq!(theirs["agents"], json!([program(first), program(second)]));
        assert_eq!(theirs["faults"], json!([{}, {}]));
        assert_eq!(theirs["first_faults"], json!([null, null]));
    }
}

#[test]
fn games_are_counted_by_who_moved_first() {
    let call = ["match", "perfect", "perfect", "--game", "onitama:3x3:boar", "-n", "10"];
    let report = answer_json(&[&call[..], &["--quiet"]].concat());
    assert_eq!(report["wins"], json!([5, 5]));
    let first_mover = json!({"wins": 0, "ties": 0, "losses": 10});
    assert_eq!(report["first_mover"], first_mover);
    let text = answer(&[&call[..], &["--quiet"]].concat());
    let line = "\nThe agent that moved first won 0, tied 0 and lost 10.\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn faults_lose_games_and_are_reported() {
    let folder = TestFolder::new();
    let games = folder.path("games");
    for (name, act, ending, fault) in [
        ("crash", "exit 7", "crashed", "it ended with exit code 7"),
        ("late", "sleep 20", "timed out", "no answer in 0.4 s"),
        ("silent", ":", "timed out", "no answer in 0.4 s"),
        ("wrong", "echo move z9", "illegal", "'z9' is no legal move in '"),
        ("mad", "echo lalala", "nonsense", "'lalala' is no answer to go"),
        ("flood", "tr '\\0' x < /dev/zero", "nonsense", "longer than 65536 bytes"),
        ("meek", "echo error sorry", "gave up", "'sorry'"),
    ] {
        let agent = bot(&folder, name, act);
        let call = [
            "match",
            "random",
            &agent,
            "--game",
            "tic-tac-toe",
            "-n",
            "6",
            "--quiet",
            "--move-seconds",
            "0.4",
        ];
        let files = ["--games", &games, "--force"];
        let report = answer_json(&[&call[..], &files[..]].concat());
        assert_eq!(report["wins"], json!([6, 0]), "{name}");
        assert_eq!(report["endings"], json!({ending: 6}), "{name}");
        assert_eq!(report["faults"], json!([{}, {ending: 6}]), "{name}");
        let first = &report["first_faults"][1];
        assert_eq!((&first["game"], &first["ending"]), (&json!(0), &json!(ending)));
        assert!(first["text"].as_str().expect("a text").contains(fault), "{first}");
        let text = answer(&call);
        let counted =
            format!("The second agent lost by faults: 6 {ending}.\nThe first, in game 0:");
        assert!(text.contains(&counted), "{text}");
        let kept = std::fs::read_to_string(&games).expect("games");
        assert_eq!(kept.lines().count(), 6);
        for line in kept.lines() {
            let game: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!((&game["winner"], &game["ending"]), (&json!(0), &json!(ending)));
            assert!(game["fault"].as_str().expect("a text").contains(fault), "{game}");
        }
        // The games can be looked at, and are saved as they were.
        let load = ["play", "--load", &games, "--agent", "random", "--json"];
        let (out, _) = run_with_input(0, &load, "quit\n");
        assert_eq!(out.lines().last(), kept.lines().last());
    }
}

#[test]
fn a_bot_that_crashes_in_a_game_plays_the_next() {
    let folder = TestFolder::new();
    let act = "test $count = 3 && kill -9 $$; echo move $move";
    let agent = bot(&folder, "bot", act);
    let call = ["match", &agent, "random", "--game", "dodgem:3x3", "-n", "4", "--quiet"];
    let report = answer_json(&call);
    assert_eq!(report["faults"], json!([{"crashed": 4}, {}]));
    assert_eq!(report["first_faults"][0]["text"], "it was ended by signal 9");
    assert_eq!(report["median_plies"], 4.5);
}

#[test]
fn what_is_no_bot_is_refused_before_any_game() {
    let folder = TestFolder::new();
    let kept = folder.path("games");
    std::fs::write(&kept, "a file of yours\n").expect("a file");
    let old = bot(&folder, "old", ":").replace("cmd:", "");
    let old = old.trim_matches('\'');
    let script = std::fs::read_to_string(old).expect("a bot");
    std::fs::write(old, script.replace("hello 1", "hello 2")).expect("a bot");
    for (agent, reason) in [
        ("cmd:", "cmd: needs a program"),
        ("cmd:bot 'x", "a quote in the program after cmd: does not end"),
        ("./bot", "a program begins with cmd:, such as cmd:./bot"),
        ("cmd:no-such-bot --x", "cannot start 'no-such-bot': No such file"),
        ("cmd:true", "crashed: it ended with exit code 0"),
        ("cmd:echo id name Fish", "nonsense: 'id name Fish' is no hello"),
        ("cmd:echo error only chess", "gave up: 'only chess'"),
        (&format!("cmd:'{old}'"), "it speaks version 2 of the protocol, not 1"),
        (
            &format!("cmd:{PROGRAM} agent random --game ostle"),
            "gave up: 'this agent plays ostle, not onitama:5x5:random'",
        ),
    ] {
        let call = ["match", "random", agent, "--games", &kept, "--force", "--quiet"];
        let error = refusal(&call);
        let lines: Vec<&str> = error.lines().collect();
        let last = lines.iter().rposition(|line| line.starts_with("hindsight: "));
        let sentence = lines[last.expect("an error")..].join(" ");
        assert!(sentence.contains(reason), "{agent}: {error}");
    }
    let text = std::fs::read_to_string(&kept).expect("a file");
    assert_eq!(text, "a file of yours\n");
    let error = refusal(&["match", "random", "random", "--move-seconds", "3"]);
    assert!(error.contains("--move-seconds is for programs"), "{error}");
    for seconds in ["0", "-1", "x"] {
        let error = refusal(&["match", "cmd:x", "random", "--move-seconds", seconds]);
        assert!(error.contains("a time above 0"), "{error}");
    }
}

/// Returns the numbers of the processes of a program that are alive.
fn alive(path: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_bot = processes.filter(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).split('\0').any(|word| word == path)
    });
    let names = of_bot.map(|process| process.file_name().to_string_lossy().into_owned());
    names.collect()
}

#[test]
#[cfg(target_os = "linux")]
fn signals_leave_no_bot_behind() {
    let stubborn = "trap '' TERM INT HUP; while :; do sleep 100; done";
    for (act, signals, code) in [("sleep 100", 1, 130), (stubborn, 1, 130), (stubborn, 2, 130)] {
        let folder = TestFolder::new();
        let agent = bot(&folder, "bot", &format!("echo > '{}'; {act}", folder.path("asked")));
        let path = folder.path("bot");
        let mut child = Command::new(PROGRAM)
            .args(["match", &agent, "random", "--game", "tic-tac-toe", "--quiet"])
            .args(["--move-seconds", "1000"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        wait_for("question", || folder.0.path().join("asked").exists());
        assert!(!alive(&path).is_empty());
        let begin = Instant::now();
        for _ in 0..signals {
            let kill = format!("kill -INT {} 2> /dev/null", child.id());
            Command::new("sh").args(["-c", &kill]).status().expect("a shell");
        }
        let status = child.wait().expect("a child");
        assert_eq!(status.code(), Some(code), "{act}");
        assert!(begin.elapsed() < Duration::from_secs(10), "{act}");
        wait_for("end of the bots", || alive(&path).is_empty());
    }
}

#[test]
fn a_person_wins_if_the_program_has_a_fault() {
    let folder = TestFolder::new();
    let act = "test $count -ge 2 && exit 1; echo move $move";
    let agent = bot(&folder, "bot", act);
    let saved = folder.path("saved.jsonl");
    let input = format!("b2\na1\nsave {saved}\nundo\nquit\n");
    let call = ["play", "tic-tac-toe", "--agent", &agent, "--json"];
    let (out, _) = run_with_input(0, &call, &input);
    assert!(out.contains("loses: crashed: it ended with exit code 1"), "{out}");
    let game: Value =
        serde_json::from_str(&std::fs::read_to_string(&saved).expect("saved")).expect("JSON");
    assert_eq!((&game["winner"], &game["ending"]), (&json!(0), &json!("resigned")));
    assert_eq!(game["moves"], json!(["b2", "a3", "a1"]));
    // After `undo` a new bot plays on.
    let last: Value = serde_json::from_str(out.lines().last().expect("a game")).expect("JSON");
    assert_eq!(last["moves"], json!(["b2", "a3", "a1", "b3"]), "{out}");
    let error = refusal(&["play", "--load", &saved]);
    assert!(error.contains("the saved game is against the program"), "{error}");
}

#[test]
fn programs_are_audited() {
    let folder = TestFolder::new();
    let (table, _) = folder.solve("quoridor:3x3:1", &[]);
    let perfect = format!("cmd:{PROGRAM} agent perfect --quiet");
    let first = bot(&folder, "first", "echo move $move");
    for source in ["ranks", "self-play"] {
        let call = ["audit", &perfect, &first, "random", "--table", &table, "-n", "60", "--quiet"];
        let report = answer_json(&[&call[..], &["--from", source]].concat());
        let rows = report["rows"].as_array().expect("rows");
        assert_eq!(rows[0]["agent"], json!(perfect));
        assert_eq!((&rows[0]["given_away"], &rows[0]["playouts"]), (&json!(0), &Value::Null));
        assert!(rows[1]["given_away"].as_u64() > Some(0), "{report}");
    }
    for (act, fault, moves) in [
        ("exit 9", "crashed: it ended with exit code 9", "0 moves"),
        (
            "test $count = 2 && kill -9 $$; echo move $move",
            "crashed: it was ended by signal 9",
            "1 move",
        ),
        (
            "test $count = 4 && echo move z9 || echo move $move",
            "illegal: 'z9' is no legal move in '",
            "3 moves",
        ),
        ("test $count = 4 && echo error no || echo move $move", "gave up: 'no'", "3 moves"),
    ] {
        let faulty = bot(&folder, "faulty", act);
        for json in [&["--json"][..], &[]] {
            let call = ["audit", &faulty, "--table", &table, "--quiet"];
            let error = refusal(&[&call[..], json].concat()).replace('\n', " ");
            assert!(error.contains(fault), "{error}");
            let (_, place) = error.split_once("; asked in '").expect("a position");
            let (position, count) = place.split_once("' after ").expect("a number");
            assert_eq!(count.trim(), moves, "{error}");
            answer(&["probe", &table, position]);
        }
    }
}

#[test]
fn programs_are_in_every_list_of_agents() {
    for call in [
        &["match", "mcst", "random"][..],
        &["play", "tic-tac-toe", "--agent", "mcst"],
        &["audit", "mcst", "--table", "none.table"],
        &["agent", "mcst"],
        &["fairness", "tic-tac-toe", "--agent", "mcst"],
    ] {
        let error = refusal(call).replace('\n', " ");
        assert!(error.contains("lure; programs, such as cmd:./bot"), "{error}");
    }
    assert!(include_str!("../../../../../docs/agents.md").contains("`cmd:PROGRAM`"));
    assert!(include_str!("../../../../../docs/command.md").contains("| `cmd:PROGRAM"));
    assert!(answer(&["match", "--help"]).contains("cmd:.."));
}

/// A program in a session of its own, which a bot has started, ends with the match.
#[test]
#[cfg(target_os = "linux")]
fn children_in_sessions_of_their_own_end_with_the_match() {
    let folder = TestFolder::new();
    let mark = folder.path("child");
    std::fs::write(&mark, "#!/bin/sh\nsleep 300\n").expect("a file");
    let start = format!(
        "test $count = 1 && setsid -f sh '{mark}' < /dev/null > /dev/null 2>&1; \
         test $count = 1 && setsid sh '{mark}' &"
    );
    for act in ["echo move $move", "exit 3", "echo move z9"] {
        let agent = bot(&folder, "bot", &format!("{start} sleep 0.1; {act}"));
        let call = ["match", &agent, "random", "--game", "tic-tac-toe", "-n", "2"];
        run_with_code(0, &[&call[..], &["--quiet"]].concat());
        wait_for("end of the children", || alive(&mark).is_empty());
    }
    // A signal ends them too.
    for signal in ["INT", "TERM"] {
        let agent = bot(&folder, "bot", &format!("{start} sleep 300"));
        let mut child = Command::new(PROGRAM)
            .args(["match", &agent, "random", "--game", "tic-tac-toe", "--quiet"])
            .args(["--move-seconds", "1000"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        wait_for("children", || !alive(&mark).is_empty());
        let kill = format!("kill -{signal} {0}", child.id());
        Command::new("sh").args(["-c", &kill]).status().expect("a shell");
        child.wait().expect("a child");
        wait_for("end of the children", || alive(&mark).is_empty());
    }
}

/// The bot of the page on the protocol plays a hundred games in less than ten seconds.
#[test]
fn the_bot_of_the_documents_plays() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        return;
    }
    let page = include_str!("../../../../../docs/protocol.md");
    let (_, code) = page.split_once("```python\n").expect("a bot");
    let (code, _) = code.split_once("```").expect("its end");
    assert!(code.lines().count() <= 20);
    let folder = TestFolder::new();
    let file = folder.path("bot.py");
    std::fs::write(&file, code).expect("a file");
    let agent = format!("cmd:python3 '{file}'");
    let begin = Instant::now();
    let call = ["match", &agent, "random", "--game", "quoridor:3x3:1", "-n", "100", "--quiet"];
    let report = answer_json(&call);
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!((&report["games"], &report["faults"]), (&json!(100), &json!([{}, {}])));
    let wins = report["wins"][0].as_u64().expect("a number");
    assert!((20..80).contains(&wins), "{report}");
    let again = answer_json(&[&call[..], &["--threads", "1"]].concat());
    assert_eq!(again["lengths"], report["lengths"], "the seeds are the same");
}
