//! Puzzles.

use axum::response::Response;
use hindsight_answers::PuzzlesAnswer;

use crate::question::Question;
use crate::{Problem, ProblemKind};

/// Finds puzzles among positions drawn at random: those with one best move, hardest first.
#[utoipa::path(get, path = "/api/v1/tables/{id}/puzzles", tag = "play",
    responses((status = 200, body = PuzzlesAnswer)))]
pub(super) async fn puzzles(question: Question) -> Result<Response, Problem> {
    let _ = question.query(&[])?;
    Err(Problem::new(ProblemKind::Fault, "not yet"))
}
