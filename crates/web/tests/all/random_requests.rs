//! Requests of random bytes: each has an answer, and none is a fault of the server.

use hindsight_games::Random;
use hindsight_play::SeededRandom;

use hindsight_web::{ApiLimits, ServerOptions, Shelf};

use crate::harness::TestServer;

/// Requests of each kind.
const REQUESTS: u64 = 1500;

/// Addresses and bodies that random changes are made to.
const ADDRESSES: [&str; 9] = [
    "/api/v1/tables/tic-tac-toe/probe?p=xx./oo./...&canonical=true",
    "/api/v1/tables/quoridor:3x3:1/line?p=b1_b3_1,1_-_white&plies=7",
    "/api/v1/tables/onitama:3x3:boar/walk?m=a3a2:boar,b1b2:boar",
    "/api/v1/tables/tic-tac-toe/random?value=win&remoteness=3&seed=9&layer=1",
    "/api/v1/tables/onitama:3x3:boar/puzzles?theme=quiet&count=3&sample=50&seed=3",
    "/api/v1/tables/ostle:3x3:2:1/position?p=bb./.h./.ww_black",
    "/api/v1/tables/tic-tac-toe/stats?layer=0&v=5478",
    "/api/v1/tables/onitama:3x3:(1,1)(0,-1)/position",
    "/problems/position?x=%00",
];
const BODIES: [&str; 4] = [
    r#"{"positions":["xx./oo./...","..."],"moves":true,"canonical":false}"#,
    r#"{"position":"xx./oo./...","agent":"mcts:playouts=10,c=0.4","seed":7}"#,
    r#"{"position":"xx./oo./...","agent":"alphabeta:depth=2"}"#,
    r#"{"agent":"level:3","seed":18446744073709551615}"#,
];

/// Returns a text with some bytes changed, removed, doubled or put in.
fn changed(text: &str, random: &mut SeededRandom, bytes: &[u8]) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() as u32) as usize;
        let byte = bytes[random.below(bytes.len() as u32) as usize];
        match random.below(4) {
            0 => text[at] = byte,
            1 => text.insert(at, byte),
            2 if text.len() > 1 => drop(text.remove(at)),
            _ => text.extend_from_within(at..text.len().min(at + 20)),
        }
    }
    text
}

/// Starts a server that works for a fifth of a second at most.
fn quick_server() -> TestServer {
    let limits = ApiLimits {
        seconds: 0.2,
        playouts: 2000,
        ..ApiLimits::default()
    };
    TestServer::serving(ServerOptions::default(), Shelf::default(), limits)
}

#[test]
fn random_addresses_have_answers() {
    let server = quick_server();
    let mut client = server.connect();
    let bytes = b"%&=?/_+:,.-()0123456789abxyzXO ~\"'<>\\^`{|}\x7f\xc3\xff";
    for seed in 0..REQUESTS {
        let mut random = SeededRandom::new(&[seed, 1]);
        let address = ADDRESSES[seed as usize % ADDRESSES.len()];
        let mut address = changed(address, &mut random, bytes);
        // A space would end the address, and a line its request.
        address.retain(|byte| *byte != b' ');
        address.insert(0, b'/');
        let mut request = b"GET ".to_vec();
        request.extend(&address[usize::from(address.get(1) == Some(&b'/'))..]);
        request.extend(b" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let response = client.send(&request).answer();
        let text = String::from_utf8_lossy(&request);
        assert!(response.status < 500, "{text}: {response:?}");
        if response.status == 400 && response.header("connection") == Some("close") {
            client = server.connect();
        }
    }
    assert_eq!(client.get("/healthz").status, 200);
}

#[test]
fn random_bodies_have_answers() {
    let server = quick_server();
    let mut client = server.connect();
    for seed in 0..REQUESTS {
        let mut random = SeededRandom::new(&[seed, 2]);
        let number = seed as usize % BODIES.len();
        let bytes = b"{}[]\",:0123456789truefalsenull\\u00xo./\xff\x00-eE.";
        let body = changed(BODIES[number], &mut random, bytes);
        let action = if number == 0 { "probe" } else { "choose" };
        let path = format!("/api/v1/tables/tic-tac-toe/{action}");
        let response = client.post(&path, "application/json", &body);
        let text = String::from_utf8_lossy(&body);
        assert!(response.status < 500, "{text}: {response:?}");
    }
    assert_eq!(client.get("/healthz").status, 200);
}
