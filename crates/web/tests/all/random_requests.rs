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
const BODIES: [(&str, &str); 8] = [
    ("tic-tac-toe/probe", r#"{"positions":["xx./oo./...","..."],"moves":true,"canonical":false}"#),
    (
        "tic-tac-toe/choose",
        r#"{"position":"xx./oo./...","agent":"mcts:playouts=10,c=0.4","seed":7}"#,
    ),
    ("tic-tac-toe/choose", r#"{"position":"xx./oo./...","agent":"alphabeta:depth=2"}"#),
    ("tic-tac-toe/choose", r#"{"agent":"level:3","seed":18446744073709551615}"#),
    (
        "tic-tac-toe/setup",
        r#"{"pieces":[{"cell":"b2","player":0,"shape":"cross"}],"player_to_move":null}"#,
    ),
    (
        "ostle:3x3:2:1/setup",
        r#"{"pieces":[{"cell":"a1","player":0,"shape":"block"},{"cell":"a2","player":0,"shape":
        "block"},{"cell":"c3","player":1,"shape":"block"}],"marks":[{"cell":"b2","kind":"hole"}]}"#,
    ),
    (
        "quoridor:3x3:1/setup",
        r#"{"pieces":[{"cell":"b1","player":0,"shape":"pawn"},{"cell":"b3","player":1,
        "shape":"pawn"}],"fences":["a1h"],"in_hand":[1,0],"player_to_move":1}"#,
    ),
    (
        "onitama:2x3:boar,ox,ox,crab,boar/setup",
        r#"{"pieces":[{"cell":"a3","player":0,"shape":"leader"},{"cell":"b1","player":1,
        "shape":"leader"}],"cards":[["ox","ox"],["crab","boar"]],"cards_aside":["boar"]}"#,
    ),
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
    let limits = ApiLimits { seconds: 0.2, playouts: 2000, ..ApiLimits::default() };
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
        let (path, body) = BODIES[seed as usize % BODIES.len()];
        let bytes = b"{}[]\",:0123456789truefalsenull\\u00xo./\xff\x00-eE.";
        let body = changed(body, &mut random, bytes);
        let path = format!("/api/v1/tables/{path}");
        let response = client.post(&path, "application/json", &body);
        let text = String::from_utf8_lossy(&body);
        assert!(response.status < 500, "{text}: {response:?}");
    }
    assert_eq!(client.get("/healthz").status, 200);
}
