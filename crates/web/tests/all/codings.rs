//! Headers by which a client says what it takes: lists over several lines, and refusals of all.

use crate::harness::{Response, TestServer};

const PROBE: &str = "/api/v1/tables/tic-tac-toe/probe";

/// Addresses of each kind of answer, with their statuses.
const ADDRESSES: [(&str, u16); 12] = [
    ("/healthz", 200),
    ("/metrics", 200),
    ("/", 200),
    ("/page/js/main.js", 200),
    ("/api/v1", 200),
    ("/api/v1/games", 200),
    ("/api/v1/openapi.json", 200),
    ("/api/v1/tables/tic-tac-toe/probe?p=xx./oo./...", 200),
    ("/api/v1/tables/tic-tac-toe/position?p=q", 400),
    ("/api/v1/tables/tic-tac-toe/choose", 405),
    ("/test/text", 200),
    ("/none", 404),
];

fn ask(server: &TestServer, address: &str, headers: &str) -> Response {
    server.connect().request("GET", address, headers)
}

#[test]
fn a_client_that_refuses_every_coding_gets_the_plain_answer() {
    let server = TestServer::start();
    for refusal in [
        "Accept-Encoding: identity;q=0",
        "Accept-Encoding: *;q=0",
        "Accept-Encoding: gzip;q=0, identity;q=0",
        "Accept-Encoding: gzip;q=0.000\r\nAccept-Encoding: identity ; q=0.0",
        "Accept-Encoding: br, *;q=0",
    ] {
        for (address, status) in ADDRESSES {
            let response = ask(&server, address, &format!("{refusal}\r\n"));
            assert_eq!(response.status, status, "{refusal}: {address}");
            assert_eq!(response.header("content-encoding"), None, "{refusal}");
            assert!(response.header("cache-control").is_some(), "{address}");
            if status >= 400 {
                assert_eq!(response.header("cache-control"), Some("no-store"));
            }
        }
    }
}

#[test]
fn a_client_that_takes_gzip_gets_it_also_from_a_second_line() {
    let server = TestServer::start();
    for accepted in [
        "Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n",
        "Accept-Encoding: identity;q=0, gzip;q=0.1\r\n",
        "Accept-Encoding: *\r\n",
    ] {
        let response = ask(&server, "/test/text", accepted);
        assert_eq!(response.header("content-encoding"), Some("gzip"));
    }
}

#[test]
fn tags_and_forms_over_several_lines_are_one_list() {
    let server = TestServer::start();
    let first = ask(&server, PROBE, "");
    let tag = first.header("etag").expect("a tag");
    let headers = format!("If-None-Match: \"x\"\r\nIf-None-Match: \"y\", {tag}\r\n");
    assert_eq!(ask(&server, PROBE, &headers).status, 304);
    let headers = "Accept: text/html\r\nAccept: application/json\r\n";
    assert_eq!(ask(&server, PROBE, headers).status, 200);
    let headers = "Accept: application/json;q=0\r\nAccept: */*\r\n";
    ask(&server, PROBE, headers).problem(406, "accept");
}

#[test]
fn a_body_of_two_types_is_refused() {
    let server = TestServer::start();
    let body = r#"{"positions":[]}"#;
    let types = "Content-Type: application/json\r\nContent-Type: text/plain\r\n";
    let mut client = server.connect();
    client.send(format!(
        "POST {PROBE} HTTP/1.1\r\nHost: localhost\r\n{types}Content-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    client.answer().problem(415, "media-type");
}

#[test]
fn a_plus_is_a_space() {
    let server = TestServer::start();
    let address = "/api/v1/tables/quoridor:3x3:1/probe?p=b1+b3+1,1+-+white";
    let reply = ask(&server, address, "");
    assert_eq!(reply.json()["position"], "b1 b3 1,1 - white");
    let page = ask(&server, "/?g=quoridor:3x3:1&p=b1+b3+1,1+-+black", "");
    assert!(page.text().contains("b1 b3 1,1 - black"));
}

#[test]
fn long_texts_are_not_repeated_as_a_whole() {
    let server = TestServer::start();
    let text = "x".repeat(30_000);
    for address in [format!("{PROBE}?p={text}"), format!("/api/v1/tables/{text}")] {
        let response = ask(&server, &address, "");
        assert!(response.status >= 400 && response.body.len() < 5000);
    }
}
