//! Limits of bodies.

use std::time::Duration;

use hindsight_web::ServerOptions;

use crate::harness::TestServer;

const HEAD: &str = "POST /test/bytes HTTP/1.1\r\nHost: localhost\r\n";

#[test]
fn a_body_of_the_most_bytes_is_read_and_one_more_is_refused() {
    let server = TestServer::start();
    let full = vec![b'x'; 1 << 20];
    let response = server.connect().post("/test/bytes", "text/plain", &full);
    assert_eq!(response.text(), "1048576");
    let more = [&full[..], b"x"].concat();
    let response = server.connect().post("/test/bytes", "text/plain", &more);
    let detail = response.problem(413, "too-large");
    assert!(detail.contains("1048576 bytes"), "{detail}");
}

#[test]
fn a_huge_body_is_refused_by_its_length_or_by_its_chunks() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send(format!("{HEAD}Content-Length: 99999999999\r\n\r\n"));
    client.answer().problem(413, "too-large");
    let mut client = server.connect();
    client.send(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n"));
    for _ in 0..64 {
        client.send("10000\r\n").send(vec![b'x'; 0x1_0000]).send("\r\n");
    }
    client.answer().problem(413, "too-large");
}

#[test]
fn a_large_body_that_is_refused_does_not_hide_the_answer() {
    let server = TestServer::start();
    let body = vec![b'x'; 8 << 20];
    for _ in 0..10 {
        let response = server.connect().post("/test/bytes", "text/plain", &body);
        response.problem(413, "too-large");
    }
}

#[test]
fn a_slow_body_is_refused() {
    let server = TestServer::with(ServerOptions {
        body_time: Duration::from_millis(200),
        ..ServerOptions::default()
    });
    let mut client = server.connect();
    client.send(format!("{HEAD}Content-Length: 100\r\n\r\nabc"));
    let detail = client.answer().problem(408, "slow");
    assert!(detail.contains("0.2 seconds"), "{detail}");
    assert!(client.is_closed());
}

#[test]
fn wrong_chunks_are_a_wrong_body() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\n"));
    client.answer().problem(400, "body");
}

#[test]
fn all_bodies_together_have_a_limit_and_those_of_a_client_half_of_it() {
    let server =
        TestServer::with(ServerOptions { all_body_bytes: 2000, ..ServerOptions::default() });
    let mut first = server.connect();
    first.send(format!("{HEAD}Content-Length: 900\r\n\r\n"));
    first.send("x".repeat(800));
    // The first body has taken its bytes once others find too few.
    let second = (0..200).map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        let body = [b'x'; 500];
        server.connect().post("/test/bytes", "text/plain", &body)
    });
    let refused = second.into_iter().find(|response| response.status != 200);
    let refused = refused.expect("a refusal");
    refused.problem(503, "busy");
    assert_eq!(refused.header("retry-after"), Some("1"));
    let mut other = server.connect_from("127.0.0.2");
    let body = [b'x'; 1000];
    let response = other.post("/test/bytes", "text/plain", &body);
    assert_eq!(response.text(), "1000");
    assert_eq!(first.send("x".repeat(100)).answer().text(), "900");
    let after = server.connect().post("/test/bytes", "text/plain", &body);
    assert_eq!(after.text(), "1000");
}

#[test]
fn bodies_of_another_form_are_refused_in_words_of_json() {
    let server = TestServer::start();
    let cases = [
        ("probe", "[]", "the body: it should be an object, not a list"),
        ("probe", r#"[["xx./oo./..."],true]"#, "it should be an object, not a list"),
        ("probe", "7", "the body: it should be an object, not 7"),
        ("probe", "null", "the body: it should be an object, not null"),
        ("probe", "{}", "the body: the key 'positions' is missing"),
        ("probe", "", "the body is no JSON: EOF"),
        ("probe", r#"{"positions":[],"#, "the body is no JSON: EOF"),
        ("probe", r#"{"positions":{}}"#, "positions: it should be a list, not an object"),
        ("probe", r#"{"positions":["x",1]}"#, "positions[1]: it should be text, not 1"),
        (
            "probe",
            r#"{"positions":[],"moves":"x"}"#,
            "moves: it should be true or false, not \"x\"",
        ),
        (
            "probe",
            r#"{"positions":[],"more":1}"#,
            "there is no key 'more' here; there are positions, moves, canonical",
        ),
        ("probe", r#"{"positions":[],"positions":[]}"#, "the key 'positions' is there twice"),
        ("choose", r#"[null,"perfect",1]"#, "it should be an object, not a list"),
        (
            "choose",
            r#"{"seed":-1}"#,
            "seed: it should be a whole number from 0 to 18446744073709551615, not -1",
        ),
        ("choose", r#"{"seed":1e99}"#, "seed: it should be a whole number from 0"),
        ("choose", r#"{"agent":[]}"#, "agent: it should be text, not a list"),
        (
            "setup",
            r#"{"pieces":[["b2",0,"cross"]]}"#,
            "pieces[0]: it should be an object, not a list",
        ),
        (
            "setup",
            r#"{"pieces":[],"in_hand":[1,256]}"#,
            "in_hand[1]: it should be a whole number from 0 to 255, not 256",
        ),
        (
            "setup",
            r#"{"pieces":[],"in_hand":[1]}"#,
            "in_hand: it should be a list of 2 items, not of 1",
        ),
        (
            "setup",
            r#"{"pieces":[],"in_hand":[1,2,3]}"#,
            "in_hand: it has 3 items, and should have 2",
        ),
        (
            "setup",
            r#"{"pieces":[{"cell":"b2","player":0,"shape":"cross","sign":"xy"}]}"#,
            "pieces[0].sign: it should be one character, not \"xy\"",
        ),
        (
            "setup",
            r#"{"pieces":[{"cell":"b2","player":0,"shape":"arrow","step":[1,200]}]}"#,
            "pieces[0].step[1]: it should be a whole number from -128 to 127, not 200",
        ),
        ("setup", r#"{"pieces":[],"marks":[["b2","hole"]]}"#, "marks[0]: it should be an object"),
        (
            "setup",
            r#"{"pieces":[],"player_to_move":"0"}"#,
            "player_to_move: it should be a whole number",
        ),
    ];
    let marked = "\u{feff}{\"positions\":[]}".as_bytes();
    let path = "/api/v1/tables/tic-tac-toe/probe";
    let response = server.connect().post(path, "application/json", marked);
    assert_eq!(response.status, 200);
    for (end, body, words) in cases {
        let path = format!("/api/v1/tables/tic-tac-toe/{end}");
        let response = server.connect().post(&path, "application/json", body.as_bytes());
        let detail = response.problem(400, "body");
        assert!(detail.contains(words), "{body}: {detail}");
        let rust = ["struct", "usize", "u64", "u8", "i8", "Request", "sequence", "tuple", "map"];
        assert!(!rust.iter().any(|word| detail.contains(word)), "{body}: {detail}");
    }
}
