//! Pictures of moves, as a page without the rules of any game needs them.

use serde_json::{Value, json};

use crate::api::get;
use crate::harness::TestServer;

/// Returns the drawing of a move in a position.
fn drawing(server: &TestServer, spec: &str, position: &str, mv: &str) -> Value {
    let address = format!("/api/v1/tables/{spec}/position?p={position}");
    let reply = get(server, &address);
    let moves = reply["moves"].as_array().expect("moves");
    let found = moves.iter().find(|legal| legal["move"] == mv);
    found.expect("a legal move")["drawing"].clone()
}

#[test]
fn every_game_has_pictures_of_its_moves() {
    let server = TestServer::start();
    let level = json!({"name": "a2h", "cell": "a2", "is_vertical": false});
    for (spec, position, mv, expected) in [
        (
            "tic-tac-toe",
            "x../.../...",
            "c1",
            json!({"from": null, "to": "c1", "pushed": [], "removed": []}),
        ),
        (
            "dodgem:3x3",
            "..R/.../.U._right",
            "c3off",
            json!({"from": "c3", "to": null, "leaves": [1, 0], "pushed": [], "removed": ["c3"]}),
        ),
        (
            "ostle:4x4:4:1",
            "W.../W.O./B.../B.W._black_-",
            "a1U",
            json!({"from": "a1", "to": "a2", "pushed": ["a2", "a3", "a4"], "removed": ["a4"]}),
        ),
        (
            "quoridor:3x3:2",
            "b1_b3_2,2_-_white",
            "a2h",
            json!({"from": null, "to": null, "fence": level, "pushed": [], "removed": []}),
        ),
        (
            "onitama:3x4:ox",
            "r1r/1R1/1b1/b1B_ox,ox_ox,ox_ox_red",
            "b3b2:ox",
            json!({"from": "b3", "to": "b2", "card": "ox", "pushed": [], "removed": ["b2"]}),
        ),
    ] {
        assert_eq!(drawing(&server, spec, position, mv), expected, "{spec}");
    }
}

#[test]
fn the_number_of_fences_in_hand_is_told() {
    let server = TestServer::start();
    let in_hand = |spec: &str| {
        let reply = get(&server, &format!("/api/v1/tables/{spec}/position"));
        let seats = &reply["board"]["seats"];
        json!([seats[0]["in_hand"], seats[1]["in_hand"]])
    };
    assert_eq!(in_hand("quoridor:3x3:2,1"), json!([2, 1]));
    assert_eq!(in_hand("dodgem:3x3"), json!([null, null]));
}
