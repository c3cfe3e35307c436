//! Requests of the API and their answers.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::WorkPool;

/// What the API answers from.
#[derive(Debug)]
pub struct ApiState {
    /// Threads of the work.
    pub pool: WorkPool,
    /// Most requests of a client in a second; `None` for no limit.
    pub requests_a_second: Option<u32>,
}

/// Returns the routes of the API.
pub fn router(state: Arc<ApiState>) -> Router {
    Router::new()
        .route("/api/v1", get(describe))
        .with_state(state)
}

async fn describe(State(state): State<Arc<ApiState>>) -> Json<Value> {
    Json(json!({
        "name": "hindsight",
        "version": env!("CARGO_PKG_VERSION"),
        "api": 1,
        "limits": {
            "positions_a_request": 1000,
            "body_bytes": 1 << 20,
            "requests_a_second": state.requests_a_second,
        },
    }))
}
