//! The command `agent`: an agent as a program.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::{TestFolder, refusal, run_with_code, run_with_input};
use crate::running::wait_for;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hindsight");

/// Time in which an agent surely ends, also on a busy machine. It wants 0.2 s.
const SOON: Duration = Duration::from_secs(4);

/// A running agent with a host that keeps its input open.
struct Conversation {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    fn start(args: &[&str]) -> Self {
        Self::start_with(args, Stdio::piped())
    }

    fn start_with(args: &[&str], input: Stdio) -> Self {
        let mut child = Command::new(PROGRAM)
            .arg("agent")
            .args(args)
            .arg("--quiet")
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, output }
    }

    fn say(&mut self, lines: &str) {
        let input = self.child.stdin.as_mut().expect("a pipe");
        input.write_all(lines.as_bytes()).expect("a reader");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("UTF-8");
        line.trim_end().to_string()
    }

    /// Says some lines, waits for a number of answers, and ends the input. Nothing may follow.
    fn answers(mut self, lines: &str, number: usize) -> Vec<String> {
        self.say(lines);
        let answers = (0..number).map(|_| self.line()).collect();
        assert_eq!(self.end(0).1, "", "{answers:?}");
        answers
    }

    /// Waits until the process ends by itself with a code; returns its output and its errors.
    fn ended(mut self, code: i32) -> (String, String) {
        // The standard library would close it before it waits.
        let _input = self.child.stdin.take();
        let (mut rest, mut error) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).expect("UTF-8");
        let mut stderr = self.child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut error).expect("UTF-8");
        let status = self.child.wait().expect("a child");
        assert_eq!(status.code(), Some(code), "{rest}{error}");
        (rest, error)
    }

    /// Ends the input; returns the time until the process has ended with a code, and what it said.
    fn end(mut self, code: i32) -> (Duration, String) {
        let begin = Instant::now();
        drop(self.child.stdin.take());
        let (mut rest, mut error) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).expect("UTF-8");
        let status = self.child.wait().expect("a child");
        let time = begin.elapsed();
        let mut stderr = self.child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut error).expect("UTF-8");
        assert_eq!(status.code(), Some(code), "{rest}{error}");
        (time, rest)
    }
}

#[test]
fn an_agent_answers_every_line_that_it_can() {
    let input = "nonsense\nhello 1 tic-tac-toe\nwhat is this\nnewgame tic-tac-toe 1,2,3\n\
                 position xx./oo./...\nmoves a1\ngo 5\nposition xxx/...\ngo 5\n\
                 newgame ostle\ngo 1\nnewgame tic-tac-toe\nposition xx./oo./...\r\ngo 1\r\n";
    let out = Conversation::start(&["perfect"]).answers(input, 8).join("\n");
    let expected = [
        "info ignored: 'nonsense'",
        concat!("hello 1 hindsight ", env!("CARGO_PKG_VERSION")),
        "info ignored: 'what is this'",
        "move c3",
        "error position 'xxx/...', character ",
        "error go without a position",
        "error this agent plays tic-tac-toe, not ostle",
        "move c3",
    ];
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{out}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}\n{expected}");
    }
    for input in ["", "quit\n", "hello 1 tic-tac-toe"] {
        run_with_input(0, &["agent", "random", "--quiet"], input);
    }
    // Cards that are drawn for each game.
    let input = "hello 1 onitama:3x3:random\ngo 1\nnewgame onitama:3x3:boar 1\n\
                 position rRr/.../bBb boar,boar boar,boar boar red\ngo 1\n";
    let out = Conversation::start(&["random"]).answers(input, 4).join("\n");
    assert!(out.contains("error a game has named cards"), "{out}");
    for (args, input, error) in [
        (&["nobody"][..], "", "there is no agent 'nobody'"),
        (&["cmd:x"], "", "is a program already"),
        (&["random", "--table", "x"], "", "--table is for the agents level, perfect and lure"),
        (&["random", "--game", "chess"], "", "chess"),
        (&["perfect", "--game", "onitama:5x5:random"], "", "name the cards"),
        (&["random"], "hello 1 chess\n", "chess"),
        (&["random", "--game", "ostle"], "hello 1 dodgem:3x3\n", "plays ostle, not dodgem:3x3"),
    ] {
        let mut conversation = Conversation::start(args);
        conversation.say(input);
        let (out, stderr) = conversation.ended(2);
        assert!(stderr.contains(error), "{args:?}: {stderr}");
        assert_eq!(out.is_empty(), input.is_empty(), "{args:?}: {out}");
        assert!(out.is_empty() || out.starts_with("error "), "{out}");
    }
}

