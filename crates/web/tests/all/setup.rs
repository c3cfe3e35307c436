//! Positions put together from pictures, as a page sends them.

use serde_json::{Value, json};

use crate::api::{get, post};
use crate::harness::{Response, TestServer};

const OSTLE: &str = "ostle:4x4:4:1";
const QUORIDOR: &str = "quoridor:5x5:2,1";
const ONITAMA: &str = "onitama:3x4:boar,ox,crab,horse,tiger";
const OWN_CARDS: &str = "onitama:3x4:boar,wolf=(0,1)(1,-1),ox,wolf,stone=()";

/// Returns the answer to a picture.
fn set_up(server: &TestServer, spec: &str, body: &Value) -> Response {
    post(server, &format!("/api/v1/tables/{spec}/setup"), body)
}

/// Returns the picture of a position as a page sends it, by the answer of `position` and that of
/// the table.
fn body_of(position: &Value, table: &Value) -> Value {
    let (board, seats) = (&position["board"], &position["board"]["seats"]);
    let list = |list: &Value| list.as_array().expect("a list").clone();
    let names = |cards: &Value| -> Vec<Value> {
        let names = list(cards).into_iter().map(|card| card["name"].clone());
        names.collect()
    };
    let mut marks = list(&board["marks"]);
    marks.retain(|mark| list(&table["setup"]["marks"]).contains(&mark["kind"]));
    let marks = marks.iter();
    let marks = marks.map(|mark| json!({"cell": mark["cell"], "kind": mark["kind"]}));
    let mut players = list(&table["players"]).into_iter();
    let mut body = json!({
        "pieces": board["pieces"],
        "marks": marks.collect::<Vec<_>>(),
        "fences": names(&board["fences"]),
        "cards": [names(&seats[0]["cards"]), names(&seats[1]["cards"])],
        "cards_aside": names(&board["cards_aside"]),
        "player_to_move": players.position(|player| player == position["player"]),
    });
    if table["setup"]["most_in_hand"].is_array() {
        body["in_hand"] = json!([seats[0]["in_hand"], seats[1]["in_hand"]]);
    }
    body
}

/// Returns the picture of the start of a game.
fn start(server: &TestServer, spec: &str) -> Value {
    let path = format!("/api/v1/tables/{spec}");
    let position = get(server, &format!("{path}/position"));
    body_of(&position, &get(server, &path))
}

#[test]
fn the_picture_of_a_position_gives_the_position() {
    let server = TestServer::start();
    for spec in ["tic-tac-toe", "dodgem:3x3", OSTLE, QUORIDOR, ONITAMA, OWN_CARDS] {
        let path = format!("/api/v1/tables/{spec}");
        let table = get(&server, &path);
        for seed in 1..20 {
            let random = get(&server, &format!("{path}/random?seed={seed}"));
            let mut text = random["position"].as_str().expect("a text").to_string();
            if spec == OSTLE {
                // A picture forbids no move.
                let parts = text.rsplit_once(' ').expect("three parts");
                text = format!("{} -", parts.0);
            }
            let text = text.replace(' ', "_");
            let position = get(&server, &format!("{path}/position?p={text}"));
            let response = set_up(&server, spec, &body_of(&position, &table));
            assert_eq!(response.status, 200, "{text}: {}", response.text());
            assert_eq!(response.json(), position);
        }
    }
}

#[test]
fn answers_have_names_of_own_cards() {
    let server = TestServer::start();
    let path = format!("/api/v1/tables/{OWN_CARDS}");
    assert_eq!(get(&server, &path)["game"], OWN_CARDS);
    let position = get(&server, &format!("{path}/position?m=a4a3:wolf"));
    let text = "1Rr/r2/3/bBb boar,ox wolf,stone wolf blue";
    assert_eq!(position["position"], text);
    assert_eq!(position["board"]["cards_aside"][0]["name"], "wolf");
    let text = text.replace(' ', "_").replace("wolf,stone", "stone,(0,1)(1,-1)");
    let probed = get(&server, &format!("{path}/probe?p={text}"));
    let moves = probed["moves"].as_array().expect("moves").iter();
    let mut texts = moves.map(|row| row["move"].as_str().expect("a text"));
    assert!(texts.all(|text| text.ends_with(":wolf")), "{probed}");

    let mut body = start(&server, OWN_CARDS);
    body["cards"][0][0] = json!("fox");
    let detail = set_up(&server, OWN_CARDS, &body).problem(400, "body");
    assert!(detail.contains("which has wolf, ox, wolf, stone, boar"), "{detail}");
}

