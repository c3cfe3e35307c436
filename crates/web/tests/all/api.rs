//! The API's answers: the same as those of the library, for any game.

use hindsight_games::{
    AnyGame, Method, Options, Symmetry, Tablebase, Values, game_with_symmetry, open,
};
use hindsight_web::{ApiLimits, ServerOptions, Shelf};
use serde_json::{Value, json};

use crate::harness::{Response, TestServer};

const TIC_TAC_TOE: &str = "/api/v1/tables/tic-tac-toe";

/// Solves a game and opens its table, whose file is gone from its folder when the test ends.
pub(crate) fn table(spec: &str, folder: &std::path::Path) -> Tablebase {
    let path = folder.join("secret.table");
    let options = Options { table: Some(path.clone()), ..Options::default() };
    let game = game_with_symmetry(spec, Symmetry::None).expect("a game");
    game.solve(Method::Auto, &options).expect("a table");
    open(path).expect("a table")
}

pub(crate) fn get(server: &TestServer, path: &str) -> Value {
    let response = server.get(path);
    assert_eq!(response.status, 200, "{path}: {}", response.text());
    response.json()
}

pub(crate) fn post(server: &TestServer, path: &str, body: &Value) -> Response {
    let body = serde_json::to_vec(body).expect("JSON");
    server.connect().post(path, "application/json", &body)
}

#[test]
fn a_position_is_probed_with_its_moves() {
    let server = TestServer::start();
    let reply = get(&server, &format!("{TIC_TAC_TOE}/probe?p=xx./oo./..."));
    assert_eq!(reply["game"], "tic-tac-toe");
    assert_eq!(reply["position"], "xx./oo./...");
    assert_eq!((&reply["value"], &reply["remoteness"]), (&json!("win"), &json!(1)));
    let best = json!({
        "move": "c3", "value": "win", "remoteness": 1, "to": "xxx/oo./...", "best": true,
        "gives": "nothing", "plies_lost": 0,
    });
    assert_eq!(reply["moves"][0], best);
    let worst = reply["moves"].as_array().expect("moves").last().expect("a move");
    assert_eq!((&worst["gives"], &worst["best"]), (&json!("win"), &json!(false)));
    assert_eq!(worst["plies_lost"], Value::Null);
}

/// Compares the answers on positions drawn at random with the values of the library.
fn compare(server: &TestServer, id: &str, game: &AnyGame, values: &Values) {
    let sample = values.sample(300, 5).expect("positions");
    let texts: Vec<String> = sample.iter().map(|at| game.format(at).expect("a text")).collect();
    let body = json!({"positions": texts, "moves": true});
    let batch = post(server, &format!("/api/v1/tables/{id}/probe"), &body).json();
    let results = batch["results"].as_array().expect("results");
    assert_eq!(results.len(), sample.len());
    for ((at, text), result) in sample.iter().zip(&texts).zip(results) {
        let answer = values.probe(at).expect("a value");
        let word = answer.wdl().map(|wdl| wdl.to_string());
        assert_eq!((&result["position"], &result["value"]), (&json!(text), &json!(word)));
        let rated = values.rated_moves(at).expect("moves");
        let moves = result["moves"].as_array().expect("moves");
        assert_eq!(moves.len(), rated.len());
        for (row, rated) in moves.iter().zip(&rated) {
            assert_eq!(row["move"], game.format_move(at, &rated.mv).expect("a text"));
            assert_eq!(row["to"], game.format(&rated.next).expect("a text"));
            assert_eq!(row["best"], json!(rated.value == answer));
            assert_eq!(row["gives"] == "nothing", rated.value == answer);
        }
    }
    for text in &texts[..20] {
        let path = format!("/api/v1/tables/{id}/probe?p={}", text.replace(' ', "_"));
        let single = get(server, &path);
        let of_batch = results.iter().find(|result| result["position"] == *text);
        assert_eq!(Some(&single), of_batch);
    }
}

