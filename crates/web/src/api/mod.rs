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
use axum::routing::{get, post};

use crate::state::ApiState;

/// Returns the routes of the API.
pub(crate) fn router(state: Arc<ApiState>) -> Router {
    let api = Router::new()
        .route("/problems/{kind}", get(lists::problem_kind))
        .route("/api/v1", get(lists::api))
        .route("/api/v1/games", get(lists::games))
        .route("/api/v1/cards", get(lists::cards))
        .route("/api/v1/tables", get(tables::tables))
        .route("/api/v1/tables/{id}", get(tables::table))
        .route("/api/v1/tables/{id}/stats", get(tables::stats))
        .route("/api/v1/tables/{id}/position", get(position::position))
        .route("/api/v1/tables/{id}/setup", post(setup::set_up))
        .route(
            "/api/v1/tables/{id}/probe",
            get(probe::probe).post(batch::probe_many),
        )
        .route("/api/v1/tables/{id}/analyse", get(analyse::analyse))
        .route("/api/v1/tables/{id}/line", get(walk::line))
        .route("/api/v1/tables/{id}/walk", get(walk::walk))
        .route("/api/v1/tables/{id}/random", get(random::random))
        .route("/api/v1/tables/{id}/puzzles", get(puzzles::puzzles))
        .route("/api/v1/tables/{id}/choose", post(choose::choose))
        .with_state(state);
    let described = Arc::new(openapi::Description::new(api.clone()));
    api.route(
        "/api/v1/openapi.json",
        get(openapi::openapi).with_state(described),
    )
}
