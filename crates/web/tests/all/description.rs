//! The description of the API: real answers fit it.

use serde_json::{Value, json};

use crate::api::{get, post};
use crate::described::{Described, TABLE, described_path, operations};
use crate::harness::TestServer;

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";

#[test]
fn real_answers_fit_the_description() {
    let described = Described::start();
    for (address, status) in [
        ("/api/v1", 200),
        ("/api/v1/games", 200),
        ("/api/v1/cards", 200),
        ("/api/v1/tables/tic-tac-toe", 200),
        ("/api/v1/tables/o", 200),
        ("/api/v1/tables/quoridor:9x9:10", 200),
        ("/api/v1/tables", 200),
        ("/api/v1/tables?q=1", 400),
        ("/api/v1?q=1", 400),
        ("/problems/table", 200),
        ("/problems/table?q=1", 400),
        ("/problems/nothing", 404),
        ("/api/v1/tables/nothing", 404),
        ("/api/v1/tables/o/stats", 200),
        ("/api/v1/tables/o/stats?layer=0", 200),
        ("/api/v1/tables/tic-tac-toe/stats", 200),
        ("/api/v1/tables/quoridor:9x9:10/stats", 409),
        ("/api/v1/tables/o/position", 200),
        ("/api/v1/tables/onitama:3x4:boar/position", 200),
        ("/api/v1/tables/quoridor:9x9:10/position", 200),
        ("/api/v1/tables/tic-tac-toe/position?p=xxx/oo./...", 200),
        ("/api/v1/tables/tic-tac-toe/position?p=q", 400),
        ("/api/v1/tables/o/probe?canonical=true", 200),
        ("/api/v1/tables/quoridor:9x9:10/probe", 200),
        ("/api/v1/tables/o/line", 200),
        ("/api/v1/tables/tic-tac-toe/line?plies=2", 200),
        ("/api/v1/tables/quoridor:9x9:10/line", 409),
        ("/api/v1/tables/tic-tac-toe/walk?m=b2,a2,a1", 200),
        ("/api/v1/tables/quoridor:9x9:10/walk?m=e2,e8", 200),
        ("/api/v1/tables/o/random?seed=18446744073709551615", 200),
        ("/api/v1/tables/quoridor:9x9:10/random", 200),
        ("/api/v1/tables/tic-tac-toe/random?remoteness=99", 404),
        ("/api/v1/tables/o/puzzles?count=3", 200),
        ("/api/v1/tables/tic-tac-toe/puzzles?theme=only", 200),
    ] {
        let response = described.server.get(address);
        assert_eq!(response.status, status, "{address}: {}", response.text());
        let operation = described.operation(&described_path(address), "get");
        described.check_response(operation, &response);
    }
    let stats = get(&described.server, "/api/v1/tables/o/stats");
    let total = &stats["total"];
    for key in ["state_histogram", "all_state_histogram"] {
        assert!(total[key].is_array(), "a table with states has {key}");
    }
    assert!(total["states"].as_u64() < total["all_states"].as_u64());
}

#[test]
fn answers_to_bodies_fit_the_description() {
    let described = Described::start();
    let [probe, choose, setup] = ["probe", "choose", "setup"].map(|end| format!("{TABLE}/{end}"));
    let middle = json!({"cell": "b2", "player": 1, "shape": "ring"});
    for (path, body, status) in [
        (&probe, json!({"positions": [".../.../...", "?"]}), 200),
        (&probe, json!({"positions": ["xx./oo./..."], "moves": true, "canonical": true}), 200),
        (&probe, json!({"positions": vec!["?"; 1001]}), 413),
        (&probe, json!({}), 400),
        (&choose, json!({"agent": "perfect"}), 200),
        (&choose, json!({"position": "xxx/oo./..."}), 409),
        (&setup, json!({"pieces": []}), 200),
        (&setup, json!({"pieces": [middle]}), 400),
        (&setup, json!({"pieces": [1]}), 400),
    ] {
        let address = path.replace("{id}", "tic-tac-toe");
        let response = post(&described.server, &address, &body);
        assert_eq!(response.status, status, "{}", response.text());
        described.check_response(described.operation(path, "post"), &response);
    }
    let address = probe.replace("{id}", "tic-tac-toe");
    let response = described.server.connect().post(&address, "text/plain", b"{}");
    described.check_response(described.operation(&probe, "post"), &response);
}

