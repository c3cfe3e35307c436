//! Bots that do not behave. Each is some lines of a shell.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hindsight_bots::{BotAgent, BotCommand, BotError, BotGame, BotPool, BotSetup};
use hindsight_play::{Agent, GameRecord, MatchOptions, RandomAgent, play_game};

use crate::tic_tac_toe;

/// Beginning of a bot: `hello`, and the first legal move of each question in `$first`.
const LOOP: &str = "while read -r word first rest; do case $word in hello) echo hello 1;; \
                    quit) exit;; moves) move=$first; count=$((count + 1));; go) ";

/// Returns the command of a bot that acts in the shell when it is to answer.
fn bot(act: &str) -> String {
    format!("cmd:sh -c '{LOOP}{act};; esac; done'")
}

fn setup(command: &str) -> BotSetup {
    BotSetup {
        command: command.parse::<BotCommand>().expect("a command"),
        spec: String::from("tic-tac-toe"),
        move_time: Duration::from_millis(700),
    }
}

fn never() -> bool {
    false
}

/// Plays game `number` of a bot, which is agent 0, against random moves.
fn play(pool: &BotPool<'_>, number: u64) -> GameRecord {
    let seeds = hindsight_play::game_seeds(1, number, 0);
    let mut agent = BotAgent(BotGame::new(pool, String::from("tic-tac-toe"), &seeds));
    let options = MatchOptions { opening_plies: 0, max_plies: 100, seed: 1, keep_going: &|| true };
    let game = tic_tac_toe();
    let agents: [&mut dyn Agent; 2] = [&mut agent, &mut RandomAgent];
    play_game(&game, agents, ["bot", "random"], number, options).expect("a game")
}

/// Returns the ending and the fault of two games of a bot.
fn endings(act: &str) -> [(String, String); 2] {
    let pool = BotPool::start(setup(&bot(act)), &never).expect("a hello");
    [0, 1].map(|number| {
        let game = play(&pool, number);
        let fault = game.fault.unwrap_or_default();
        if !fault.is_empty() {
            assert_eq!(game.winner, Some(1), "{act}");
        }
        (game.ending, fault)
    })
}

#[test]
fn a_bot_of_a_line_plays_whole_games() {
    let pool = BotPool::start(setup(&bot("echo move $move")), &never).expect("a hello");
    for number in 0..20 {
        let game = play(&pool, number);
        assert!(["win", "draw"].contains(&&*game.ending), "{game:?}");
        assert_eq!(game.fault, None);
    }
}

#[test]
fn every_fault_loses_its_game_and_has_a_name() {
    for (act, ending, fault) in [
        ("exit 3", "crashed", "it ended with exit code 3"),
        ("kill -9 $$", "crashed", "it was ended by signal 9"),
        ("exec >&-; sleep 30", "crashed", "it closed its input or output"),
        ("sleep 30", "timed out", "no answer in 0.7 s"),
        ("sleep 1.5; echo move $move", "timed out", "no answer in 0.7 s"),
        (":", "timed out", "no answer in 0.7 s"),
        ("echo move z9", "illegal", "'z9' is no legal move in '"),
        ("echo $move", "nonsense", "is no answer to go"),
        ("echo move", "nonsense", "'move' is no answer to go"),
        ("echo hello 1", "nonsense", "'hello 1' is no answer to go"),
        ("echo error no idea", "gave up", "'no idea'"),
        ("printf \"\\\\033[2J\\\\n\"", "nonsense", r"'\u{1b}[2J' is no"),
        ("tr \"\\\\0\" x < /dev/zero", "nonsense", "xx..' is longer than 65536 bytes"),
        ("yes info on and on", "timed out", "no answer in 0.7 s"),
        ("yes", "nonsense", "'y' is no answer to go"),
    ] {
        let begin = Instant::now();
        for (found, text) in endings(act) {
            assert_eq!(found, ending, "{act}: {text}");
            assert!(text.contains(fault), "{act}: {text}");
        }
        assert!(begin.elapsed() < Duration::from_secs(10), "{act}");
    }
}