#[test]
fn what_can_be_put_into_a_picture_is_told() {
    let server = TestServer::start();
    let setup = |spec: &str| get(&server, &format!("/api/v1/tables/{spec}"))["setup"].clone();
    let kind = |player: u8, shape: &str| json!({"player": player, "shape": shape});
    let both = |shape| json!([kind(0, shape), kind(1, shape)]);
    assert_eq!(
        setup("tic-tac-toe"),
        json!({
            "pieces": [kind(0, "cross"), kind(1, "ring")], "marks": [], "most_in_hand": null,
            "has_turn": false,
        })
    );
    assert_eq!(
        setup("dodgem:3x3")["pieces"],
        json!([
            {"player": 0, "shape": "arrow", "step": [1, 0]},
            {"player": 1, "shape": "arrow", "step": [0, 1]},
        ])
    );
    assert_eq!(
        setup(OSTLE),
        json!({
            "pieces": both("block"), "marks": ["hole"], "most_in_hand": null, "has_turn": true,
        })
    );
    assert_eq!(
        setup(QUORIDOR),
        json!({
            "pieces": both("pawn"), "marks": [], "most_in_hand": [2, 1], "has_turn": true,
        })
    );
    assert_eq!(
        setup(ONITAMA)["pieces"],
        json!([kind(0, "leader"), kind(0, "pawn"), kind(1, "leader"), kind(1, "pawn")])
    );
}

#[test]
fn what_is_left_out_is_as_at_the_start() {
    let server = TestServer::start();
    for (spec, position) in [
        (OSTLE, "WWWW/..../.O../BBBB black -"),
        (QUORIDOR, "c1 c5 2,1 - white"),
        (ONITAMA, "rRr/3/3/bBb ox,crab horse,tiger boar red"),
    ] {
        let pieces = start(&server, spec)["pieces"].clone();
        let response = set_up(&server, spec, &json!({"pieces": pieces}));
        assert_eq!(response.json()["position"], position);
    }
}

