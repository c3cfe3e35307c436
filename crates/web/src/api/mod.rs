//! Requests of the API and their answers.

mod analyse;
mod batch;
mod choose;
mod lists;
mod openapi;
mod played;
mod position;
mod probe;
mod puzzles;
mod random;
mod setup;
mod tables;
mod walk;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use percent_encoding::percent_decode_str;

use crate::Problem;
use crate::state::ApiState;

/// Path below which requests are about a table or a game.
const TABLES: &str = "/api/v1/tables/";

/// Returns the routes of the API.
pub(crate) fn router(state: Arc<ApiState>) -> Router {
    Router::new()
        .route("/problems/{kind}", get(lists::problem_kind))
        .route("/api/v1", get(lists::api))
        .route("/api/v1/games", get(lists::games))
        .route("/api/v1/cards", get(lists::cards))
        .route("/api/v1/tables", get(tables::tables))
        .route("/api/v1/tables/{id}", get(tables::table))
        .route("/api/v1/tables/{id}/stats", get(tables::stats))
        .route("/api/v1/tables/{id}/position", get(position::position))
        .route("/api/v1/tables/{id}/setup", post(setup::set_up))
        .route("/api/v1/tables/{id}/probe", get(probe::probe).post(batch::probe_many))
        .route("/api/v1/tables/{id}/analyse", get(analyse::analyse))
        .route("/api/v1/tables/{id}/line", get(walk::line))
        .route("/api/v1/tables/{id}/walk", get(walk::walk))
        .route("/api/v1/tables/{id}/random", get(random::random))
        .route("/api/v1/tables/{id}/puzzles", get(puzzles::puzzles))
        .route("/api/v1/tables/{id}/choose", post(choose::choose))
        .route("/api/v1/openapi.json", get(openapi::openapi))
        .layer(from_fn_with_state(state.clone(), tell_of_changes))
        .with_state(state)
}

/// Answers a request that has failed because the file of its table is another one by now.
async fn tell_of_changes(
    State(state): State<Arc<ApiState>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().strip_prefix(TABLES);
    let id = path.and_then(|path| path.split('/').next());
    let id = id.map(|id| percent_decode_str(id).decode_utf8_lossy().into_owned());
    let response = next.run(request).await;
    let has_failed = response.status() == StatusCode::INTERNAL_SERVER_ERROR;
    if has_failed && id.is_some_and(|id| state.has_changed(&id)) {
        Problem::changed().into_response()
    } else {
        response
    }
}