#[test]
fn a_fault_in_the_middle_of_a_game_keeps_its_moves() {
    let act = "test $count = 2 && exit; echo move $move";
    let pool = BotPool::start(setup(&bot(act)), &never).expect("a hello");
    for number in 0..4 {
        let game = play(&pool, number);
        let plies = 2 + number as usize % 2;
        assert_eq!((game.moves.len(), &*game.ending), (plies, "crashed"), "{game:?}");
    }
}

#[test]
fn lines_to_be_ignored_are_ignored() {
    let act = "echo info thinking; echo; printf \"move $move\\\\r\\\\n\"";
    for (ending, fault) in endings(act) {
        assert!(["win", "draw"].contains(&&*ending), "{ending} {fault}");
    }
}

#[test]
fn a_bot_that_ends_after_each_game_is_started_again() {
    let command = "cmd:sh -c 'n=0; while read -r word first rest; do case $word in \
                   hello) echo hello 1;; moves) move=$first; free=$(echo $first $rest | wc -w);; \
                   go) echo move $move; test $free -lt 3 && exit;; esac; done'";
    let pool = BotPool::start(setup(command), &never).expect("a hello");
    for number in 0..6 {
        let game = play(&pool, number);
        std::thread::sleep(Duration::from_millis(30));
        assert_eq!(game.fault, None);
    }
}

fn start_error(command: &str) -> String {
    let begin = Instant::now();
    let error = BotPool::start(setup(command), &never).expect_err("no bot");
    assert!(begin.elapsed() < Duration::from_secs(5), "{command}");
    error.to_string()
}

#[test]
fn what_is_no_bot_is_refused_at_hello() {
    for (command, reason) in [
        ("cmd:no-such-program-anywhere", "cannot start 'no-such-program-anywhere': No such file"),
        ("cmd:/", "cannot start '/': Permission denied"),
        ("cmd:true", "crashed: it ended with exit code 0"),
        ("cmd:false", "crashed: it ended with exit code 1"),
        ("cmd:echo hello 2", "it speaks version 2 of the protocol, not 1"),
        ("cmd:echo uciok", "nonsense: 'uciok' is no hello"),
        ("cmd:echo error only chess", "gave up: 'only chess'"),
        ("cmd:sh -c \"kill -11 $$\"", "crashed: it was ended by signal 11"),
    ] {
        let error = start_error(command);
        assert!(error.contains(reason), "{command}: {error}");
    }
}