#[test]
fn tables_are_answered_as_the_library_does() {
    for spec in ["onitama:3x3:boar", "quoridor:3x3:1", "ostle:4x4:2:1"] {
        let folder = tempfile::tempdir().expect("a folder");
        let table = table(spec, folder.path());
        let (game, values) = (table.game().clone(), table.values().clone());
        let mut shelf = Shelf::default();
        shelf.add_table(String::from("mine"), table).expect("a table");
        let server = TestServer::serving(ServerOptions::default(), shelf, ApiLimits::default());
        compare(&server, "mine", &game, &values);
        let stats = get(&server, "/api/v1/tables/mine/stats");
        assert_eq!(stats["file"], "mine");
        let about = get(&server, "/api/v1/tables/mine");
        assert_eq!((&about["values"], &about["game"]), (&json!("table"), &json!(game.spec())));
        assert_eq!(about["positions"], stats["total"]["positions"]);
        assert_eq!(about["board"]["seats"][0]["name"], game.player_names()[0]);
        let list = get(&server, "/api/v1/tables");
        assert_eq!(list[0]["id"], "mine");
        assert_eq!(list[0]["digest"], about["digest"]);
    }
}

#[test]
fn games_are_solved_when_they_are_asked_for() {
    let server = TestServer::start();
    for spec in ["tic-tac-toe", "quoridor:3x3:2", "dodgem:3x3", "onitama:3x3:boar"] {
        let game = game_with_symmetry(spec, Symmetry::None).expect("a game");
        let solved = game.solve(Method::Auto, &Options::default()).expect("values");
        compare(&server, spec, &game, solved.values());
        let about = get(&server, &format!("/api/v1/tables/{spec}"));
        assert_eq!(about["values"], "solve");
    }
    let listed = get(&server, "/api/v1/tables");
    assert_eq!(listed.as_array().map(Vec::len), Some(4));
}

#[test]
fn names_of_files_never_leave_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut shelf = Shelf::default();
    let table = table("quoridor:3x3:1", folder.path());
    let path = table.path().to_path_buf();
    shelf.add_table(String::from("q"), table).expect("a table");
    // The header is read already; blocks are damaged from now on.
    let honest = path.metadata().expect("a file");
    std::fs::write(&path, vec![0; honest.len() as usize]).expect("written");
    // A disk does not tell when it damages a file.
    let file = std::fs::File::options().write(true).open(&path).expect("the file");
    file.set_modified(honest.modified().expect("a time")).expect("the time");
    let server = TestServer::serving(ServerOptions::default(), shelf, ApiLimits::default());
    for path in ["", "/stats", "/probe", "/line", "/random", "/position", "/walk?m=b1b2"] {
        let response = server.get(&format!("/api/v1/tables/q{path}"));
        assert!(!response.text().contains("secret"), "{}", response.text());
        assert!(!response.text().contains("tmp"), "{}", response.text());
    }
    let detail = server.get("/api/v1/tables/q/probe").problem(500, "fault");
    assert!(detail.contains("hindsight verify"), "{detail}");
}

#[test]
fn faults_of_texts_are_named_with_their_place() {
    let server = TestServer::start();
    let response = server.get(&format!("{TIC_TAC_TOE}/probe?p=xx./oq./..."));
    response.problem(400, "position");
    assert_eq!(response.json()["at"], 5);
    assert_eq!(response.json()["parameter"], "p");
    let response = server.get(&format!("{TIC_TAC_TOE}/walk?m=b2,z9"));
    let detail = response.problem(400, "move");
    assert!(detail.contains("a1"), "{detail}");
    assert_eq!(response.json()["at"], 3);
    server.get("/api/v1/tables/nothing/probe").problem(404, "table");
    server.get("/api/v1/tables/quoridor:1x1:1/probe").problem(400, "spec");
    let deck = "/api/v1/tables/onitama:3x4:boar:deck=%2Fetc%2Fhostname/probe";
    let detail = server.get(deck).problem(400, "spec");
    assert!(!detail.contains("localhost"), "{detail}");
    server.get(&format!("{TIC_TAC_TOE}/probe?q=1")).problem(400, "parameter");
    server.get(&format!("{TIC_TAC_TOE}/line?plies=0")).problem(400, "parameter");
    server.get(&format!("{TIC_TAC_TOE}/stats?layer=0")).problem(400, "parameter");
    server.get(&format!("{TIC_TAC_TOE}/nothing")).problem(404, "path");
    server.get("/api/v1/tables/%ff/probe").problem(404, "table");
}

