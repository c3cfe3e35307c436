//! A position by the rules alone.

use axum::response::Response;
use hindsight_answers::{BoardAnswer, DrawnMoveAnswer, wdl_word};
use hindsight_games::{AnyGame, Error, Position, ReadMoves, Wdl};
use serde::Serialize;

use super::played::played_moves;
use crate::Problem;
use crate::faults::problem_of;
use crate::question::Question;

/// A position by the rules alone.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct PositionReply {
    /// Spec of the game in its normal form.
    game: String,
    /// The position in its normal form.
    position: String,
    /// Name of the side to move.
    player: &'static str,
    /// True if the game is over.
    over: bool,
    /// Result for the side to move; null if the game goes on.
    result: Option<&'static str>,
    /// Name of the player who has won; null if nobody has.
    winner: Option<&'static str>,
    /// Condition by which the game was won, `win` if there is only one, or `draw`; null if the game
    /// goes on.
    ending: Option<&'static str>,
    /// Legal moves.
    moves: Vec<LegalMove>,
    /// Picture as data.
    board: BoardAnswer,
    /// Picture as text.
    diagram: String,
    /// Other positions of the same value, by the symmetries of the game.
    images: Vec<String>,
    /// Positions from `p` on, one more than the moves of `m`; absent without `m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Vec<String>>,
    /// Moves of `m` in their normal form; absent without `m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Vec<String>>,
}

/// A legal move.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct LegalMove {
    /// The move.
    r#move: String,
    /// Position after the move.
    to: String,
    /// The move as a change of the picture; null if the game has none.
    drawing: Option<DrawnMoveAnswer>,
}

/// Returns a position by the rules alone: its legal moves, its picture, its symmetric images. With
/// `m`, it is the position after these moves.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}/position", tag = "positions",
    params(
        ("p" = Option<String>, Query),
        ("m" = Option<String>, Query,
            description = "Moves from there, as people write a game"),
    ),
    responses((status = 200, body = PositionReply))))]
pub(super) async fn position(question: Question) -> Result<Response, Problem> {
    let query = question.query(&["p", "m"])?;
    let position = question.position(&query)?;
    let game = question.game().clone();
    let texts = query.text("m").map(str::to_string);
    let describe = move || match texts {
        None => PositionReply::new(&game, &position).map_err(problem_of),
        Some(texts) => PositionReply::after(&game, &position, &texts),
    };
    question.answer_by_rules(&query, describe).await
}

impl PositionReply {
    /// Returns the position after moves, with the texts of them and of all positions on the way.
    fn after(game: &AnyGame, start: &Position, texts: &str) -> Result<Self, Problem> {
        let ReadMoves { moves, positions, .. } = played_moves(game, start, texts)?;
        let plies = positions.iter().zip(&moves);
        let played = plies.map(|(position, mv)| game.format_move(position, mv));
        let played: Result<_, Error> = played.collect();
        let formatted = positions.iter().map(|position| game.format(position));
        let formatted: Result<_, Error> = formatted.collect();
        let last = Self::new(game, &positions[positions.len() - 1]).map_err(problem_of)?;
        Ok(Self {
            positions: Some(formatted.map_err(problem_of)?),
            played: Some(played.map_err(problem_of)?),
            ..last
        })
    }

    pub(super) fn new(game: &AnyGame, position: &Position) -> Result<Self, Error> {
        let (names, mover) = (game.player_names(), game.player_to_move(position)?);
        let outcome = game.outcome(position)?;
        let winner = match outcome {
            Some(Wdl::Win) => Some(names[mover]),
            Some(Wdl::Loss) => Some(names[1 - mover]),
            _ => None,
        };
        let ending = match outcome {
            None => None,
            Some(Wdl::Draw) => Some("draw"),
            Some(_) => Some(game.win_condition(position)?.unwrap_or("win")),
        };
        let moves = game.moves(position)?;
        let legal = moves.iter().map(|mv| {
            let drawn = game.drawn_move(position, mv)?;
            Ok(LegalMove {
                r#move: game.format_move(position, mv)?,
                to: game.format(&game.play(position, mv)?)?,
                drawing: drawn.as_ref().map(DrawnMoveAnswer::new),
            })
        });
        let images = game.images(position)?;
        let images = images.iter().map(|image| game.format(image));
        Ok(Self {
            game: game.spec().to_string(),
            position: game.format(position)?,
            player: names[mover],
            over: outcome.is_some(),
            result: outcome.map(wdl_word),
            winner,
            ending,
            moves: legal.collect::<Result<_, Error>>()?,
            board: BoardAnswer::new(&game.drawing(position)?),
            diagram: game.diagram(position)?,
            images: images.collect::<Result<_, _>>()?,
            positions: None,
            played: None,
        })
    }
}