#[test]
fn a_bot_that_ignores_the_end_is_killed_with_its_children() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pids");
    let file = file.to_str().expect("UTF-8");
    let script = "trap \"\" TERM INT HUP; sleep 300 & echo $$ $! > FILE; read x; \
                  echo hello 1; while :; do sleep 300; done";
    let command = format!("cmd:sh -c '{}'", script.replace("FILE", file));
    let pool = BotPool::start(setup(&command), &never).expect("a hello");
    let pids = std::fs::read_to_string(file).expect("two numbers");
    let begin = Instant::now();
    drop(pool);
    assert!(begin.elapsed() < Duration::from_secs(3));
    for pid in pids.split_whitespace() {
        // The child was of the bot, so the system has it, maybe not ended or reaped yet.
        let is_gone = || {
            let status = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            status.map_or(true, |status| status.contains(") Z "))
        };
        while !is_gone() {
            assert!(begin.elapsed() < Duration::from_secs(10), "{pid} is alive");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    assert_eq!(pids.split_whitespace().count(), 2);
}

#[test]
fn a_bot_that_has_left_its_group_is_killed() {
    let script = "setpgrp(0, getpgrp(getppid)); $| = 1; <STDIN>; print \"hello 1\\n\"; sleep 60";
    let pool = match BotPool::start(setup(&format!("cmd:perl -e '{script}'")), &never) {
        Err(BotError::Start { .. }) => return,
        pool => pool.expect("a hello"),
    };
    let begin = Instant::now();
    drop(pool);
    assert!(begin.elapsed() < Duration::from_secs(30));
}

/// Numbers of processes that the shell of a bot has noted, one in a line.
fn noted(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().map(String::from).collect()
}

fn is_gone(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    status.map_or(true, |status| status.contains(") Z "))
}

#[test]
#[cfg(target_os = "linux")]
fn children_in_sessions_of_their_own_end_with_the_bot() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pids");
    let file = file.to_str().expect("UTF-8");
    let child = format!("sh -c \"echo \\$\\$ >> {file}; exec sleep 300\"");
    let away = "< /dev/null > /dev/null 2>&1";
    // The last one has no mark, no pipe and, at the end, no parent that is alive: its parents
    // tell while the bot lives.
    let starts = [
        format!("setsid {child} &"),
        format!("setsid -f {child} {away}"),
        format!("env -i setsid -f {child}"),
        format!("env -i setsid {child} {away} &"),
    ];
    // Not of the bot: a process of the test.
    let mut other =
        std::process::Command::new("setsid").args(["sleep", "300"]).spawn().expect("it");
    for (start, ends_by_itself) in starts.iter().flat_map(|start| [(start, false), (start, true)]) {
        if ends_by_itself && start == &starts[3] {
            continue;
        }
        let _ = std::fs::remove_file(file);
        let end = if ends_by_itself { "exit 0" } else { "sleep 300" };
        let script = format!("#!/bin/sh\n{start}\nread x\necho hello 1\nread x\n{end}\n");
        let bot = folder.path().join("bot");
        std::fs::write(&bot, script).expect("a file");
        let command = format!("cmd:sh '{}'", bot.display());
        let pool = BotPool::start(setup(&command), &never).expect("a hello");
        let begin = Instant::now();
        while noted(file).is_empty() {
            assert!(begin.elapsed() < Duration::from_secs(10), "{start}");
            std::thread::sleep(Duration::from_millis(5));
        }
        let pids = noted(file);
        assert!(!is_gone(&pids[0]), "{start}");
        drop(pool);
        while !is_gone(&pids[0]) {
            assert!(begin.elapsed() < Duration::from_secs(10), "{start}: {pids:?} is alive");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    assert!(other.try_wait().expect("a child").is_none(), "it is not of a bot");
    other.kill().expect("a child");
    other.wait().expect("a child");
}

#[test]
fn answers_that_are_no_plain_utf8_are_named() {
    for (answer, fault) in [
        ("\\357\\273\\277hello 1", "it begins with a byte order mark (U+FEFF)"),
        ("\\377\\376h\\000e\\000", "it begins with a byte order mark of UTF-16"),
        ("h\\000e\\000l\\000", "it has zero bytes, as text in UTF-16 has"),
    ] {
        let error = start_error(&format!("cmd:printf '{answer}\\n'"));
        assert!(error.contains("nonsense: '") && error.contains(fault), "{error}");
        assert!(!error.contains('\u{feff}'), "{error:?}");
    }
}

#[test]
fn a_host_that_stops_does_not_wait() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let stop = || STOP.load(Ordering::Relaxed);
    let setup = BotSetup { move_time: Duration::from_secs(600), ..setup(&bot("sleep 300")) };
    let pool = BotPool::start(setup, &stop).expect("a hello");
    let mut game = BotGame::new(&pool, String::from("tic-tac-toe"), &[]);
    let begin = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            STOP.store(true, Ordering::Relaxed);
        });
        let stopped = game.choose(".../.../...", &[String::from("a1")]);
        assert!(matches!(stopped, Err(BotError::Stopped)), "{stopped:?}");
    });
    drop(game);
    drop(pool);
    assert!(begin.elapsed() < Duration::from_secs(5));
}

/// A bot that does not read must not block its host.
#[test]
fn a_bot_that_does_not_read_times_out() {
    let command = "cmd:sh -c 'echo hello 1; sleep 300'";
    let pool = BotPool::start(setup(command), &never).expect("a hello");
    let mut game = BotGame::new(&pool, String::from("tic-tac-toe"), &[]);
    let long = "x".repeat(1 << 20);
    let error = game.choose(&long, &[String::from("a1")]).expect_err("no answer");
    assert_eq!(error.to_string(), "timed out: no answer in 0.7 s");
}
