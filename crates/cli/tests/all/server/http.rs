//! Tables on web servers: the same answers as from files, few requests, and refusals in a sentence.

use hindsight_testkit::{FileReply, FileRequest, FileServer};
use serde_json::Value;

use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

/// Server of a table, whose answers may be changed.
fn server(
    table: &str,
    change: impl Fn(&FileRequest, FileReply) -> FileReply + Send + Sync + 'static,
) -> FileServer {
    let bytes = std::fs::read(table).expect("a table");
    FileServer::start(move |request| change(request, FileReply::of_file(request, &bytes)))
}

/// Report of a command without its time, with the name `q` for `table`.
fn report(command: &[&str], table: &str) -> Value {
    let text = answer(&[command, &[table, "--json"]].concat()).replace(table, "q");
    let mut report: Value = serde_json::from_str(&text).expect("JSON");
    if let Some(object) = report.as_object_mut() {
        object.remove("seconds");
    }
    report
}

#[test]
fn every_command_on_a_table_takes_an_address() {
    let folder = TestFolder::new();
    for (spec, options) in [
        ("quoridor:3x3:1", [].as_slice()),
        ("quoridor:3x3:1", &["--layout", "compact"]),
        ("ostle:3x3:3:1", &[]),
    ] {
        let (file, _) = folder.solve(spec, options);
        let server = server(&file, |_, reply| reply);
        let address = server.address("q.table");
        for command in [
            &["probe"][..],
            &["line"],
            &["info"],
            &["stats"],
            &["verify"],
            &["analyse"],
            &["puzzles", "--count", "3"],
        ] {
            assert_eq!(report(command, &address), report(command, &file), "{spec} {command:?}");
        }
        let same = json(&["compare", &address, &file]);
        assert_eq!((&same["different"], &same["same_bytes"]), (&0.into(), &true.into()));
        let export = |table: &str| answer(&["export", table, "--out", "-"]);
        assert!(export(&address) == export(&file), "{spec}");
    }
}

#[test]
fn distances_are_read_from_a_server() {
    let folder = TestFolder::new();
    let file = folder.path("r.table");
    answer(&["reach", "ostle:3x3:3:1", "--out", &file, "--quiet"]);
    let server = server(&file, |_, reply| reply);
    let address = server.address("r.table");
    assert_eq!(report(&["reach"], &address), report(&["reach"], &file));
    assert_eq!(report(&["verify"], &address), report(&["verify"], &file));
}

#[test]
fn a_probe_takes_few_requests_and_a_changed_file_is_no_fault_of_the_table() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:5x5:2", &[]);
    let first = server(&file, |_, reply| reply);
    answer(&["info", &first.address("q.table")]);
    assert_eq!(first.requests().len(), 1);
    answer(&["probe", &first.address("q.table")]);
    // The header with coder and index of the first layer, a page of the index, and a block.
    assert!(first.requests().len() <= 1 + 3, "{:?}", first.requests());
    let changing = server(&file, |request, reply| match request.number {
        0 => reply,
        _ => reply.with_header("ETag", "\"second\""),
    });
    let error = refusal(&["verify", &changing.address("q.table"), "--quiet"]);
    let sentence = "the file on the server has changed since it was opened";
    assert!(error.contains(sentence), "{error}");
}

#[test]
fn a_table_that_cannot_be_read_is_refused_in_a_sentence() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:3x3:1", &[]);
    let missing = server(&file, |_, _| FileReply::of_status(404));
    let address = missing.address("q.table");
    for command in ["info", "verify", "line", "probe"] {
        let expected = format!(
            "hindsight: cannot read '{address}': the server has no such file (status 404)\n"
        );
        assert_eq!(refusal(&[command, &address]), expected);
    }
    let whole = server(&file, |_, reply| FileReply { status: 200, ..reply });
    let error = refusal(&["stats", &whole.address("q.table")]);
    assert!(error.contains("servers that answer range requests"), "{error}");
    let other = refusal(&["info", "ftp://example.org/q.table"]);
    assert!(other.contains("begins with http:// or https://"), "{other}");
    let scheme = refusal(&["info", "http:/q.table"]);
    assert!(scheme.contains("there is no file 'http:/q.table'"), "{scheme}");
}

#[test]
fn a_file_on_a_server_that_is_no_table_is_a_fault() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:3x3:1", &[]);
    let mut bytes = std::fs::read(&file).expect("a table");
    bytes.pop();
    let cut = FileServer::start(move |request| FileReply::of_file(request, &bytes));
    let (out, _) = run_with_code(1, &["verify", &cut.address("q.table")]);
    assert!(out.contains("1 fault"), "{out}");
}

#[cfg(feature = "serve")]
#[test]
fn a_table_on_a_server_is_served() {
    use crate::server::serve::{Serving, get};

    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:3x3:1", &[]);
    let server = server(&file, |_, reply| reply);
    let mut serving = Serving::start(&[&server.address("q.table")]);
    let address = serving.line();
    let probe = get(&address, "/api/v1/tables/q/probe");
    assert!(probe.contains("\"remoteness\":8"), "{probe}");
}

