//! Memory of a server under many requests.

use hindsight_games::memory::resident_bytes;
use hindsight_web::ServerOptions;

use crate::harness::TestServer;

/// Requests of each thread.
const REQUESTS: usize = 5000;

/// Most growth after the first requests.
const MOST_GROWTH: u64 = 64 << 20;

/// Sends requests of all kinds, and leaves some of them in the middle.
fn send_all_kinds(server: &TestServer, requests: usize) {
    let mut client = server.connect();
    for number in 0..requests {
        match number % 10 {
            0 => drop(client.get(&format!("/unknown/{number}"))),
            1 => drop(client.request("GET", "/test/text", "Accept-Encoding: gzip\r\n")),
            2 => drop(client.post("/test/bytes", "text/plain", &[b'x'; 20_000])),
            3 => drop(client.request("DELETE", "/api/v1", "")),
            4 => drop(server.connect().send("GET /healthz HTT")),
            5 => drop(server.connect().send(
                "POST /test/bytes HTTP/1.1\r\nHost: localhost\r\n\
                 Content-Length: 1000\r\n\r\nabc",
            )),
            6 => drop(server.connect().send("nonsense\r\n\r\n").head()),
            7 => drop(client.get("/metrics")),
            8 if number % 100 == 8 => {
                let mut leaving = server.connect();
                leaving.send("GET /test/work HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            _ => drop(client.get("/api/v1")),
        }
    }
}

#[test]
fn memory_does_not_grow_with_requests() {
    let server = TestServer::with(ServerOptions {
        requests_a_second: Some(1_000_000),
        ..ServerOptions::default()
    });
    let run = || {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| send_all_kinds(&server, REQUESTS));
            }
        });
    };
    send_all_kinds(&server, REQUESTS / 10);
    let before = resident_bytes();
    run();
    let growth = resident_bytes().saturating_sub(before);
    assert!(growth < MOST_GROWTH, "{growth} bytes more");
    assert_eq!(server.get("/healthz").status, 200);
}
