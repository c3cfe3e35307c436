//! Requests of the API and their answers.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use hindsight_games::{AnyGame, Tablebase};
use serde_json::{Value, json};

use crate::WorkPool;

/// Sources and limits of the API.
#[derive(Debug)]
pub struct ApiState {
    /// Tables and games.
    pub sources: Vec<NamedSource>,
    /// Threads of the work.
    pub pool: WorkPool,
    /// Limits of requests.
    pub limits: ApiLimits,
}

/// Limits of requests.
#[derive(Clone, Debug)]
pub struct ApiLimits {
    /// Most bytes of the body of a request.
    pub body_bytes: usize,
    /// Most requests of a client in a second; `None` for no limit.
    pub requests_a_second: Option<u32>,
    /// Most time that a request may work.
    pub time: Duration,
    /// Most playouts of an agent's move.
    pub playouts: u64,
}

/// Table or game under its name.
#[derive(Debug)]
pub struct NamedSource {
    /// Name in addresses.
    pub name: String,
    /// Table or game of this name.
    pub source: Source,
}

/// Table or game.
#[derive(Debug)]
pub enum Source {
    /// Values of every position.
    Table(Tablebase),
    /// Game that is solved when it is asked for.
    Game(AnyGame),
}

/// Returns the routes of the API.
pub fn router(state: Arc<ApiState>) -> Router {
    Router::new()
        .route("/api/v1", get(describe))
        .with_state(state)
}

async fn describe(State(state): State<Arc<ApiState>>) -> Json<Value> {
    let names = state.sources.iter().map(|source| source.name.as_str());
    Json(json!({
        "name": "hindsight",
        "version": env!("CARGO_PKG_VERSION"),
        "api": 1,
        "limits": {
            "body_bytes": state.limits.body_bytes,
            "requests_a_second": state.limits.requests_a_second,
            "seconds": state.limits.time.as_secs_f64(),
            "playouts": state.limits.playouts,
        },
        "tables": names.collect::<Vec<_>>(),
    }))
}
