//! Lines of play: the best one from a position, and one that was played.

use axum::response::Response;
use hindsight_answers::{KnownValue, LineAnswer, LinePlyAnswer, PlayerCounts, given_word};
use hindsight_games::{
    AnyGame, AnyMove, Error, GameReview, GivenAway, Position, ReadMoves, ReviewSource, ReviewedMove,
};
use serde::Serialize;

use super::played::played_moves;
use crate::Problem;
use crate::faults::problem_of;
use crate::question::Question;

/// Plies of a line if the request does not say.
const DEFAULT_PLIES: u64 = 400;
/// Most plies of a line.
pub(super) const MAX_PLIES: u64 = 10_000;

/// Best play from a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct LineReply {
    #[serde(flatten)]
    answer: LineAnswer<LinePlyReply>,
    /// True if the line goes on after the plies that were asked for.
    is_cut: bool,
}

/// One ply of a line.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct LinePlyReply {
    #[serde(flatten)]
    ply: LinePlyAnswer,
    /// Position after the move.
    to: String,
}

/// Returns best play from a position: to the end of the game or, in a draw, into a cycle.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}/line", tag = "positions",
    params(
        ("p" = Option<String>, Query),
        ("plies" = Option<u64>, Query,
            description = "Most plies, from 1 to 10,000; 400 if left out"),
    ),
    responses((status = 200, body = LineReply))))]
pub(super) async fn line(question: Question) -> Result<Response, Problem> {
    let query = question.query(&["p", "plies"])?;
    let position = question.position(&query)?;
    let plies = query.whole("plies", 1..=MAX_PLIES)?.unwrap_or(DEFAULT_PLIES);
    let known = question.values().await?;
    let (game, values) = (question.game().clone(), known.values);
    let reply = move || -> Result<LineReply, Error> {
        let line = values.line(&position)?;
        let value = values.probe(&position)?.exact().ok_or(Error::Inconsistent)?;
        let answer = LineAnswer::new(&game, &position, value, &line)?;
        Ok(LineReply::new(answer, plies as usize))
    };
    let reply = move || reply().map_err(problem_of);
    question.answer(&query, &known.digest, reply).await
}

impl LineReply {
    /// Returns the first plies of a line.
    fn new(answer: LineAnswer, plies: usize) -> Self {
        let is_cut = answer.line.len() > plies;
        let positions = answer.line.iter().map(|ply| ply.position.clone());
        let mut after: Vec<String> = positions.skip(1).collect();
        after.push(answer.end);
        let end = after[plies.min(after.len()).saturating_sub(1)].clone();
        let end = if answer.line.is_empty() { answer.position.clone() } else { end };
        let shown = answer.line.into_iter().zip(after).take(plies);
        Self {
            answer: LineAnswer {
                game: answer.game,
                position: answer.position,
                value: answer.value,
                remoteness: answer.remoteness,
                line: shown.map(|(ply, to)| LinePlyReply { ply, to }).collect(),
                end,
                repeats: answer.repeats.filter(|_| !is_cut),
            },
            is_cut,
        }
    }
}

/// Values along a played game.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct WalkReply {
    /// Spec of the game in its normal form.
    game: String,
    /// First position.
    start: String,
    /// Name of the side to move in the first position.
    player: &'static str,
    /// Moves in order.
    plies: Vec<WalkPly>,
    /// Position after the last move.
    end: String,
    /// Counts of players 0 and 1.
    players: Vec<PlayerCounts>,
    /// Source of the values: `values` that are all known, or `analyses` of each position.
    source: &'static str,
}

