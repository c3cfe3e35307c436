//! The description of the API, as OpenAPI 3.1.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Request, Uri};
use axum::response::Response;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tower::util::ServiceExt;
use utoipa::OpenApi;

use super::{analyse, batch, choose, lists, position, probe, puzzles, random, tables, walk};
use crate::Problem;
use crate::caching::{Caching, JSON, accepted};
use crate::query::Query;
use crate::question::json_of;

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
const EXAMPLES: [(&str, &str, &str, &str); 12] = [
    ("/api/v1/games", "get", "/api/v1/games", ""),
    ("/api/v1/cards", "get", "/api/v1/cards", ""),
    ("/problems/{kind}", "get", "/problems/position", ""),
    (
        "/api/v1/tables/{id}",
        "get",
        "/api/v1/tables/tic-tac-toe",
        "",
    ),
    (
        "/api/v1/tables/{id}/stats",
        "get",
        "/api/v1/tables/tic-tac-toe/stats",
        "",
    ),
    (
        "/api/v1/tables/{id}/position",
        "get",
        "/api/v1/tables/tic-tac-toe/position?p=xx./oo./...",
        "",
    ),
    (
        "/api/v1/tables/{id}/probe",
        "get",
        "/api/v1/tables/tic-tac-toe/probe?p=xx./oo./...",
        "",
    ),
    (
        "/api/v1/tables/{id}/probe",
        "post",
        "/api/v1/tables/tic-tac-toe/probe",
        r#"{"positions":["xx./oo./...","xx./oo"]}"#,
    ),
    (
        "/api/v1/tables/{id}/line",
        "get",
        "/api/v1/tables/tic-tac-toe/line?p=x../o../...",
        "",
    ),
    (
        "/api/v1/tables/{id}/walk",
        "get",
        "/api/v1/tables/tic-tac-toe/walk?m=b2,a2",
        "",
    ),
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

/// Description of the API, made when it is first asked for: its examples are answers of the server
/// itself.
pub(super) struct Description {
    api: Router,
    json: OnceCell<Bytes>,
}

impl Description {
    /// Returns the description of routes.
    pub(super) fn new(api: Router) -> Self {
        Self {
            api,
            json: OnceCell::new(),
        }
    }

    async fn make(&self) -> Result<Bytes, Problem> {
        let description = ApiDescription::openapi();
        let mut description = serde_json::to_value(description).map_err(|_| Problem::fault())?;
        for (path, method, address, body) in EXAMPLES {
            // An example is left out where only other games are served.
            if let Some(example) = self.example(method, address, body).await {
                let operation = &mut description["paths"][path][method];
                operation["responses"]["200"]["content"][JSON]["example"] = example;
                if !body.is_empty() {
                    let request: Value = serde_json::from_str(body).unwrap_or(json!({}));
                    operation["requestBody"]["content"][JSON]["example"] = request;
                }
            }
        }
        json_of(&description)
    }

    /// Returns the answer to a request, if there is one.
    async fn example(&self, method: &str, address: &str, body: &'static str) -> Option<Value> {
        let request = Request::builder()
            .method(method.to_uppercase().as_str())
            .uri(address)
            .header("content-type", JSON)
            .body(Body::from(body))
            .ok()?;
        let response = self.api.clone().oneshot(request).await.ok()?;
        let body = response.into_body().collect().await.ok()?.to_bytes();
        let value: Value = serde_json::from_slice(&body).ok()?;
        let is_problem = value["type"].as_str().is_some() && value["detail"].as_str().is_some();
        (!is_problem).then_some(value)
    }
}

/// Returns the description of the API.
pub(super) async fn openapi(
    State(description): State<Arc<Description>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    accepted(&headers, &[JSON])?;
    let json = description
        .json
        .get_or_try_init(|| description.make())
        .await?;
    Ok(Caching::Never.reply(JSON, json.clone()))
}