#[cfg(feature = "serve")]
#[test]
fn a_served_table_that_has_changed_is_opened_anew() {
    use std::sync::{Arc, Mutex};

    use crate::server::serve::{Serving, status_and_body};

    let folder = TestFolder::new();
    let [first, second] = ["quoridor:5x5:2", "quoridor:4x4:1"].map(|spec| {
        let (file, _) = folder.solve(spec, &[]);
        std::fs::read(file).expect("a table")
    });
    let on_disk = folder.path("disk.table");
    std::fs::write(&on_disk, &first).expect("a file");
    let remote = Arc::new(Mutex::new((first, "\"1\"")));
    let served = remote.clone();
    let server = FileServer::start(move |request| {
        let (bytes, tag) = &*served.lock().expect("no panic");
        FileReply::of_file(request, bytes).with_header("ETag", tag)
    });
    let mut serving = Serving::start(&[&on_disk, &server.address("net.table")]);
    let address = serving.line();
    let game = |name: &str| {
        let path = format!("/api/v1/tables/{name}/probe");
        let (status, body) = status_and_body(&address, &path);
        let body: Value = serde_json::from_str(&body).expect("JSON");
        match status {
            200 => body["game"].as_str().map(String::from),
            status => {
                assert_eq!((status, &body["type"]), (503, &"/problems/changed".into()));
                None
            }
        }
    };
    assert_eq!(game("disk").as_deref(), Some("quoridor:5x5:2"));
    *remote.lock().expect("no panic") = (second.clone(), "\"2\"");
    // A file that is written elsewhere and then gets the name.
    let new = folder.path("new.table");
    std::fs::write(&new, &second).expect("a file");
    std::fs::rename(&new, &on_disk).expect("a rename");
    for name in ["net", "disk"] {
        let begin = std::time::Instant::now();
        while game(name).as_deref() != Some("quoridor:4x4:1") {
            assert!(begin.elapsed().as_secs() < 20, "{name} stays as it was");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
    // A file that is no table is told in words, until it is one again.
    std::fs::write(&on_disk, b"no table").expect("a file");
    let begin = std::time::Instant::now();
    while game("disk").is_some() {
        assert!(begin.elapsed().as_secs() < 20, "nothing is told");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    std::fs::write(&on_disk, &second).expect("a file");
    while game("disk").is_none() {
        assert!(begin.elapsed().as_secs() < 40, "it is not opened anew");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

/// Runs a call with variables of the environment; returns its exit code and what it printed.
fn run_with(variables: &[(&str, &str)], args: &[&str]) -> (Option<i32>, String) {
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("hindsight"));
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    let output = command.args(args).envs(variables.iter().copied()).output();
    let output = output.expect("it runs");
    let [out, error] = [output.stdout, output.stderr].map(String::from_utf8);
    let text = out.expect("UTF-8") + &error.expect("UTF-8");
    // Messages are wrapped.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (output.status.code(), text)
}

#[test]
fn a_proxy_is_asked_by_get_for_http_and_by_connect_for_https() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:3x3:1", &[]);
    let proxy = server(&file, |request, reply| {
        if request.path.contains("refused.example") {
            FileReply::of_status(407)
        } else if request.path.starts_with("http") {
            reply
        } else {
            FileReply::of_status(403)
        }
    });
    let by = proxy.address("");
    let paths = || {
        let requests = proxy.requests().into_iter();
        requests.map(|request| request.path).collect::<Vec<_>>()
    };
    let address = "http://tables.example/a/q.table?x=1";
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy"] {
        let (code, text) = run_with(&[(name, &by)], &["info", address]);
        assert_eq!(code, Some(0), "{name}: {text}");
        assert_eq!(paths().last().map(String::as_str), Some(address));
    }
    let other = "http://tables.example:8080/q.table";
    let (code, _) = run_with(&[("http_proxy", &by), ("https_proxy", "x y")], &["probe", other]);
    assert_eq!(code, Some(0));
    assert!(paths().iter().skip(3).all(|path| path == other), "{:?}", paths());
    let secure = ["info", "https://tables.example/q.table"];
    let (code, text) = run_with(&[("https_proxy", &by)], &secure);
    assert_eq!(code, Some(2));
    assert!(text.contains("the proxy cannot be used: ") && text.contains("403"), "{text}");
    assert_eq!(paths().last().map(String::as_str), Some("tables.example:443"));
    let (_, text) = run_with(&[("http_proxy", &by)], &["info", "http://refused.example/q"]);
    assert!(text.contains("wants a name and a password (status 407)"), "{text}");
}

#[test]
fn proxies_that_cannot_be_asked_are_refused_without_their_passwords() {
    let unused = [("http_proxy", "socks5://me:secret@127.0.0.1:9"), ("no_proxy", "example")];
    for variables in [
        &unused[..1],
        &[("HTTP_PROXY", "http://me:secret@")],
        &[("all_proxy", "http://me:secret@127.0.0.1:9")],
    ] {
        let (code, text) = run_with(variables, &["info", "http://tables.example/q.table"]);
        assert_eq!(code, Some(2));
        assert!(text.contains("the proxy cannot be used: "), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:3x3:1", &[]);
    let local = server(&file, |_, reply| reply);
    let closed = [("http_proxy", "http://127.0.0.1:9")];
    let (code, text) = run_with(&closed, &["info", &local.address("q.table")]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_password_in_an_address_is_never_repeated() {
    let address = "http://me:secret@tables.example/q.table";
    let named = format!("q={address}");
    let calls: [&[&str]; 14] = [
        &["info", address],
        &["probe", address],
        &["verify", address, "--json"],
        &["analyse", address],
        &["solve", address],
        &["solve", "tic-tac-toe", "--out", address],
        &["compare", address, address],
        &["draw", address, "--out", "-"],
        &["play", address],
        &["match", "random", "random", "--table", address],
        &["serve", "--port", "0", address],
        &["serve", "--port", "0", &named],
        &["serve", "--port", "0", "--bind", address],
        &["cache", "add", address],
    ];
    for call in calls {
        let (code, text) = run_with(&[], call);
        assert_eq!(code, Some(2), "{call:?}: {text}");
        assert!(!text.contains("secret"), "{call:?}: {text}");
    }
    let (_, text) = run_with(&[], &["info", address]);
    assert!(text.contains("'http://..@tables.example/q.table'"), "{text}");
}
