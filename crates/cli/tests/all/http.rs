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
            assert_eq!(
                report(command, &address),
                report(command, &file),
                "{spec} {command:?}"
            );
        }
        let same = json(&["compare", &address, &file]);
        assert_eq!(
            (&same["different"], &same["same_bytes"]),
            (&0.into(), &true.into())
        );
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
    let whole = server(&file, |_, reply| FileReply {
        status: 200,
        ..reply
    });
    let error = refusal(&["stats", &whole.address("q.table")]);
    assert!(
        error.contains("servers that answer range requests"),
        "{error}"
    );
    let other = refusal(&["info", "ftp://example.org/q.table"]);
    assert!(other.contains("begins with http:// or https://"), "{other}");
    let scheme = refusal(&["info", "http:/q.table"]);
    assert!(
        scheme.contains("there is no file 'http:/q.table'"),
        "{scheme}"
    );
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
    use crate::serve::{Serving, get};

    let folder = TestFolder::new();
    let (file, _) = folder.solve("quoridor:3x3:1", &[]);
    let server = server(&file, |_, reply| reply);
    let mut serving = Serving::start(&[&server.address("q.table")]);
    let address = serving.line();
    let probe = get(&address, "/api/v1/tables/q/probe");
    assert!(probe.contains("\"remoteness\":8"), "{probe}");
}