/// Change that is made to a picture.
type Damage = (&'static str, Value);

/// Returns the answer to the picture of the start with changes at some pointers.
fn damaged(server: &TestServer, spec: &str, damages: &[Damage]) -> Response {
    let mut body = start(server, spec);
    for (pointer, value) in damages {
        *body.pointer_mut(pointer).expect("a place") = value.clone();
    }
    set_up(server, spec, &body)
}

#[test]
fn a_picture_that_is_no_position_says_what_is_wrong_and_where() {
    let server = TestServer::start();
    let block = |cell: &str| json!({"cell": cell, "player": 0, "shape": "block"});
    let cases: [(&str, &[Damage], &str, &str, Value); 13] = [
        (
            "tic-tac-toe",
            &[("/pieces", json!([{"cell": "b2", "player": 1, "shape": "ring"}]))],
            ".../.o./...",
            "X begins",
            Value::Null,
        ),
        (
            OSTLE,
            &[("/marks", json!([]))],
            "WWWW/..../..../BBBB black -",
            "there is one hole O on the board, not 0",
            Value::Null,
        ),
        (
            OSTLE,
            &[("/pieces", json!([block("a1"), block("a2")]))],
            "..../..../BO../B... black -",
            "White has 1 to 4 pieces, not 0",
            Value::Null,
        ),
        (
            QUORIDOR,
            &[("/pieces/0/cell", json!("b5"))],
            "b5 c5 2,1 - white",
            "white cannot be to move",
            json!({"turn": true}),
        ),
        (
            QUORIDOR,
            &[("/pieces/1/player", json!(0))],
            "c1,c5 - 2,1 - white",
            "white has one pawn",
            Value::Null,
        ),
        (
            QUORIDOR,
            &[("/in_hand", json!([3, 0]))],
            "c1 c5 3,0 - white",
            "white has at most 2 fences, not 3",
            json!({"hand": 0}),
        ),
        (
            QUORIDOR,
            &[("/fences", json!(["B3H", "b3v"])), ("/in_hand", json!([0, 1]))],
            "c1 c5 0,1 b3h,b3v white",
            "b3v overlaps or crosses a fence before it",
            json!({"fence": "b3v"}),
        ),
        (
            QUORIDOR,
            &[
                ("/pieces/0/cell", json!("a1")),
                ("/fences", json!(["a1h", "b1v"])),
                ("/in_hand", json!([1, 0])),
            ],
            "a1 c5 1,0 a1h,b1v white",
            "white has no path",
            json!({"cell": "a1"}),
        ),
        (
            QUORIDOR,
            &[("/in_hand", json!([0, 0]))],
            "c1 c5 0,0 - white",
            "0 fences on the board and 0 in hand are not the 3",
            Value::Null,
        ),
        (
            ONITAMA,
            &[("/pieces/0/shape", json!("leader"))],
            "RRr/3/3/bBb ox,crab horse,tiger boar red",
            "a second 'R'",
            json!({"cell": "b4"}),
        ),
        (
            ONITAMA,
            &[("/cards/1", json!(["horse"]))],
            "rRr/3/3/bBb ox,crab horse boar red",
            "Blue's hand has 2 cards, not 1",
            json!({"hand": 1}),
        ),
        (
            ONITAMA,
            &[("/cards_aside", json!([]))],
            "rRr/3/3/bBb ox,crab horse,tiger - red",
            "",
            json!({"aside": true}),
        ),
        (
            ONITAMA,
            &[("/cards/0", json!(["ox", "ox"]))],
            "rRr/3/3/bBb ox,ox horse,tiger boar red",
            "these are not the cards of this game",
            Value::Null,
        ),
    ];
    for (spec, damages, text, detail, place) in cases {
        let response = damaged(&server, spec, damages);
        let found = response.problem(400, "position");
        let problem = response.json();
        assert!(found.contains(detail), "{problem}");
        assert_eq!((&problem["text"], &problem["place"]), (&json!(text), &place));
        assert!(problem["at"].as_u64() < Some(text.len() as u64), "{problem}");
        assert!(problem.get("place").is_some() && problem.get("parameter").is_none());
    }
}

#[test]
fn names_that_are_not_known_are_refused_with_key_and_cell() {
    let server = TestServer::start();
    let cases: [(&str, &[Damage], &str); 14] = [
        (
            "tic-tac-toe",
            &[("/pieces", json!([{"cell": "d1", "player": 0, "shape": "cross"}]))],
            "pieces: \"d1\" is no cell of this board, a1 to c3",
        ),
        (
            "tic-tac-toe",
            &[("/pieces", json!([{"cell": "b2", "player": 1, "shape": "cross"}]))],
            r#"pieces: b2 has a piece that is none of: {"player":0,"shape":"cross"}, {"player":1,"#,
        ),
        ("tic-tac-toe", &[("/fences", json!(["a1h"]))], "fences: this game has none"),
        (
            "tic-tac-toe",
            &[("/marks", json!([{"cell": "b2", "kind": "hole"}]))],
            "marks: this game has none",
        ),
        ("tic-tac-toe", &[("/cards_aside", json!(["ox"]))], "cards_aside: 1 are named"),
        ("tic-tac-toe", &[("/player_to_move", json!(2))], "player_to_move: 0 or 1, not 2"),
        (
            "dodgem:3x3",
            &[("/pieces/0/step", json!([0, 1]))],
            r#"{"player":0,"shape":"arrow","step":[1,0]}, {"player":1"#,
        ),
        (OSTLE, &[("/marks/0/kind", json!("home"))], "marks: \"home\" is none of: hole"),
        (OSTLE, &[("/marks/0/cell", json!("a1"))], "marks: a1 has two things; a cell has one"),
        (QUORIDOR, &[("/pieces/1/cell", json!("c1"))], "pieces: c1 has two things; a cell has one"),
        (QUORIDOR, &[("/fences", json!(["e3h"]))], "fences: \"e3h\" is no fence: a1 to d4"),
        (QUORIDOR, &[("/fences", json!(["a1h", "A1h"]))], "fences: A1h is named twice"),
        (
            ONITAMA,
            &[("/cards/1/0", json!("dragon"))],
            "cards: \"dragon\" is no card of this game, which has ox, crab, horse, tiger, boar",
        ),
        (ONITAMA, &[("/cards/0/0", json!(1))], "cards[0][0]: it should be text, not 1"),
    ];
    for (spec, damages, expected) in cases {
        let detail = damaged(&server, spec, damages).problem(400, "body");
        assert!(detail.contains(expected), "{detail}");
    }
    let unknown = set_up(&server, OSTLE, &json!({"pieces": [], "hole": "b2"}));
    assert!(unknown.problem(400, "body").contains("there is no key 'hole' here"));
    let body = json!({"pieces": [], "in_hand": [1, 1]});
    let unknown = set_up(&server, OSTLE, &body).problem(400, "body");
    assert!(unknown.contains("in_hand: this game has no fences"), "{unknown}");
}

#[test]
fn cards_are_named_in_any_case() {
    let server = TestServer::start();
    let damages = [("/cards/0", json!(["CRAB", "Ox"])), ("/player_to_move", json!(1))];
    let response = damaged(&server, ONITAMA, &damages);
    let expected = "rRr/3/3/bBb ox,crab horse,tiger boar blue";
    assert_eq!(response.json()["position"], expected);
}
