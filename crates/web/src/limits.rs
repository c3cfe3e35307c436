//! Limits of the questions that a server answers.

use serde::Serialize;

pub(crate) const POSITIONS_A_REQUEST: usize = 1000;

/// Limits of the questions that a server answers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ApiLimits {
    /// Most positions of a request.
    pub positions_a_request: usize,
    /// Most bytes of the body of a request.
    pub body_bytes: usize,
    /// Most requests of an address in a second; null for no limit.
    pub requests_a_second: Option<u32>,
    /// Most playouts of an agent for a move.
    pub playouts: u64,
    /// Most seconds of a solve, an analysis, a search for puzzles, or an agent for a move.
    pub seconds: f64,
    /// Bytes of memory for solves, analyses and agents, and for what is kept of them.
    #[serde(skip)]
    pub memory: u64,
}

impl Default for ApiLimits {
    /// Ten seconds, 100,000 playouts, a GiB.
    fn default() -> Self {
        Self {
            positions_a_request: POSITIONS_A_REQUEST,
            body_bytes: 1 << 20,
            requests_a_second: None,
            playouts: 100_000,
            seconds: 10.0,
            memory: 1 << 30,
        }
    }
}
