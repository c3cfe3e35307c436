//! Names of hosts, and limits by the address of a client.

use std::net::Ipv4Addr;
use std::time::Duration;

use hindsight_web::ServerOptions;

use crate::harness::{Response, TestServer};

fn get_with(server: &TestServer, headers: &str) -> Response {
    let mut client = server.connect();
    client.send(format!("GET /healthz HTTP/1.1\r\n{headers}\r\n"));
    client.answer()
}

#[test]
fn a_local_server_answers_to_local_names_alone() {
    let server = TestServer::start();
    for host in ["localhost", "127.0.0.1:8017", "[::1]:9", "LOCALHOST"] {
        assert_eq!(get_with(&server, &format!("Host: {host}\r\n")).status, 200);
    }
    let hosts = [
        "Host: evil.example\r\n",
        "Host: 127.0.0.1.evil.example\r\n",
        "Host: 192.168.0.1\r\n",
        "Host: a b\r\n",
        "Host: \r\n",
        "Host: \u{fc}\r\n",
        "Host: localhost\r\nHost: evil.example\r\n",
        "",
    ];
    for host in hosts {
        let response = get_with(&server, host);
        let detail = response.problem(421, "host");
        assert!(detail.contains("localhost"), "{detail}");
        assert_eq!(response.header("access-control-allow-origin"), None);
    }
    let mut old = server.connect();
    old.send("GET /healthz HTTP/1.0\r\n\r\n");
    assert_eq!(old.answer().status, 200);
    let mut client = server.connect();
    client.send("GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    client.answer().problem(421, "host");
}

#[test]
fn a_server_of_a_network_answers_to_every_name() {
    let server = TestServer::with(ServerOptions {
        address: Ipv4Addr::UNSPECIFIED.into(),
        ..ServerOptions::default()
    });
    assert_eq!(get_with(&server, "Host: solver.example\r\n").status, 200);
}

#[test]
fn a_client_with_too_many_requests_waits() {
    let server =
        TestServer::with(ServerOptions { requests_a_second: Some(5), ..ServerOptions::default() });
    let mut client = server.connect();
    let responses: Vec<Response> = (0..20).map(|_| client.get("/healthz")).collect();
    let refused = responses.iter().find(|response| response.status != 200);
    let refused = refused.expect("a refusal");
    refused.problem(429, "rate");
    assert_eq!(refused.header("retry-after"), Some("1"));
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(client.get("/healthz").status, 200);
}