/// Question that takes an agent a day.
const LONG: &str = "hello 1 onitama:5x5:tiger,crab,monkey,crane,dragon\n\
                    newgame onitama:5x5:tiger,crab,monkey,crane,dragon 1\n\
                    position rrRrr/5/5/5/bbBbb crab,monkey crane,dragon tiger blue\n\
                    moves a1a2:tiger\ngo 100000\n";

const SEARCHERS: [&str; 5] = [
    "mc:time=80000",
    "mc:time=80000,length=1000000",
    "mcts:time=80000",
    "mcts:time=80000,rollouts=1048576,length=1000000",
    "alphabeta:time=80000",
];

#[test]
fn the_end_of_the_input_ends_a_search() {
    for agent in SEARCHERS {
        for quit in ["", "quit\n"] {
            let mut conversation = Conversation::start(&[agent]);
            conversation.say(LONG);
            assert!(conversation.line().starts_with("hello 1"), "{agent}");
            std::thread::sleep(Duration::from_millis(30));
            conversation.say(quit);
            let (time, rest) = conversation.end(0);
            assert!(time < SOON, "{agent}: {time:?}");
            // On a busy machine the process may be ended before the move is found.
            let is_move = rest.starts_with("move ") && rest.lines().count() == 1;
            assert!(is_move || rest.is_empty(), "{agent}: {rest}");
        }
    }
}

#[test]
fn an_input_may_be_a_file_or_a_socket() {
    let folder = TestFolder::new();
    let file = folder.path("lines");
    std::fs::write(&file, LONG).expect("a file");
    let (ours, theirs) = UnixStream::pair().expect("a socket");
    (&ours).write_all(LONG.as_bytes()).expect("a reader");
    ours.shutdown(std::net::Shutdown::Write).expect("a socket");
    let theirs = std::os::fd::OwnedFd::from(theirs);
    let file = std::fs::File::open(file).expect("a file");
    for input in [Stdio::from(file), Stdio::from(theirs)] {
        let conversation = Conversation::start_with(&["alphabeta:time=80000"], input);
        let (time, rest) = conversation.end(0);
        assert!(time < SOON, "{time:?}");
        assert!(rest.is_empty() || rest.starts_with("hello 1"), "{rest}");
    }
}

/// Questions behind one that takes long are not begun, and a note says so.
#[test]
fn questions_that_wait_at_the_end_are_noted() {
    let again = "position rrRrr/5/5/5/bbBbb crab,monkey crane,dragon tiger blue\ngo 9999\n";
    let begin = Instant::now();
    let call = ["agent", "mcts:time=80000"];
    let (out, error) = run_with_input(0, &call, &format!("{LONG}{again}{again}quit\n"));
    assert!(begin.elapsed() < SOON);
    assert!(out.lines().count() <= 2, "{out}");
    assert!(error.contains("before all was answered"), "{error}");
}

/// Agents that need values solve the game before they answer `hello`, here for half a minute.
#[test]
fn the_end_of_the_input_ends_a_solve() {
    let hello = "hello 1 onitama:4x4:boar\n";
    for agent in ["perfect", "lure", "level:10"] {
        for (args, lines) in [
            (&[agent][..], hello),
            (&[agent], &*format!("{hello}position x\ngo 3\nquit\n")),
            (&[agent, "--game", "onitama:4x4:boar"], ""),
            (&[agent, "--game", "onitama:4x4:boar"], "quit\n"),
        ] {
            let mut conversation = Conversation::start(args);
            conversation.say(lines);
            if agent != "level:10" {
                std::thread::sleep(Duration::from_millis(30));
            }
            let (time, _) = conversation.end(0);
            assert!(time < SOON, "{agent}: {time:?}");
        }
    }
}

