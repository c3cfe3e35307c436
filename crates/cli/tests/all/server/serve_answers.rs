//! The answers of `serve` are those of the command, with keys that are added.

use hindsight_games::{Method, Options, Values};
use serde_json::{Value, json};

use crate::batch::batch;
use crate::harness::{TestFolder, json as json_of_command};
use crate::server::serve::{Serving, get, post};

/// Positions that are compared in each game.
const POSITIONS: usize = 1000;

/// Keys of a probe that the server adds, and those of its moves.
const ADDED: [&str; 2] = ["game", "player"];
const ADDED_TO_MOVES: [&str; 4] = ["to", "best", "gives", "plies_lost"];

/// Removes keys that must be there.
fn without(mut object: Value, keys: &[&str]) -> Value {
    let map = object.as_object_mut().expect("an object");
    for key in keys {
        assert!(map.remove(*key).is_some(), "{key} is missing in {map:?}");
    }
    object
}

/// Returns a probe of the server without the keys that it adds.
fn as_of_command(probe: Value) -> Value {
    let mut probe = without(probe, &ADDED);
    if let Some(moves) = probe["moves"].as_array_mut() {
        for mv in moves {
            *mv = without(mv.take(), &ADDED_TO_MOVES);
        }
    }
    probe
}

fn json_of_server(address: &str, path: &str) -> Value {
    serde_json::from_str(&get(address, path)).expect("JSON")
}

/// Returns the texts of positions drawn at random.
fn texts(values: &Values) -> Vec<String> {
    let game = values.game();
    let drawn = values.sample(2 * POSITIONS, 11).expect("positions");
    let texts = drawn.iter().map(|position| game.format(position));
    let texts = texts.map(|text| text.expect("a text"));
    texts.take(POSITIONS).collect()
}

/// Compares the answers on positions, of a table or a game by its name in calls and in addresses.
fn compare_probes(address: &str, named: [&str; 2], texts: &[String]) {
    let [in_call, in_address] = named;
    let path = format!("/api/v1/tables/{in_address}/probe");
    let of_command = batch(&[in_call, "--batch", "--moves"], &texts.join("\n"));
    let reply = post(address, &path, &json!({"positions": texts, "moves": true}));
    let mut reply: Value = serde_json::from_str(&reply).expect("JSON");
    let of_server = reply["results"].as_array_mut().expect("results");
    assert_eq!(of_server.len(), of_command.len());
    for (of_server, of_command) in of_server.iter_mut().zip(&of_command) {
        assert_eq!(&as_of_command(of_server.take()), of_command, "{in_call}");
    }
    for text in texts.iter().step_by(texts.len() / 4) {
        let query = text.replace(' ', "_");
        let of_server = json_of_server(address, &format!("{path}?p={query}&canonical=true"));
        let call = ["probe", in_call, text, "--canonical"];
        assert_eq!(as_of_command(of_server), json_of_command(&call), "{in_call} {text}");
    }
}

#[test]
fn probes_of_tables_are_those_of_the_command() {
    let folder = TestFolder::new();
    for spec in ["onitama:3x4:boar", "quoridor:4x4:1", "ostle:4x4:2:1"] {
        let (table, _) = folder.solve(spec, &[]);
        let mut serving = Serving::start(&[&format!("t={table}")]);
        let address = serving.line();
        let values = hindsight_games::open(&table).expect("a table");
        let texts = texts(values.values());
        assert_eq!(texts.len(), POSITIONS, "{spec}");
        compare_probes(&address, [&table, "t"], &texts);
    }
}

#[test]
fn probes_of_solved_games_are_those_of_the_command() {
    let mut serving = Serving::start(&[]);
    let address = serving.line();
    for spec in ["tic-tac-toe", "dodgem:3x3", "onitama:3x4:boar", "quoridor:3x3:2"] {
        let game = hindsight_games::game(spec).expect("a game");
        let solved = game.solve(Method::Auto, &Options::default());
        let texts = texts(solved.expect("values").values());
        assert!(texts.len() > 500, "{spec}: {}", texts.len());
        compare_probes(&address, [spec, spec], &texts);
    }
}

#[test]
fn lines_counts_and_lists_are_those_of_the_command() {
    let folder = TestFolder::new();
    let (table, _) = folder.solve("quoridor:3x3:2", &[]);
    let mut serving = Serving::start(&[&format!("t={table}")]);
    let address = serving.line();
    let values = hindsight_games::open(&table).expect("a table");
    for text in texts(values.values()).iter().step_by(100) {
        let path = format!("/api/v1/tables/t/line?p={}", text.replace(' ', "_"));
        let mut line = without(json_of_server(&address, &path), &["is_cut"]);
        for ply in line["line"].as_array_mut().expect("plies") {
            *ply = without(ply.take(), &["to"]);
        }
        assert_eq!(line, json_of_command(&["line", &table, text]));
    }
    let file = ["file"];
    let stats = without(json_of_server(&address, "/api/v1/tables/t/stats?layer=1"), &file);
    let of_command = json_of_command(&["stats", &table, "--layer", "1"]);
    assert_eq!(stats, without(of_command, &file));
    let about = json_of_server(&address, "/api/v1/tables/t");
    let added = ["id", "values", "scope", "digest", "players", "board", "themes", "setup", "file"];
    assert_eq!(without(about, &added), without(json_of_command(&["info", &table]), &file));
    for list in ["games", "cards"] {
        let of_server = json_of_server(&address, &format!("/api/v1/{list}"));
        assert_eq!(of_server, json_of_command(&[list]));
    }
}

#[test]
fn puzzles_are_those_that_the_command_finds_in_the_sample() {
    let folder = TestFolder::new();
    let (table, _) = folder.solve("onitama:3x4:boar", &[]);
    let mut serving = Serving::start(&[&format!("t={table}")]);
    let path = "/api/v1/tables/t/puzzles?theme=quiet&count=5&sample=3000&seed=4&min_plies=3";
    let of_server = json_of_server(&serving.line(), path);
    let options = "--theme quiet --count 5 --sample 3000 --seed 4 --min-plies 3";
    let options = options.split(' ');
    let call: Vec<&str> = ["puzzles", &table].into_iter().chain(options).collect();
    let of_server = without(of_server, &["is_cut"]);
    assert_eq!(of_server, json_of_command(&call));
    assert_eq!(of_server["puzzles"].as_array().map(Vec::len), Some(5));
}