#[test]
fn a_bad_text_of_a_batch_spoils_its_own_answer_alone() {
    let server = TestServer::start();
    let path = format!("{TIC_TAC_TOE}/probe");
    let body = json!({"positions": [".../.../...", "hello", "xx./oo./..."]});
    let reply = post(&server, &path, &body).json();
    let results = reply["results"].as_array().expect("results");
    assert_eq!(results[0]["value"], "draw");
    assert_eq!(results[1]["error"]["type"], "/problems/position");
    assert_eq!(results[2]["value"], "win");
    assert_eq!(results[2].get("moves"), None);

    let many = json!({"positions": vec!["..."; 1001]});
    post(&server, &path, &many).problem(413, "too-large");
    post(&server, &path, &json!({"positions": [1]})).problem(400, "body");
    post(&server, &path, &json!({"position": "x"})).problem(400, "body");
    let form = "application/x-www-form-urlencoded";
    let response = server.connect().post(&path, form, b"positions=x");
    response.problem(415, "media-type");
}

#[test]
fn a_batch_comes_as_lines_if_they_are_asked_for() {
    let server = TestServer::start();
    let body = r#"{"positions":[".../.../...","?"]}"#;
    let head = format!(
        "POST {TIC_TAC_TOE}/probe HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let response = server.connect().send(head).answer();
    assert_eq!(response.header("content-type"), Some("application/x-ndjson"));
    let lines: Vec<&str> = response.text().lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("\"draw\"") && lines[1].starts_with("{\"error\""), "{lines:?}");
}

#[test]
fn answers_may_be_kept_by_their_digest() {
    let server = TestServer::start();
    let digest = get(&server, TIC_TAC_TOE)["digest"].as_str().map(String::from);
    let digest = digest.expect("a digest");
    let path = format!("{TIC_TAC_TOE}/probe");
    let first = server.get(&path);
    assert_eq!(first.header("cache-control"), Some("public, max-age=86400"));
    let tag = first.header("etag").expect("a tag").to_string();
    assert!(tag.contains(&digest), "{tag}");
    let known = format!("If-None-Match: {tag}\r\n");
    let second = server.connect().request("GET", &path, &known);
    assert_eq!(second.status, 304);
    assert_eq!(second.header("etag"), Some(tag.as_str()));
    let versioned = server.get(&format!("{path}?v={digest}"));
    let control = versioned.header("cache-control");
    assert_eq!(control, Some("public, max-age=31536000, immutable"));
    let vary = versioned.header("vary").unwrap_or_default().to_lowercase();
    assert!(vary.contains("accept"), "{vary}");
    let random = server.get(&format!("{TIC_TAC_TOE}/random"));
    assert_eq!(random.header("cache-control"), Some("no-store"));
    let response = server.connect().request("GET", &path, "Accept: text/html\r\n");
    response.problem(406, "accept");
}

/// Values that cannot be told apart by their numbers.
#[test]
fn tables_of_other_cards_have_other_digests() {
    let digests = ["aaa", "bbb"].map(|card| {
        let folder = tempfile::tempdir().expect("a folder");
        let table = table(&format!("onitama:3x3:{card}=(0,1)"), folder.path());
        let mut shelf = Shelf::default();
        shelf.add_table(String::from("o"), table).expect("a table");
        let server = TestServer::serving(ServerOptions::default(), shelf, ApiLimits::default());
        get(&server, "/api/v1/tables/o")["digest"].clone()
    });
    let common = |digest: &Value| {
        let text = digest.as_str().expect("a digest");
        text.rsplit_once('-').expect("parts").0.to_string()
    };
    assert_eq!(common(&digests[0]), common(&digests[1]));
    assert_ne!(digests[0], digests[1]);
}

#[test]
fn a_plus_and_an_underscore_are_spaces() {
    let server = TestServer::start();
    let start = get(&server, "/api/v1/tables/quoridor:3x3:1/position");
    let text = start["position"].as_str().expect("a text");
    for space in ["_", "%20", "+"] {
        let p = text.replace(' ', space);
        let path = format!("/api/v1/tables/quoridor:3x3:1/position?p={p}");
        assert_eq!(get(&server, &path), start, "{space}");
    }
}