#[test]
fn a_signal_ends_an_agent_at_once() {
    let long_solve = "hello 1 onitama:4x4:boar\n";
    for (agent, lines) in [("perfect", long_solve), ("mcts:time=80000", LONG), ("random", "")] {
        for (signal, code) in [("TERM", 143), ("INT", 130)] {
            let mut conversation = Conversation::start(&[agent]);
            conversation.say(lines);
            // Signals are caught once the process has read what it was told.
            let pid = conversation.child.id();
            wait_for("signals", || catches_signals(pid));
            std::thread::sleep(Duration::from_millis(50));
            let begin = Instant::now();
            let kill = format!("kill -{signal} {pid}");
            Command::new("sh").args(["-c", &kill]).status().expect("a shell");
            conversation.ended(code);
            assert!(begin.elapsed() < SOON, "{agent}: {:?}", begin.elapsed());
        }
    }
}

/// Returns true if a process handles SIGTERM; true where that is not known.
fn catches_signals(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> 14 & 1 == 1)
}

/// A host whose texts are not what they should be gets an answer to each line.
#[test]
fn odd_lines_are_answered() {
    let long = "x".repeat(20 << 20);
    let odd = "error '\\u{feff}hello 1 tic-tac-toe' is no line in plain UTF-8: it begins with a \
               byte order mark (U+FEFF)";
    for (lines, expected) in [
        ("\u{feff}hello 1 tic-tac-toe\r\n", odd),
        ("hello 1 tic-tac-toe\nquit now\n", "hello 1"),
        ("go -1\n", "error go needs the seconds"),
        ("go nan\n", "error go needs the seconds"),
        ("go 1\n", "error hello comes first, before 'go 1'"),
        ("a\0b\n", "error 'a\\u{0}b' is no line in plain UTF-8: it has zero bytes"),
        ("hello 1 tic-tac-toe\rquit\r\n", "error 'tic-tac-toe"),
    ] {
        let mut conversation = Conversation::start(&["random"]);
        conversation.say(lines);
        let answer = conversation.line();
        assert!(answer.starts_with(expected), "{lines:?}: {answer}");
        let is_refused = answer.starts_with("error 'tic");
        conversation.end(if is_refused { 2 } else { 0 });
    }
    let (out, error) = run_with_input(2, &["agent", "random"], &long);
    assert_eq!(out, "error a line has more than 16777216 bytes\n");
    assert!(error.contains("cannot read what the host says: a line has more"), "{error}");
    // The mark of the first line, and a last line without an end.
    run_with_code(0, &["agent", "random"]);
    let error = refusal(&["agent", "random", "--game", "cmd:x"]);
    assert!(error.contains("cmd"), "{error}");
}

/// A host that does not read holds no agent up whose input has ended.
#[test]
fn an_output_that_nobody_reads_is_no_end_without_end() {
    let mut conversation = Conversation::start(&["random"]);
    let mut input = conversation.child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || {
        let line = format!("{}\n", "x".repeat(50));
        let lines = line.repeat(20_000);
        let _ = input.write_all(lines.as_bytes());
    });
    writer.join().expect("no panic");
    let begin = Instant::now();
    let status = conversation.child.wait().expect("a child");
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
    assert_eq!(status.code(), Some(0));
    // A reader that has left is no fault.
    let mut conversation = Conversation::start(&["random"]);
    conversation.output = BufReader::new(
        Command::new("true")
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs")
            .stdout
            .expect("a pipe"),
    );
    conversation.say("hello 1 tic-tac-toe\nnonsense\n");
    let status = conversation.child.wait().expect("a child");
    assert_eq!(status.code(), Some(0));
}
