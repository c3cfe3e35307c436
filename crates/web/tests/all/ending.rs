//! The end of a server, and addresses that it cannot have.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use hindsight_web::{Server, ServerOptions};

use crate::harness::TestServer;

#[test]
fn an_idle_server_ends_at_once_whatever_is_connected() {
    let mut server = TestServer::start();
    let _silent = server.connect();
    let mut idle = server.connect();
    assert_eq!(idle.get("/healthz").status, 200);
    let time = server.end();
    assert!(time < Duration::from_millis(1500), "{time:?}");
    assert!(TcpStream::connect(server.address).is_err());
}

#[test]
fn a_request_that_runs_is_answered_before_the_end() {
    let mut server = TestServer::start();
    let mut client = server.connect();
    client.send("GET /test/work HTTP/1.1\r\nHost: localhost\r\n\r\n");
    while server.pool.running() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.begin_to_end();
    assert_eq!(client.answer().text(), "done");
    assert!(client.is_closed());
    server.end();
}

#[test]
fn a_request_that_runs_too_long_is_stopped_at_the_end() {
    let mut server = TestServer::with(ServerOptions {
        end_time: Duration::from_millis(100),
        ..ServerOptions::default()
    });
    let mut client = server.connect();
    client.send("GET /test/work HTTP/1.1\r\nHost: localhost\r\n\r\n");
    while server.pool.running() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let time = server.end();
    assert!(time < Duration::from_millis(1500), "{time:?}");
    assert!(client.is_closed());
}

#[test]
fn an_address_that_cannot_be_had_is_an_error_that_says_what_to_do() {
    let server = TestServer::start();
    let refusal = |text: &str| {
        let address: SocketAddr = text.parse().expect("an address");
        let options = ServerOptions {
            address: address.ip(),
            port: address.port(),
            ..ServerOptions::default()
        };
        Server::bind(&options).expect_err("no server").to_string()
    };
    let taken = refusal(&server.address.to_string());
    let port = server.address.port();
    let start = format!("port {port} of 127.0.0.1 is taken");
    assert!(taken.starts_with(&start) && taken.contains("port 0"), "{taken}");
    let foreign = refusal("203.0.113.1:0");
    assert!(foreign.contains("203.0.113.1 is no address of this machine"));
}