#[test]
fn a_line_comes_at_once_and_as_far_as_it_is_asked_for() {
    let server = TestServer::start();
    let path = "/api/v1/tables/quoridor:3x3:1/line";
    let whole = get(&server, path);
    let plies = whole["line"].as_array().expect("plies");
    assert_eq!((plies.len(), &whole["is_cut"]), (8, &json!(false)));
    for pair in plies.windows(2) {
        assert_eq!(pair[0]["to"], pair[1]["position"]);
    }
    assert_eq!(plies[7]["to"], whole["end"]);
    let cut = get(&server, &format!("{path}?plies=3"));
    assert_eq!((cut["line"].as_array().map(Vec::len), &cut["is_cut"]), (Some(3), &json!(true)));
    assert_eq!(cut["end"], plies[3]["position"]);
    assert_eq!(cut["line"][2], plies[2]);
}

#[test]
fn a_position_after_moves_has_all_positions_on_the_way() {
    let server = TestServer::start();
    let reply = get(&server, &format!("{TIC_TAC_TOE}/position?m=b2,a2"));
    let positions = json!([".../.../...", ".../.x./...", ".../ox./..."]);
    assert_eq!(reply["positions"], positions);
    assert_eq!(reply["position"], ".../ox./...");
    assert_eq!(reply["player"], "X");
    assert_eq!(reply["played"], json!(["b2", "a2"]));
    let text = "%5BFEN%20%22.../.x./...%22%5D%201...%20A2%20%7Bwell%7D%20*";
    let written = get(&server, &format!("{TIC_TAC_TOE}/position?m={text}"));
    assert_eq!((&written["played"], &written["positions"][0]), (&json!(["a2"]), &positions[1]));
    let walk = get(&server, &format!("{TIC_TAC_TOE}/walk?m={text}"));
    assert_eq!(walk["start"], positions[1]);
    let other = server.get(&format!("{TIC_TAC_TOE}/position?m=%5BGame%20%22ostle%22%5D"));
    assert!(other.problem(400, "parameter").contains("a game of ostle"));
    let start = get(&server, &format!("{TIC_TAC_TOE}/position"));
    assert_eq!(start["positions"], Value::Null);
    let response = server.get(&format!("{TIC_TAC_TOE}/position?m=b2,z9"));
    response.problem(400, "move");
    assert_eq!(response.json()["parameter"], "m");
    assert_eq!(response.json()["at"], 3);
    // A fault is told at its place in the whole text.
    for (text, fault) in [
        ("[Event \"x\"]b2,z9", "z9"),
        ("{z9}\n1. b2 {z9} z9", " z9"),
        ("[Event \"chess\"]\n[Game \"chess\"] b2", "chess\"] b2"),
        ("[Event \"ostle\"] [Game \"ostle\"] b2", "ostle\"] b2"),
        ("\u{feff}[White \"q\"] [FEN \".../.q./...\"] b2", "q./...\"] b2"),
        ("[White \"startpos\"] position startpos moves b2", "startpos moves b2"),
    ] {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let response = server.get(&format!("{TIC_TAC_TOE}/position?m={encoded}"));
        let at = text.rfind(fault).expect("the fault") + usize::from(fault.starts_with(' '));
        assert_eq!(response.json()["at"], at, "{text}: {}", response.json());
    }
}

#[test]
fn a_walk_tells_what_each_move_gave_away() {
    let server = TestServer::start();
    let walk = get(&server, &format!("{TIC_TAC_TOE}/walk?m=b2,a2,a1"));
    let plies = walk["plies"].as_array().expect("plies");
    let gives: Vec<_> = plies.iter().map(|ply| ply["gives"].as_str()).collect();
    assert_eq!(gives, [Some("nothing"), Some("draw"), Some("nothing")]);
    assert_eq!(plies[1]["before"]["value"], "draw");
    assert_eq!((&plies[1]["value"], &plies[1]["best"]), (&json!("loss"), &json!(false)));
    assert_eq!(walk["players"][1]["gave_away"], 1);
    assert_eq!(walk["source"], "values");
    assert_eq!(plies[2]["to"], walk["end"]);
    assert_eq!(get(&server, &format!("{TIC_TAC_TOE}/walk"))["plies"], json!([]));
}