#[test]
fn lines_and_events_fit_the_description() {
    let described = Described::start();
    let body = r#"{"positions":[".../.../...","?"]}"#;
    let head = format!(
        "POST /api/v1/tables/tic-tac-toe/probe HTTP/1.1\r\nHost: localhost\r\n\
         Accept: application/x-ndjson\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let lines = described.server.connect().send(head).answer();
    let probe = described.operation("/api/v1/tables/{id}/probe", "post");
    for line in lines.text().lines() {
        let line = serde_json::from_str(line).expect("JSON");
        described.check(probe, 200, "application/x-ndjson", &line);
    }
    let analyse = described.operation("/api/v1/tables/{id}/analyse", "get");
    for game in ["o", "quoridor:9x9:10"] {
        let events = described.server.get(&format!("/api/v1/tables/{game}/analyse?seconds=0.5"));
        let data = events.text().lines().filter_map(|line| line.strip_prefix("data: "));
        for event in data {
            let event = serde_json::from_str(event).expect("JSON");
            described.check(analyse, 200, "text/event-stream", &event);
        }
    }
}

#[test]
fn examples_fit_the_description_and_wrong_ones_do_not() {
    let described = Described::start();
    let mut examples = 0;
    for (path, _, operation) in operations(&described.schemas.0) {
        let content = &operation["responses"]["200"]["content"][JSON];
        let Some(example) = content.get("example") else {
            continue;
        };
        examples += 1;
        described.check(operation, 200, JSON, example);
        let schema = &content["schema"];
        for wrong in [json!(1), json!("text"), Value::Null, json!({"key": 1})] {
            assert!(described.schemas.check(schema, &wrong).is_err(), "{path} {wrong}");
        }
    }
    assert_eq!(examples, 13);
    let probe = &described.operation("/api/v1/tables/{id}/probe", "get")["responses"]["200"];
    let (schema, good) = (&probe["content"][JSON]["schema"], &probe["content"][JSON]["example"]);
    let with = |place: &str, value: Value| {
        let mut wrong = good.clone();
        *wrong.pointer_mut(place).expect("a place") = value;
        wrong
    };
    let mut without = good.clone();
    without.as_object_mut().expect("an object").remove("remoteness");
    for wrong in [
        with("/value", json!("won")),
        with("/remoteness", json!(-1)),
        with("/moves/0/gives", json!("piece")),
        with("/moves/0/best", json!("true")),
        with("/moves/0", json!({})),
        without,
    ] {
        assert!(described.schemas.check(schema, &wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_operation_has_its_parameters_and_errors() {
    let described = Described::start();
    for (path, method, operation) in operations(&described.schemas.0) {
        let place = format!("{method} {path}");
        let parameters = operation["parameters"].as_array();
        let names = parameters.into_iter().flatten().map(|parameter| &parameter["name"]);
        let names: Vec<&str> = names.filter_map(Value::as_str).collect();
        let of_table = path.starts_with(TABLE);
        assert_eq!(names.contains(&"id"), of_table, "{place}");
        assert_eq!(names.contains(&"v"), of_table && method == "get", "{place}");
        let of_text = parameters.into_iter().flatten();
        assert!(of_text.clone().all(|parameter| parameter["description"].is_string()), "{place}");
        for (status, response) in operation["responses"].as_object().expect("answers") {
            let content = &described.schemas.resolved(response)["content"];
            let is_problem = content.get(PROBLEM).is_some();
            assert_eq!(is_problem, status.as_str() >= "400", "{place} {status}");
        }
        let can = |status: &str| operation["responses"].get(status).is_some();
        assert!(["400", "406", "421", "429", "431", "500", "503"].into_iter().all(can), "{place}");
        assert_eq!(can("415"), method == "post", "{place}");
        assert_eq!(can("404"), path.contains('{'), "{place}");
    }
    let can = |path: &str, status: &str| {
        let operation = described.operation(&format!("{TABLE}{path}"), "get");
        operation["responses"].get(status).is_some()
    };
    assert!(can("/line", "304") && can("/line", "409"));
    assert!(!can("/analyse", "304") && !can("/position", "409"));
}

/// Asserts that no value is null but those of examples and of lists of words.
fn assert_no_null(place: &str, value: &Value) {
    assert!(!value.is_null(), "{place} is null");
    if let Some(list) = value.as_array() {
        list.iter().for_each(|item| assert_no_null(place, item));
    }
    for (key, value) in value.as_object().into_iter().flatten() {
        if !["example", "enum"].contains(&key.as_str()) {
            assert_no_null(&format!("{place}/{key}"), value);
        }
    }
}

#[test]
fn nothing_is_null_and_every_operation_has_what_openapi_demands() {
    let described = Described::start();
    let description = &described.schemas.0;
    assert_no_null("", description);
    assert!(description["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    assert!(description["info"]["title"].is_string() && description["info"]["version"].is_string());
    let mut ids = std::collections::BTreeSet::new();
    for (path, method, operation) in operations(description) {
        let place = format!("{method} {path}");
        assert!(["get", "post"].contains(&method.as_str()), "{place}");
        assert!(ids.insert(operation["operationId"].as_str().expect("an id")), "{place}");
        let mut in_path = Vec::new();
        let parameters = operation.get("parameters").map(|list| list.as_array().expect("a list"));
        for parameter in parameters.into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            assert!(parameter["schema"].is_object(), "{place} {name}");
            match parameter["in"].as_str() {
                Some("path") => in_path.push(name),
                kind => assert_eq!(kind, Some("query"), "{place} {name}"),
            }
        }
        let parts = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        assert_eq!(in_path, parts.collect::<Vec<_>>(), "{place}");
        for (status, response) in operation["responses"].as_object().expect("answers") {
            let response = described.schemas.resolved(response);
            assert!(response["description"].is_string(), "{place} {status}");
        }
    }
}

#[test]
fn parameters_and_bodies_have_bounds_and_words() {
    let described = Described::start();
    let schema = |path: &str, name: &str| -> Value {
        let operation = described.operation(&format!("{TABLE}{path}"), "get");
        let parameters = operation["parameters"].as_array().expect("parameters");
        let found = parameters.iter().find(|parameter| parameter["name"] == name);
        found.expect("a parameter")["schema"].clone()
    };
    assert_eq!(
        schema("/puzzles", "count"),
        json!({"type": "integer", "minimum": 1, "maximum": 100})
    );
    assert_eq!(schema("/line", "plies")["maximum"], 10_000);
    assert_eq!(schema("/random", "seed"), json!({"type": "integer", "minimum": 0}));
    assert_eq!(schema("/random", "value")["enum"], json!(["win", "draw", "loss"]));
    assert_eq!(schema("/puzzles", "unique")["enum"], json!(["line", "first", "win"]));
    let schemas = &described.schemas.0["components"]["schemas"];
    let positions = &schemas["BatchRequest"]["properties"]["positions"];
    assert_eq!(positions["maxItems"], 1000);
    let seed = &schemas["ChooseRequest"]["properties"]["seed"];
    assert_eq!((seed.get("format"), &seed["minimum"]), (None, &json!(0)));
    assert_eq!(schemas["ChooseRequest"].get("required"), None);
}

#[test]
fn addresses_without_parameters_refuse_other_forms() {
    let server = TestServer::start();
    for address in ["/api/v1", "/api/v1/tables", "/problems/table"] {
        let mut client = server.connect();
        let response = client.request("GET", address, "Accept: text/html\r\n");
        response.problem(406, "accept");
    }
}
