//! `serve`: its start, its end and its bad inputs. `crates/web` has the tests of the server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::harness::{TestFolder, refusal};

/// Server in a process of its own, killed when it is dropped.
pub(crate) struct Serving {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Serving {
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::start_with(args, Stdio::null())
    }

    fn start_with(args: &[&str], messages: Stdio) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hindsight"))
            .args([&["serve", "--port", "0"], args].concat())
            .stdout(Stdio::piped())
            .stderr(messages)
            .spawn()
            .expect("it runs");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, out }
    }

    /// Reads a line of the output.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("a line");
        line.trim_end().to_string()
    }

    /// Sends a signal, and returns the exit code and the rest of the output.
    fn end(&mut self, signal: &str) -> (Option<i32>, String) {
        let kill = format!("kill -{signal} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("a child").code(), rest)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the body of the answer to a request.
pub(crate) fn get(address: &str, path: &str) -> String {
    ask(address, &format!("GET {path}"), "")
}

/// Returns the body of the answer to a request with a body of JSON.
pub(crate) fn post(address: &str, path: &str, body: &Value) -> String {
    ask(address, &format!("POST {path}"), &body.to_string())
}

fn ask(address: &str, method_and_path: &str, body: &str) -> String {
    let (status, answer) = send(address, method_and_path, body);
    assert_eq!(status, 200, "{answer}");
    answer
}

/// Returns the status and the body of the answer to a request.
pub(crate) fn status_and_body(address: &str, path: &str) -> (u16, String) {
    send(address, &format!("GET {path}"), "")
}

pub(crate) fn send(address: &str, method_and_path: &str, body: &str) -> (u16, String) {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).expect("it listens");
    let length = body.len();
    let request = format!(
        "{method_and_path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), body.to_string())
}

#[test]
fn it_prints_its_address_answers_and_ends_well_by_a_signal() {
    for signal in ["TERM", "INT"] {
        let mut serving = Serving::start(&[]);
        let address = serving.line();
        assert!(address.starts_with("http://127.0.0.1:"), "{address}");
        assert_eq!(get(&address, "/healthz"), "ok\n");
        assert_eq!(serving.end(signal), (Some(0), String::new()));
    }
}

#[test]
fn tables_and_games_have_names_and_limits_are_shown() {
    let folder = TestFolder::new();
    let table = folder.path("small.table");
    crate::harness::answer(&["solve", "quoridor:3x2:1", "--out", &table, "--quiet"]);
    let named = format!("other-1={table}");
    let limits = ["--seconds", "2", "--playouts", "7", "--json"];
    let sources = [table.as_str(), &named, "Onitama:3x4:boar:first=red"];
    let mut serving = Serving::start(&[&sources[..], &limits].concat());
    let mut json = String::new();
    while !json.ends_with('}') {
        json.push_str(&serving.line());
    }
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let root = get(json["address"].as_str().expect("an address"), "/api/v1");
    let root: Value = serde_json::from_str(&root).expect("JSON");
    assert_eq!(root["limits"]["requests_a_second"], Value::Null);
    assert!(root.to_string().contains("other-1"), "{root}");
}

#[test]
fn a_server_for_other_machines_says_what_that_means() {
    let folder = TestFolder::new();
    let note = |options: &[&str]| {
        let messages = folder.path("messages");
        let file = std::fs::File::create(&messages).expect("a file");
        let mut serving = Serving::start_with(options, file.into());
        assert!(serving.line().starts_with("http://"));
        serving.end("TERM");
        let messages = std::fs::read_to_string(messages).expect("text");
        messages.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let open = note(&["--bind", "0.0.0.0"]);
    assert!(open.starts_with("note: other machines reach this server"), "{open}");
    assert!(open.contains("--bind 127.0.0.1"), "{open}");
    assert_eq!(note(&["--bind", "0.0.0.0", "--quiet"]), "");
    assert_eq!(note(&["--bind", "127.0.0.1"]), "");
}

#[test]
fn a_port_that_is_taken_is_named_with_what_to_do() {
    let mut serving = Serving::start(&[]);
    let address = serving.line();
    let port = address.trim_end_matches('/').rsplit(':').next();
    let port = port.expect("a port");
    let error = refusal(&["serve", "--port", port]);
    assert!(error.contains(&format!("port {port} of 127.0.0.1 is taken")), "{error}");
    assert!(error.contains("--port"), "{error}");
}

#[test]
fn addresses_and_numbers_that_cannot_be_are_refused() {
    let cases = [
        (["--bind", "203.0.113.1"], "203.0.113.1 is no address of this machine"),
        (["--bind", "example.org"], "an address in numbers"),
        (["--bind", "127.0.0.1:80"], "without a port"),
        (["--port", "65536"], "a port, a number from 0 to 65535"),
        (["--port", "-1"], "a port, a number from 0 to 65535"),
        (["--seconds", "0"], "a time above 0"),
        (["--playouts", "0"], "a number of playouts from 1"),
        (["--requests-a-second", "x"], "a number of requests from 0"),
    ];
    for (options, text) in cases {
        let error = refusal(&[&["serve"], &options[..]].concat());
        let line = error.replace('\n', " ");
        assert!(line.contains(text), "{options:?}: {error}");
    }
}

#[test]
fn what_is_no_table_and_no_game_is_refused() {
    let folder = TestFolder::new();
    let text = folder.path("notes.txt");
    std::fs::write(&text, "no table").expect("a file");
    let table = folder.path("my table");
    std::fs::write(&table, "no table").expect("a file");
    let cases = [
        (vec![text.as_str()], "is not a Hindsight table"),
        (vec!["missing.table"], "there is no file 'missing.table'"),
        (vec!["a=missing.table"], "missing.table"),
        (vec!["chess"], "'chess'"),
        (vec!["a/b=missing.table"], "'a/b' is no name"),
        (vec!["..=missing.table"], "'..' is no name"),
        (vec!["=missing.table"], "'' is no name"),
        (vec![table.as_str()], "NAME=FILE"),
        (vec!["tic-tac-toe", "Tic-Tac-Toe"], "is named twice"),
    ];
    for (sources, text) in cases {
        let error = refusal(&[&["serve", "--port", "0"], &sources[..]].concat());
        let line = error.replace('\n', " ");
        assert!(line.contains(text), "{sources:?}: {error}");
    }
}

/// Returns the most memory that a process has had, in bytes.
fn peak_bytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.expect("a number") << 10
}

#[test]
fn solves_analyses_and_agents_stay_within_the_memory() {
    let mut serving = Serving::start(&["--memory", "150M", "--seconds", "1"]);
    let address = serving.line();
    let specs = [
        "quoridor:4x5:3",
        "quoridor:5x4:3",
        "quoridor:5x5:2",
        "onitama:3x4:boar",
        "onitama:4x4:boar",
        "onitama:5x5:tiger,crab,monkey,crane,dragon",
        "ostle:4x4:3:1",
        "dodgem:4x4",
        "quoridor:9x9:10",
    ];
    let ask_all = |spec: &&str| {
        let path = format!("/api/v1/tables/{spec}");
        get(&address, &format!("{path}/probe"));
        post(&address, &format!("{path}/choose"), &json!({"agent": "mcts:playouts=20000"}));
        get(&address, &format!("{path}/analyse?seconds=0.5"));
    };
    specs.iter().for_each(ask_all);
    std::thread::scope(|scope| {
        for spec in &specs[5..] {
            scope.spawn(|| ask_all(spec));
        }
    });
    let peak = peak_bytes(serving.child.id());
    assert!(peak < 150_000_000, "{peak} bytes");
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_keeps_its_limit_of_memory() {
    let error = refusal(&["serve", "--port", "0", "--memory", "40M"]);
    assert!(error.contains("it takes at least"), "{error}");
    let limit = "160M";
    let mut server = Serving::start(&["--memory", limit, "--seconds", "10"]);
    let address = server.line();
    for game in ["dobutsu", "quixo:5x5", "onitama:5x5:boar", "quoridor:9x9:10", "ostle"] {
        get(&address, &format!("/api/v1/tables/{game}/analyse?seconds=0.3"));
    }
    for game in ["onitama:3x4:boar", "dodgem:4x4", "l-game", "quixo:3x3"] {
        get(&address, &format!("/api/v1/tables/{game}/probe"));
        get(&address, &format!("/api/v1/tables/{game}/puzzles?count=3&sample=3000"));
    }
    let peak = crate::limits::peak_bytes_of(server.child.id());
    assert!(peak > 20 << 20 && peak <= 160 << 20, "{peak} bytes of {limit}");
}
