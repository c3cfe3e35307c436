//! The pool of work.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use hindsight_web::ServerOptions;

use crate::harness::{Client, TestServer};

const WORK: &str = "GET /test/work HTTP/1.1\r\nHost: localhost\r\n\r\n";

fn narrow() -> TestServer {
    TestServer::with(ServerOptions { work_threads: 1, waiting_work: 1, ..ServerOptions::default() })
}

/// Waits until something holds.
#[track_caller]
fn wait_until(holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(10), "it never holds");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn begin_work(server: &TestServer) -> Client {
    let mut client = server.connect();
    client.send(WORK);
    client
}

#[test]
fn work_beyond_the_queue_is_refused_at_once_and_the_rest_is_done() {
    let server = narrow();
    let mut running = begin_work(&server);
    wait_until(|| server.pool.running() == 1);
    let mut waiting = begin_work(&server);
    wait_until(|| server.pool.waiting() == 1);
    let begin = Instant::now();
    let refused = server.get("/test/work");
    assert!(begin.elapsed() < Duration::from_secs(1));
    refused.problem(503, "busy");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(running.answer().text(), "done");
    assert_eq!(waiting.answer().text(), "done");
}

#[test]
fn work_stops_when_its_client_leaves() {
    let server = narrow();
    let client = begin_work(&server);
    wait_until(|| server.pool.running() == 1);
    drop(client);
    wait_until(|| server.stopped_work.load(Ordering::SeqCst) == 1);
    wait_until(|| server.pool.running() == 0);
}

#[test]
fn work_whose_client_left_while_it_waited_is_not_begun() {
    let server = narrow();
    let mut running = begin_work(&server);
    wait_until(|| server.pool.running() == 1);
    let waiting = begin_work(&server);
    wait_until(|| server.pool.waiting() == 1);
    drop(waiting);
    wait_until(|| server.pool.waiting() == 0);
    assert_eq!(running.answer().text(), "done");
    wait_until(|| server.pool.running() == 0);
    assert_eq!(server.stopped_work.load(Ordering::SeqCst), 0);
}
