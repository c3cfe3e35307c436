//! The description as the types and routes of the API make it.

mod operations;
mod schemas;
mod words;

use std::env::temp_dir;
use std::fs;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::util::ServiceExt;
use utoipa::OpenApi;

use super::DESCRIPTION;
use crate::api::{analyse, batch, choose, lists, position, probe, puzzles, random, router, setup};
use crate::api::{tables, walk};
use crate::caching::JSON;
use crate::{ApiLimits, ApiState, Problem, Server, ServerOptions, Shelf};
use operations::complete_operations;
use schemas::complete_schemas;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Hindsight",
        description = "Positions, values, lines, puzzles and analyses of solved board games.\n\n\
            Values are for the side to move, or for the player who makes a move: `win`, `draw`, \
            `loss`, or null if they are not known. Remoteness is the number of plies to the end. \
            Errors are problem details (RFC 9457).",
        license(name = "MIT OR Apache-2.0"),
    ),
    paths(
        lists::api,
        lists::games,
        lists::cards,
        lists::problem_kind,
        tables::tables,
        tables::table,
        tables::stats,
        position::position,
        setup::set_up,
        probe::probe,
        batch::probe_many,
        analyse::analyse,
        walk::line,
        walk::walk,
        random::random,
        puzzles::puzzles,
        choose::choose,
    ),
    components(schemas(Problem))
)]
struct ApiDescription;

/// Requests whose answers are the examples of the description: path in it, method, address, body.
const EXAMPLES: [(&str, &str, &str, &str); 13] = [
    ("/api/v1/games", "get", "/api/v1/games", ""),
    ("/api/v1/cards", "get", "/api/v1/cards", ""),
    ("/problems/{kind}", "get", "/problems/position", ""),
    ("/api/v1/tables/{id}", "get", "/api/v1/tables/tic-tac-toe", ""),
    ("/api/v1/tables/{id}/stats", "get", "/api/v1/tables/tic-tac-toe/stats", ""),
    (
        "/api/v1/tables/{id}/position",
        "get",
        "/api/v1/tables/tic-tac-toe/position?p=xx./oo./...",
        "",
    ),
    (
        "/api/v1/tables/{id}/setup",
        "post",
        "/api/v1/tables/tic-tac-toe/setup",
        r#"{"pieces":[{"cell":"b2","player":0,"shape":"cross"}]}"#,
    ),
    ("/api/v1/tables/{id}/probe", "get", "/api/v1/tables/tic-tac-toe/probe?p=xx./oo./...", ""),
    (
        "/api/v1/tables/{id}/probe",
        "post",
        "/api/v1/tables/tic-tac-toe/probe",
        r#"{"positions":["xx./oo./...","xx./oo"]}"#,
    ),
    ("/api/v1/tables/{id}/line", "get", "/api/v1/tables/tic-tac-toe/line?p=x../o../...", ""),
    ("/api/v1/tables/{id}/walk", "get", "/api/v1/tables/tic-tac-toe/walk?m=b2,a2", ""),
    (
        "/api/v1/tables/{id}/random",
        "get",
        "/api/v1/tables/tic-tac-toe/random?value=win&remoteness=1&seed=7",
        "",
    ),
    (
        "/api/v1/tables/{id}/choose",
        "post",
        "/api/v1/tables/tic-tac-toe/choose",
        r#"{"position":"xx./oo./...","agent":"perfect"}"#,
    ),
];

#[tokio::test]
async fn the_description_is_that_of_the_types_and_routes() {
    let mut made = serde_json::to_value(ApiDescription::openapi()).expect("a description");
    complete_operations(&mut made);
    complete_schemas(&mut made);
    let options = ServerOptions { port: 0, ..ServerOptions::default() };
    let pools = Server::bind(&options).expect("a free port").pools();
    let state = ApiState::new(Shelf::default(), ApiLimits::default(), pools).expect("threads");
    let api = router(Arc::new(state));
    for (path, method, address, body) in EXAMPLES {
        let operation = &mut made["paths"][path][method];
        let mut example = answer(&api, method, address, body).await;
        if let Some(seconds) = example.get_mut("seconds") {
            *seconds = Value::from(0.0005);
        }
        operation["responses"]["200"]["content"][JSON]["example"] = example;
        if !body.is_empty() {
            let request: Value = serde_json::from_str(body).expect("JSON");
            operation["requestBody"]["content"][JSON]["example"] = request;
        }
    }
    let served: Value = serde_json::from_str(DESCRIPTION).expect("JSON");
    if made != served {
        let path = temp_dir().join("hindsight-openapi.json");
        let text = serde_json::to_string_pretty(&made).expect("JSON") + "\n";
        fs::write(&path, text).expect("a temporary folder");
        let path = path.display();
        panic!("the API has changed: see what with `diff`, then copy {path} to openapi.json");
    }
}

async fn answer(api: &Router, method: &str, address: &str, body: &'static str) -> Value {
    let request = Request::builder()
        .method(method.to_uppercase().as_str())
        .uri(address)
        .header("content-type", JSON)
        .body(Body::from(body));
    let response = api.clone().oneshot(request.expect("a request")).await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK, "{method} {address}");
    let body = response.into_body().collect().await.expect("a body");
    serde_json::from_slice(&body.to_bytes()).expect("JSON")
}
