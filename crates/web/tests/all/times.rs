//! Work of seconds ends in the time of the server.

use std::time::Instant;

use hindsight_web::{ApiLimits, ServerOptions, Shelf};
use serde_json::{Value, json};

use crate::api::table;
use crate::harness::TestServer;

/// Returns a server of a table, whose work may take some seconds.
fn server_within(seconds: f64) -> TestServer {
    let mut shelf = Shelf::default();
    let folder = tempfile::tempdir().expect("a folder");
    let table = table("onitama:3x3:boar", folder.path());
    shelf.add_table("mine".into(), table).expect("a table");
    let limits = ApiLimits { seconds, ..ApiLimits::default() };
    TestServer::serving(ServerOptions::default(), shelf, limits)
}

#[test]
fn puzzles_that_were_cut_are_not_kept() {
    let path = "/api/v1/tables/mine/puzzles?sample=2000";
    let ask = |server: &TestServer| {
        let response = server.get(path);
        assert_eq!(response.status, 200, "{}", response.text());
        let control = response.header("cache-control").map(String::from);
        (response.json(), control)
    };
    let server = server_within(0.0);
    for _ in 0..2 {
        let (cut, control) = ask(&server);
        assert_eq!(control.as_deref(), Some("no-store"));
        assert_eq!(
            (&cut["is_cut"], &cut["scanned"]["positions"], &cut["found"]),
            (&json!(true), &json!(0), &json!(0))
        );
    }
    let (whole, control) = ask(&server_within(60.0));
    assert_ne!(control.as_deref(), Some("no-store"));
    assert_eq!(whole["is_cut"], false);
    assert!(whole["found"].as_u64() > Some(0));
}

#[test]
fn agents_of_many_playouts_end_in_time() {
    let server = server_within(0.03);
    for agent in ["mcts:playouts=100000", "mc:playouts=100000", "level:10"] {
        let body = json!({ "agent": agent }).to_string();
        let started = Instant::now();
        let path = "/api/v1/tables/quoridor:9x9:20/choose";
        let mut client = server.connect();
        let response = client.post(path, "application/json", body.as_bytes());
        assert_eq!(response.status, 200, "{agent}: {}", response.text());
        let seconds = started.elapsed().as_secs_f64();
        assert!(seconds < 5.0, "{agent}: {seconds} s");
        let reply: Value = response.json();
        assert!(reply["move"].is_string(), "{agent}");
        assert!(reply["work"].as_u64() < Some(900_000), "{agent}");
    }
}
