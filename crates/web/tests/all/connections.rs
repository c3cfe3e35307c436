//! Heads that are slow, long or wrong, and many connections.

use std::time::Duration;

use hindsight_web::ServerOptions;

use crate::harness::{Client, TestServer};

fn impatient() -> TestServer {
    TestServer::with(ServerOptions {
        head_time: Duration::from_millis(200),
        write_time: Duration::from_millis(200),
        ..ServerOptions::default()
    })
}

#[test]
fn a_slow_head_and_a_silent_client_lose_the_connection() {
    let server = impatient();
    let mut silent = server.connect();
    let mut slow = server.connect();
    slow.send("GET /healthz HTTP/1.1\r\nHost: loc");
    let mut idle = server.connect();
    assert_eq!(idle.get("/healthz").status, 200);
    assert!(silent.is_closed() && slow.is_closed() && idle.is_closed());
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_client_that_does_not_read_loses_the_connection() {
    let server = impatient();
    let mut client = server.connect();
    client.send("GET /test/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let open = || {
        let metrics = server.get("/metrics");
        let mut lines = metrics.text().lines();
        let line = lines.find_map(|line| line.strip_prefix("hindsight_connections "));
        line.and_then(|number| number.parse::<u32>().ok())
    };
    let closed = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        open() == Some(1)
    });
    assert!(closed, "{:?} connections", open());
}

#[test]
fn a_thousand_connections_at_once_are_answered() {
    let server = TestServer::start();
    let mut clients: Vec<Client> = (0..1000).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    for client in &mut clients {
        assert_eq!(client.answer().text(), "ok\n");
    }
}

#[test]
fn what_is_no_request_is_refused_as_a_problem() {
    let server = TestServer::start();
    let texts: [&[u8]; 7] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nBad Header\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ];
    for text in texts {
        let mut client = server.connect();
        let response = client.send(text).answer();
        response.problem(400, "request");
        assert!(client.is_closed());
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_head_that_is_too_long_is_refused_as_a_problem() {
    let server = TestServer::start();
    let line = format!("X: {}\r\n", "x".repeat(1000));
    let many = "X: y\r\n".repeat(1000);
    for headers in [line.repeat(1000), many] {
        let mut client = server.connect();
        client.send(format!("GET / HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"));
        client.answer().problem(431, "head");
    }
    let path = format!("/{}", "x".repeat(70_000));
    let mut client = server.connect();
    client.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    let response = client.answer();
    assert!([414, 431].contains(&response.status), "{response:?}");
}

#[test]
fn requests_that_come_together_are_answered_in_order() {
    let server = TestServer::start();
    let mut client = server.connect();
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.send(request.repeat(100));
    let unknown = "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.send(unknown);
    for _ in 0..100 {
        assert_eq!(client.answer().text(), "ok\n");
    }
    client.answer().problem(404, "path");
}
