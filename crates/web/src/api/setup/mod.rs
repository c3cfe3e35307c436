//! Positions put together from pictures.

mod picture;

use axum::body::Bytes;
use axum::response::Response;
use serde::Deserialize;

use super::position::PositionReply;
use crate::Problem;
use crate::caching::{Caching, JSON, accepted};
use crate::faults::problem_of;
use crate::json_body::read_json;
use crate::question::{Question, json_of};

/// Picture of a position. What is left out is as at the start of the game, without fences.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct SetupRequest {
    /// Pieces on the board.
    pieces: Vec<PieceRequest>,
    /// Special cells that can be moved.
    marks: Option<Vec<MarkRequest>>,
    /// Names of the fences on the board, such as `e3h`.
    fences: Option<Vec<String>>,
    /// Names of the cards of players 0 and 1.
    cards: Option<[Vec<String>; 2]>,
    /// Names of the cards that nobody holds.
    cards_aside: Option<Vec<String>>,
    /// Numbers of fences in the hands of players 0 and 1.
    in_hand: Option<[u8; 2]>,
    /// Player to move, 0 or 1. Nothing depends on it if that follows from the board.
    player_to_move: Option<usize>,
}

/// Piece in a picture, of a kind that `setup` of the table has.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
struct PieceRequest {
    /// Place of the piece.
    cell: String,
    /// Owner; null if nobody owns the piece.
    player: Option<usize>,
    /// Form, such as `pawn`.
    shape: String,
    /// Step of an arrow; it need not be told.
    step: Option<(i8, i8)>,
    /// Character of a sign.
    sign: Option<char>,
}

/// Special cell in a picture.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
struct MarkRequest {
    /// Place of the mark.
    cell: String,
    /// Kind, such as `hole`.
    kind: String,
}

/// Returns the position of a picture. If the picture shows none, the problem has the text that was
/// put together, and the place of the fault.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/tables/{id}/setup", tag = "positions",
    request_body = SetupRequest,
    responses((status = 200, body = PositionReply))))]
pub(super) async fn set_up(question: Question, body: Bytes) -> Result<Response, Problem> {
    question.query(&[])?;
    accepted(&question.headers, &[JSON])?;
    let headers = question.headers.clone();
    let game = question.game().clone();
    let work = move || {
        let request = read_json::<SetupRequest>(&headers, &body)?;
        let drawing = picture::picture(&game, &request)?;
        let position = game.parse_drawing(&drawing).map_err(problem_of)?;
        json_of(&PositionReply::new(&game, &position).map_err(problem_of)?)
    };
    let json = question.state.quick.run(work).await??;
    Ok(Caching::Never.reply(JSON, question.state.unread.hold(json)?))
}
