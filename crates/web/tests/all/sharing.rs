//! Clients share the server: none starves another, and those that only wait for an answer get it.

use std::time::{Duration, Instant};

use hindsight_web::ServerOptions;

use crate::harness::{Client, TestServer};

const WORK: &str = "GET /test/work HTTP/1.1\r\nHost: localhost\r\n\r\n";
const OTHER: &str = "127.0.0.2";

#[track_caller]
fn wait_until(holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(10), "it never holds");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_client_with_much_work_makes_room_for_another() {
    let server = TestServer::with(ServerOptions {
        work_threads: 1,
        waiting_work: 2,
        ..ServerOptions::default()
    });
    let begin = |mut client: Client| {
        client.send(WORK);
        client
    };
    let running = begin(server.connect());
    wait_until(|| server.pool.running() == 1);
    let _waiting = begin(server.connect());
    wait_until(|| server.pool.waiting() == 1);
    let mut newest = begin(server.connect());
    wait_until(|| server.pool.waiting() == 2);
    server.get("/test/work").problem(503, "busy");
    let mut other = begin(server.connect_from(OTHER));
    let detail = newest.answer().problem(503, "busy");
    assert!(detail.contains("other addresses"), "{detail}");
    assert_eq!(server.pool.waiting(), 2);
    drop(running);
    assert_eq!(other.answer().text(), "done");
}

#[test]
fn idle_connections_of_one_client_make_room_for_another() {
    let server = TestServer::with(ServerOptions { connections: 20, ..ServerOptions::default() });
    let mut idle: Vec<Client> = (0..60).map(|_| server.connect()).collect();
    assert_eq!(idle[59].get("/healthz").status, 200);
    let mut other = server.connect_from(OTHER);
    assert_eq!(other.get("/healthz").status, 200);
    assert!(idle[0].is_closed());
    for _ in 0..60 {
        idle.push(server.connect());
    }
    assert_eq!(idle[119].get("/healthz").status, 200);
    assert_eq!(other.get("/healthz").status, 200);
}

#[test]
fn connections_with_requests_are_not_closed_for_others() {
    let server = TestServer::with(ServerOptions {
        connections: 2,
        // Longer than the client waits: no connection is closed meanwhile.
        head_time: Duration::from_secs(60),
        ..ServerOptions::default()
    });
    let mut busy = [(); 2].map(|()| server.connect());
    for client in &mut busy {
        client.send(WORK);
    }
    wait_until(|| server.pool.running() + server.pool.waiting() == 2);
    let mut third = server.connect_from(OTHER);
    third.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for client in &mut busy {
        assert_eq!(client.answer().text(), "done");
    }
    assert_eq!(third.answer().status, 200);
}

#[test]
fn a_connection_whose_answer_is_not_read_yet_is_not_closed_for_others() {
    let server = TestServer::with(ServerOptions { connections: 1, ..ServerOptions::default() });
    let mut slow = server.connect();
    slow.send("GET /test/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    wait_until(|| slow.has_bytes());
    let mut other = server.connect_from(OTHER);
    other.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    // Time for the server to do what it should not.
    std::thread::sleep(Duration::from_millis(100));
    assert!(!other.has_bytes());
    assert_eq!(slow.answer().body.len(), 16 << 20);
    assert_eq!(other.answer().status, 200);
}

#[test]
fn a_client_has_so_many_connections() {
    let server =
        TestServer::with(ServerOptions { client_connections: Some(2), ..ServerOptions::default() });
    let mut first = server.connect();
    assert_eq!(first.get("/healthz").status, 200);
    let mut busy = server.connect();
    busy.send(WORK);
    wait_until(|| server.pool.running() == 1);
    let mut second = server.connect();
    second.send(WORK);
    wait_until(|| server.pool.running() + server.pool.waiting() == 2);
    assert!(first.is_closed());
    let refused = server.connect().answer();
    refused.problem(429, "rate");
    let mut other = server.connect_from(OTHER);
    assert_eq!(other.get("/healthz").status, 200);
    assert_eq!(busy.answer().text(), "done");
}

#[test]
fn a_client_that_closes_its_side_gets_its_answers() {
    let server = TestServer::start();
    let requests = [
        ("/healthz", "ok\n"),
        ("/test/work", "done"),
        ("/api/v1/tables/tic-tac-toe/analyse", "event: done"),
        ("/api/v1/tables/quoridor:9x9:10/analyse?seconds=1", "event: done"),
    ];
    let clients = requests.map(|(path, _)| {
        let mut client = server.connect();
        client.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        client.close_half();
        client
    });
    for (mut client, (path, text)) in clients.into_iter().zip(requests) {
        let answer = client.rest();
        assert!(answer.contains("HTTP/1.1 200 OK\r\n"), "{path}: {answer}");
        assert!(answer.contains(text), "{path}: {answer}");
    }
    let mut several = server.connect();
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    several.send(WORK).send(request.repeat(3)).close_half();
    assert_eq!(several.rest().matches("HTTP/1.1 200 OK\r\n").count(), 4);
    let mut old = server.connect();
    old.send("GET /test/work HTTP/1.0\r\n\r\n").close_half();
    let answer = old.rest();
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n"), "{answer}");
}

#[test]
fn a_body_that_ends_too_soon_is_still_a_wrong_body() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send("POST /test/bytes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc");
    client.close_half().answer().problem(400, "body");
}

#[test]
fn an_analysis_ends_when_its_client_leaves() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send(
        "GET /api/v1/tables/quoridor:9x9:10/analyse?seconds=9 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    );
    wait_until(|| server.long.running() == 1);
    drop(client);
    let begin = Instant::now();
    wait_until(|| server.long.running() == 0);
    assert!(begin.elapsed() < Duration::from_secs(5));
}
