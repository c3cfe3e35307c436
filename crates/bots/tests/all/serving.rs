//! Agents that are served as bots.

use std::io::{Read, Write as _, pipe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hindsight_bots::{BotServing, BotSession, HostInput, ServingEnd};
use hindsight_core::Game as _;
use hindsight_play::{AgentResources, AgentSpec, SeededRandom};

use crate::tic_tac_toe;

/// Returns what an agent answers to the lines of a host, and how it ended.
fn served(agent: &str, seed: &str, input: &'static [u8]) -> (String, ServingEnd) {
    let host = HostInput::new(input).expect("a thread");
    let mut output = Vec::new();
    let end = serve(agent, seed, &host, &mut output);
    (String::from_utf8(output).expect("UTF-8"), end)
}

/// Lets an agent answer a host.
fn serve(agent: &str, seed: &str, host: &HostInput, output: &mut Vec<u8>) -> ServingEnd {
    let game = tic_tac_toe();
    let spec: AgentSpec = agent.parse().expect("an agent");
    let make_agent = |time: Duration| {
        let resources = AgentResources {
            time: Some(time),
            stop: Some(host.stop_flag()),
            ..AgentResources::default()
        };
        spec.agent(None, resources)
    };
    let serving = BotServing { game: &game, make_agent: &make_agent, seed };
    let mut session = session(host, output);
    session.serve(&serving).expect("no error")
}

/// Session of a bot that plays tic-tac-toe only.
fn session<'a>(input: &'a HostInput, output: &'a mut Vec<u8>) -> BotSession<'a> {
    BotSession {
        input,
        output,
        name: "A bot",
        check_match: &|spec| match spec {
            "tic-tac-toe" => Ok(()),
            _ => Err(String::from("only tic-tac-toe")),
        },
    }
}

#[test]
fn moves_are_those_of_the_agent_with_the_same_seed() {
    let input = b"position .../.../...\nmoves a1\ngo 10\nposition x../.o./...\r\ngo 10\nquit\n";
    let (text, end) = served("mcts:playouts=200", "5,6,0", input);
    let game = tic_tac_toe();
    let spec: AgentSpec = "mcts:playouts=200".parse().expect("an agent");
    let mut agent = spec.agent(None, AgentResources::default()).expect("memory");
    let mut random = SeededRandom::new(&[5, 6, 0]);
    let mut expected = String::new();
    for position in [".../.../...", "x../.o./..."] {
        use hindsight_core::Notation as _;
        let position = game.parse(position).expect("a position");
        assert!(game.terminal(position).is_none());
        let chosen = agent.choose(&game, position, &mut random).expect("a move");
        expected += &format!("move {}\n", game.format_move(position, chosen.mv));
    }
    assert_eq!((text, end), (expected, ServingEnd::Quit));
}

#[test]
fn lines_that_cannot_be_followed_are_answered_and_play_on_no_old_position() {
    let input = b"go 10\nposition xxx\ngo 1\nposition xx./oo./...\ngo soon\nfuture words\n\n\
                  \xff\nposition xxx/oo./...\ngo 1\nhello 1 tic-tac-toe\nhello 1 ostle\n\
                  position xo./xo./xoo\ngo 1\nposition xx./oox/xoo\ngo 1\n";
    let (text, end) = served("alphabeta:depth=3", "", input);
    let expected = [
        "error go without a position",
        "error position 'xxx', character 1: this board has 3 rows",
        "error go without a position",
        "error go needs the seconds for the move, such as go 10",
        "info ignored: 'future words'",
        "info ignored: '\u{fffd}'",
        "error the game is over in this position",
        "hello 1 A bot",
        "error only tic-tac-toe",
        "error position 'xo./xo./xoo', character 1: ",
        "error go without a position",
        "move c3",
    ];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{text}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}\n{expected}");
    }
    assert_eq!(end, ServingEnd::Quit, "the input ended");
}

#[test]
fn another_game_ends_the_game() {
    let (text, end) = served("random", "", b"newgame tic-tac-toe 1,2,3\nposition x\n");
    let expected =
        ServingEnd::NewGame { spec: String::from("tic-tac-toe"), seed: String::from("1,2,3") };
    assert_eq!((text.as_str(), end), ("", expected));
}

/// Returns the spec of the first `hello`, and the answers.
fn awaited(input: &'static [u8]) -> (Option<String>, String) {
    let (host, mut output) = (HostInput::new(input).expect("a thread"), Vec::new());
    let spec = session(&host, &mut output).await_hello();
    let output = String::from_utf8(output).expect("UTF-8");
    (spec.expect("no error"), output)
}