/// A played move. The values are for the player who made it.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct WalkPly {
    /// Number of the move, from 1.
    ply: usize,
    /// Name of the player who made the move.
    player: &'static str,
    /// The move.
    r#move: String,
    /// Position before the move.
    position: String,
    /// Position after the move.
    to: String,
    /// Value after the move.
    #[serde(flatten)]
    known: KnownValue,
    /// Value before the move.
    before: KnownValue,
    /// True if no move was better; null if that is not known.
    best: Option<bool>,
    /// Loss by the move: `nothing`, `plies`, `draw` or `win`; null if it is not known.
    gives: Option<&'static str>,
    /// Plies by which a win became longer or a loss shorter.
    plies_lost: Option<u16>,
    /// A best move.
    best_move: String,
    /// True if that move is proved to be best.
    best_is_proved: bool,
}

/// Returns the values along a played game.
///
/// The positions of a game that is too large to be solved here are analysed, all in the time that
/// `/api/v1` tells.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}/walk", tag = "positions",
    params(
        ("p" = Option<String>, Query, description = "First position; the start if left out"),
        ("m" = Option<String>, Query, description = "Moves, as people write a game"),
    ),
    responses((status = 200, body = WalkReply))))]
pub(super) async fn walk(question: Question) -> Result<Response, Problem> {
    let query = question.query(&["p", "m"])?;
    let start = question.position(&query)?;
    let (game, first) = (question.game().clone(), start);
    let texts = query.text("m").unwrap_or_default().to_string();
    let read = move || played_moves(&game, &first, &texts);
    let ReadMoves { moves, positions, .. } = question.state.quick.run(read).await??;
    // The text may name another start.
    let start = positions[0];
    let game = question.game().clone();
    if let Some(known) = question.known_values().await? {
        let walk = move || {
            let review = known.values.review(&start, &moves);
            let reply = review.and_then(|review| WalkReply::new(&game, &start, &moves, &review));
            reply.map_err(problem_of)
        };
        return question.answer(&query, &known.digest, walk).await;
    }
    let state = question.state.clone();
    let analyse = move |stop| {
        let options = state.options(stop);
        let review = game.review(&start, &moves, &options, Some(&state.analyses));
        let reply = review.and_then(|review| WalkReply::new(&game, &start, &moves, &review));
        reply.map_err(problem_of)
    };
    question.passing_answer(analyse).await
}

impl WalkReply {
    fn new(
        game: &AnyGame,
        start: &Position,
        moves: &[AnyMove],
        review: &GameReview,
    ) -> Result<Self, Error> {
        let mut positions = vec![*start];
        for mv in moves {
            positions.push(game.play(&positions[positions.len() - 1], mv)?);
        }
        let texts = positions.iter().map(|position| game.format(position));
        let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
        let names = game.player_names();
        let plies = review.plies.iter().enumerate();
        let plies = plies.map(|(index, ply)| {
            let player = names[review.player(index)];
            WalkPly::new(game, index, player, ply, &texts)
        });
        Ok(Self {
            game: game.spec().to_string(),
            player: names[game.player_to_move(start)?],
            plies: plies.collect::<Result<_, _>>()?,
            players: PlayerCounts::of_both(game, review).into(),
            source: match review.source {
                ReviewSource::Table | ReviewSource::Solve => "values",
                ReviewSource::Analyses => "analyses",
            },
            start: texts[0].clone(),
            end: texts[texts.len() - 1].clone(),
        })
    }
}

impl WalkPly {
    fn new(
        game: &AnyGame,
        index: usize,
        player: &'static str,
        ply: &ReviewedMove<Position, AnyMove>,
        positions: &[String],
    ) -> Result<Self, Error> {
        let (before, after, given) = (&ply.before, &ply.after, ply.given_away);
        Ok(Self {
            ply: index + 1,
            player,
            r#move: game.format_move(&ply.position, &ply.mv)?,
            position: positions[index].clone(),
            to: positions[index + 1].clone(),
            known: KnownValue::new(after.answer, after.bound, after.estimate),
            before: KnownValue::new(before.answer, before.bound, before.estimate),
            best: given.map(|given| given == GivenAway::Nothing),
            gives: given.map(given_word),
            plies_lost: given.and_then(GivenAway::plies),
            best_move: game.format_move(&ply.position, &ply.best)?,
            best_is_proved: ply.best_is_proved,
        })
    }
}