#[test]
fn positions_are_drawn_by_value() {
    let server = TestServer::start();
    let path = format!("{TIC_TAC_TOE}/random?value=loss&remoteness=2&seed=9");
    let drawn = get(&server, &path);
    assert_eq!((&drawn["value"], &drawn["remoteness"]), (&json!("loss"), &json!(2)));
    assert_eq!(get(&server, &path), drawn);
    let none = server.get(&format!("{TIC_TAC_TOE}/random?value=win&remoteness=99"));
    none.problem(404, "no-position");
    let unsolved = get(&server, "/api/v1/tables/quoridor:9x9:10/random?seed=3");
    assert_eq!((&unsolved["value"], &unsolved["moves"][0]["best"]), (&Value::Null, &Value::Null));
    server.get("/api/v1/tables/quoridor:9x9:10/random?value=win").problem(409, "no-values");
}

#[test]
fn agents_choose_within_limits() {
    let server = TestServer::start();
    let path = format!("{TIC_TAC_TOE}/choose");
    let ask = |agent: &str| {
        post(&server, &path, &json!({"position": "xx./oo./...", "agent": agent, "seed": 4}))
    };
    assert_eq!(ask("perfect").json()["move"], "c3");
    assert_eq!(ask("alphabeta:depth=40").json()["to"], "xxx/oo./...");
    let detail = ask("mcts:playouts=1000000000").problem(400, "agent");
    assert!(detail.contains("100000"), "{detail}");
    ask("nobody").problem(400, "agent");
    let over = json!({"position": "xxx/oo./...", "agent": "random"});
    post(&server, &path, &over).problem(409, "no-move");
    let large = json!({"agent": "perfect"});
    post(&server, "/api/v1/tables/quoridor:9x9:10/choose", &large).problem(409, "no-values");
    let mcts = json!({"agent": "mcts:playouts=200"});
    let reply = post(&server, "/api/v1/tables/quoridor:9x9:10/choose", &mcts).json();
    assert_eq!(reply["work"], 200);
}

