//! The description of the API, as OpenAPI 3.1.

mod operations;
mod schemas;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Request, StatusCode, Uri};
use axum::response::Response;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tower::util::ServiceExt;
use utoipa::OpenApi;

use super::{analyse, batch, choose, lists, position, probe, puzzles, random, setup};
use super::{tables, walk};
use crate::Problem;
use crate::caching::{Caching, JSON, accepted};
use crate::query::Query;
use crate::question::json_of;
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
        "/api/v1/tables/{id}/setup",
        "post",
        "/api/v1/tables/tic-tac-toe/setup",
        r#"{"pieces":[{"cell":"b2","player":0,"shape":"cross"}]}"#,
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

/// Reason why a description is not kept.
enum Unkept {
    /// The description cannot be made.
    Fault(Problem),
    /// The description lacks an example which the server may give another time.
    Lacking(Bytes),
}

impl Description {
    /// Returns the description of routes.
    pub(super) fn new(api: Router) -> Self {
        Self {
            api,
            json: OnceCell::new(),
        }
    }

    async fn make(&self) -> Result<Bytes, Unkept> {
        let description = serde_json::to_value(ApiDescription::openapi());
        let mut description = description.map_err(|_| Unkept::Fault(Problem::fault()))?;
        complete_operations(&mut description);
        complete_schemas(&mut description);
        let mut is_lacking = false;
        for (path, method, address, body) in EXAMPLES {
            let operation = &mut description["paths"][path][method];
            match self.example(method, address, body).await {
                Ok(example) => add_example(operation, example, body),
                // The server is busy or has failed. Where only other games are served, the example
                // is left out for ever.
                Err(status) => is_lacking |= status.is_server_error(),
            }
        }
        let json = json_of(&description).map_err(Unkept::Fault)?;
        match is_lacking {
            true => Err(Unkept::Lacking(json)),
            false => Ok(json),
        }
    }

    /// Returns the answer to a request, or its status if it is an error.
    async fn example(
        &self,
        method: &str,
        address: &str,
        body: &'static str,
    ) -> Result<Value, StatusCode> {
        let request = Request::builder()
            .method(method.to_uppercase().as_str())
            .uri(address)
            .header("content-type", JSON)
            .body(Body::from(body));
        let failed = StatusCode::INTERNAL_SERVER_ERROR;
        let request = request.map_err(|_| failed)?;
        let response = self.api.clone().oneshot(request).await;
        let response = response.map_err(|_| failed)?;
        if response.status() != StatusCode::OK {
            return Err(response.status());
        }
        let body = response.into_body().collect().await.map_err(|_| failed)?;
        serde_json::from_slice(&body.to_bytes()).map_err(|_| failed)
    }
}

/// Adds the answer to a request, and its body if it has one.
fn add_example(operation: &mut Value, example: Value, body: &str) {
    operation["responses"]["200"]["content"][JSON]["example"] = example;
    if !body.is_empty() {
        let request: Value = serde_json::from_str(body).unwrap_or(json!({}));
        operation["requestBody"]["content"][JSON]["example"] = request;
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
    let made = description.json.get_or_try_init(|| description.make());
    match made.await {
        Ok(json) => Ok(Caching::Never.reply(JSON, json.clone())),
        Err(Unkept::Lacking(json)) => Ok(Caching::Never.reply(JSON, json)),
        Err(Unkept::Fault(problem)) => Err(problem),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use axum::response::IntoResponse;

    use super::*;
    use crate::ProblemKind;

    /// Returns the example of the games in a description of routes that all answer alike.
    async fn ask(description: &Arc<Description>) -> Value {
        let uri = Uri::from_static("/api/v1/openapi.json");
        let answer = openapi(State(description.clone()), uri, HeaderMap::new()).await;
        let body = answer.expect("a description").into_body();
        let body = body.collect().await.expect("a body").to_bytes();
        let json: Value = serde_json::from_slice(&body).expect("JSON");
        let games = &json["paths"]["/api/v1/games"]["get"]["responses"]["200"];
        games["content"][JSON]["example"].clone()
    }

    #[tokio::test]
    async fn a_description_without_its_examples_is_not_kept_if_the_server_was_busy() {
        let is_busy = Arc::new(AtomicBool::new(true));
        let busy = is_busy.clone();
        let answer = async move || match busy.load(Ordering::SeqCst) {
            true => Problem::new(ProblemKind::Busy, "wait").into_response(),
            false => "[1]".into_response(),
        };
        let description = Arc::new(Description::new(Router::new().fallback(answer)));
        assert_eq!(ask(&description).await, Value::Null);
        is_busy.store(false, Ordering::SeqCst);
        assert_eq!(ask(&description).await, json!([1]));
        is_busy.store(true, Ordering::SeqCst);
        assert_eq!(ask(&description).await, json!([1]));
    }

    #[tokio::test]
    async fn examples_of_games_that_are_not_served_are_asked_for_once() {
        let requests = Arc::new(AtomicUsize::new(0));
        let asked = requests.clone();
        let answer = async move || {
            asked.fetch_add(1, Ordering::SeqCst);
            Problem::new(ProblemKind::Table, "there is none")
        };
        let description = Arc::new(Description::new(Router::new().fallback(answer)));
        for _ in 0..2 {
            assert_eq!(ask(&description).await, Value::Null);
            assert_eq!(requests.load(Ordering::SeqCst), EXAMPLES.len());
        }
    }
}