#[test]
fn lines_before_hello_are_answered() {
    let (spec, answers) = awaited(
        b"\nwhat\ngo 3\nnewgame tic-tac-toe 1\nposition x\nmoves a1 a2\ngo -1\nhello you\n\
          hello 9 onitama:5x5:random\n",
    );
    assert_eq!(spec.as_deref(), Some("onitama:5x5:random"));
    let expected = [
        "info ignored: 'what'",
        "error hello comes first, before 'go 3'",
        "error hello comes first, before 'newgame tic-tac-toe 1'",
        "error hello comes first, before 'position x'",
        "error hello comes first, before 'moves a1 a2'",
        "error go needs the seconds",
        "error hello needs a version",
    ];
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{answers}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}\n{expected}");
    }
    assert_eq!(awaited(b"quit\nhello 1 x\n"), (None, String::new()));
    assert_eq!(awaited(b"").0, None);
}

#[test]
fn what_is_no_plain_utf8_is_named() {
    for (input, fault) in [
        (&b"\xef\xbb\xbfhello 1 x\n"[..], "a byte order mark (U+FEFF)"),
        (b"\xff\xfeh\0e\0l\0l\0o\0 \x001\0 \0x\0\n\0", "of UTF-16"),
        (b"\xfe\xff\0h\0e\0l\0l\0o\0 \x001\0 \0x\0\n", "of UTF-16"),
        (b"h\0e\0l\0l\0o\0\n", "zero bytes"),
    ] {
        let (spec, answers) = awaited(input);
        assert_eq!(spec, None, "{answers}");
        let first = answers.lines().next().expect("an answer");
        assert!(first.starts_with("error '") && first.contains(fault), "{first}");
        assert!(!answers.contains(['\0', '\u{feff}']), "{answers:?}");
    }
}

#[test]
fn a_line_without_end_does_not_take_memory() {
    let host = HostInput::new(std::io::repeat(b'x')).expect("a thread");
    let mut output = Vec::new();
    let error = session(&host, &mut output).await_hello();
    let error = error.expect_err("too long").to_string();
    assert!(error.contains("more than 16777216 bytes"), "{error}");
    let output = String::from_utf8(output).expect("UTF-8");
    assert_eq!(output, "error a line has more than 16777216 bytes\n");
}

/// Lines that a host sends without an end are not all kept, be they empty.
#[test]
fn lines_that_wait_are_limited() {
    struct Endless(u8);
    impl Read for Endless {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            bytes.fill(self.0);
            bytes[0] = b'\n';
            Ok(bytes.len())
        }
    }
    // A read of the buffer is a line, or many empty ones.
    for (letter, least, most) in [(b'y', 1000, 20_000), (b'\n', 100_000, 300_000)] {
        let host = HostInput::new(Endless(letter)).expect("a thread");
        let deadline = Instant::now() + Duration::from_secs(60);
        let (mut before, mut waiting) = (0, host.waiting());
        while waiting < least || waiting > before {
            assert!(waiting < most && Instant::now() < deadline, "{waiting}");
            std::thread::sleep(Duration::from_millis(20));
            (before, waiting) = (waiting, host.waiting());
        }
    }
}

/// The input ends while an agent thinks that has a day: it answers what it has found.
#[test]
fn the_end_of_the_input_ends_the_search() {
    for end in ["", "quit\n"] {
        for agent in ["mc:time=9999", "mcts:time=9999", "alphabeta:time=9999"] {
            let (input, mut host_end) = pipe().expect("a pipe");
            let host = HostInput::new(input).expect("a thread");
            let overdue = Arc::new(AtomicBool::new(false));
            let set = Arc::clone(&overdue);
            host.watch_end(move || set.store(true, Ordering::Relaxed)).expect("a thread");
            let lines = format!("position .../.../...\ngo 9999\n{end}");
            host_end.write_all(lines.as_bytes()).expect("a reader");
            // Without `quit` the end of the pipe is the end.
            let kept = (!end.is_empty()).then(|| host_end.try_clone().expect("a pipe"));
            drop(host_end);
            let (begin, mut output) = (Instant::now(), Vec::new());
            let served = serve(agent, "", &host, &mut output);
            let seconds = begin.elapsed().as_secs_f64();
            assert_eq!(served, ServingEnd::Quit);
            drop((host, kept));
            let output = String::from_utf8(output).expect("UTF-8");
            assert!(output.starts_with("move "), "{agent}: {output}");
            assert!(seconds < 5.0, "{agent}: {seconds}");
        }
    }
}

/// An answer that no flag stops is overdue; lines that wait are answered no more.
#[test]
fn work_that_cannot_be_stopped_is_overdue() {
    let host = HostInput::new(&b"hello 1 tic-tac-toe\nposition x\ngo 1\n"[..]).expect("a thread");
    let overdue = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&overdue);
    host.watch_end(move || set.store(true, Ordering::Relaxed)).expect("a thread");
    let mut output = Vec::new();
    let spec = session(&host, &mut output).await_hello();
    assert!(spec.expect("no error").is_some());
    let deadline = Instant::now() + Duration::from_secs(30);
    while !overdue.load(Ordering::Relaxed) {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(session(&host, &mut output).await_hello().expect("no error"), None);
    assert_eq!((host.waiting(), output.len()), (2, 0));
}