#[test]
fn an_analysis_is_a_stream_that_ends_with_the_client() {
    let server = TestServer::start();
    let known = server.get(&format!("{TIC_TAC_TOE}/analyse"));
    assert_eq!(known.header("content-type"), Some("text/event-stream"));
    let text = known.text();
    assert!(text.contains("\"draw\"") && text.ends_with("\nevent: done\n\n"), "{text}");
    let events = server.get("/api/v1/tables/quoridor:9x9:10/analyse?seconds=1");
    let text = events.text();
    assert!(text.ends_with("\nevent: done\n\n"), "{text}");
    assert!(text.matches("data: {").count() > 1, "{text}");
    let every_move = |word: &str| {
        server.get(&format!("/api/v1/tables/dobutsu/analyse?seconds=0.2&every_move={word}"))
    };
    assert!(every_move("true").text().ends_with("\nevent: done\n\n"));
    every_move("all").problem(400, "parameter");

    let mut client = server.connect();
    let path = "/api/v1/tables/quoridor:9x9:10/analyse?seconds=9";
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    client.send(head).head().expect("an answer");
    wait_until("the analysis begins", || server.long.running() == 1);
    drop(client);
    wait_until("the analysis ends", || server.long.running() == 0);
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = std::time::Instant::now();
    while !holds() {
        assert!(began.elapsed().as_secs() < 5, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn small_games_do_not_wait_for_long_work() {
    let server = TestServer::with(ServerOptions {
        long_work: 1,
        waiting_long_work: 1,
        ..ServerOptions::default()
    });
    let path = "/api/v1/tables/quoridor:9x9:10/analyse?seconds=9";
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let mut clients = [server.connect(), server.connect()];
    for client in &mut clients {
        // The head of the answer comes even while the analysis waits.
        assert_eq!(client.send(&head).head().expect("an answer").status, 200);
    }
    wait_until("one analysis waits", || server.long.waiting() == 1);
    let refused = server.get(path);
    refused.problem(503, "busy");
    let seconds = refused.header("retry-after").and_then(|text| text.parse::<u32>().ok());
    assert_eq!(seconds, Some(10));
    assert_eq!(get(&server, "/api/v1/tables/quoridor:3x3:1/probe")["value"], "loss");
}

#[test]
fn tags_differ_from_game_to_game() {
    let server = TestServer::start();
    let tag = |spec: &str| {
        let response = server.get(&format!("/api/v1/tables/{spec}/position"));
        response.header("etag").map(String::from).expect("a tag")
    };
    let tags = ["tic-tac-toe", "dodgem:3x3", "onitama:3x3:boar,ox,boar,ox,boar"].map(tag);
    assert!(tags[0] != tags[1] && tags[1] != tags[2] && !tags[2].contains(','), "{tags:?}");
    let path = "/api/v1/tables/onitama:3x3:boar,ox,boar,ox,boar/position";
    let known = format!("If-None-Match: {}\r\n", tags[2]);
    assert_eq!(server.connect().request("GET", path, &known).status, 304);
}

#[test]
fn what_is_not_named_is_not_served_by_a_closed_server() {
    let mut shelf = Shelf::default();
    shelf.add_game("Quoridor:3x3:1").expect("a game");
    shelf.close();
    let server = TestServer::serving(ServerOptions::default(), shelf, ApiLimits::default());
    assert_eq!(get(&server, "/api/v1")["tables"], json!(["quoridor:3x3:1"]));
    assert_eq!(get(&server, "/api/v1/tables/quoridor:3x3:1/probe")["value"], "loss");
    server.get("/api/v1/tables/tic-tac-toe/probe").problem(404, "table");
    server.get("/api/v1/openapi.json");
}

#[test]
fn the_description_has_every_address_and_answers_as_examples() {
    let server = TestServer::start();
    let description = get(&server, "/api/v1/openapi.json");
    assert!(description["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    let source = include_str!("../../src/api/mod.rs");
    let routes = source.split(".route(").skip(1).map(|rest| rest.split('"').nth(1));
    let described = routes.flatten().filter(|route| *route != "/api/v1/openapi.json");
    for route in described {
        assert!(description["paths"].get(route).is_some(), "{route} is not described");
    }
    let probe = &description["paths"]["/api/v1/tables/{id}/probe"];
    let json =
        |operation: &str| &probe[operation]["responses"]["200"]["content"]["application/json"];
    assert_eq!(json("get")["example"]["moves"][0]["move"], "c3");
    assert_eq!(json("post")["example"]["results"][0]["value"], "win");
}

#[test]
fn puzzles_come_from_a_sample() {
    let server = TestServer::start();
    let path = "/api/v1/tables/onitama:3x3:boar/puzzles";
    let found = get(&server, &format!("{path}?count=3&min_plies=5&seed=2"));
    let puzzles = found["puzzles"].as_array().expect("puzzles");
    assert_eq!(puzzles.len(), 3);
    assert_eq!((&found["unique"], &found["scanned"]["seed"]), (&json!("line"), &json!(2)));
    for puzzle in puzzles {
        let text = puzzle["position"].as_str().expect("a text").replace(' ', "_");
        let probe = get(&server, &format!("/api/v1/tables/onitama:3x3:boar/probe?p={text}"));
        assert_eq!(probe["remoteness"], puzzle["remoteness"]);
        assert_eq!(probe["moves"][0]["move"], puzzle["line"][0]["move"]);
        assert!(puzzle["remoteness"].as_u64() >= Some(5));
    }
    server.get(&format!("{path}?min_plies=9&max_plies=3")).problem(400, "parameter");
    server.get(&format!("{path}?theme=fork")).problem(400, "parameter");
    server.get(&format!("{TIC_TAC_TOE}/puzzles?theme=quiet")).problem(400, "parameter");
    let themes = &get(&server, TIC_TAC_TOE)["themes"];
    assert_eq!(themes, &json!(["only", "swindle"]));
}
