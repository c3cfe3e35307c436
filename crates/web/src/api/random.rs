//! Positions drawn at random.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::response::Response;
use hindsight_games::{AnyGame, Error, PositionFilter, Random, Wdl};
use hindsight_play::SeededRandom;

use super::probe::ProbeReply;
use crate::faults::problem_of;
use crate::question::Question;
use crate::{Problem, ProblemKind};

/// Most plies of a random game that leads to a position.
const RANDOM_PLIES: u32 = 40;

/// Returns a position drawn at random, with its value and its moves as `probe` has them.
///
/// With a seed the answer is the same each time. Of a game that is too large to be solved here, a
/// position of a random game is drawn, whose value is null.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tables/{id}/random", tag = "positions",
    params(
        ("value" = Option<String>, Query,
            description = "`win`, `draw` or `loss` for the side to move"),
        ("remoteness" = Option<u16>, Query, description = "Plies to the end"),
        ("layer" = Option<u32>, Query, description = "Layer of the table"),
        ("seed" = Option<u64>, Query, description = "Seed of the draw; a new one if left out"),
    ),
    responses((status = 200, body = ProbeReply))))]
pub(super) async fn random(question: Question) -> Result<Response, Problem> {
    let query = question.query(&["value", "remoteness", "layer", "seed"])?;
    let words = [("win", Wdl::Win), ("draw", Wdl::Draw), ("loss", Wdl::Loss)];
    let plies = query.whole("remoteness", 0..=u64::from(u16::MAX))?;
    let layer = query.whole("layer", 0..=u64::from(u32::MAX))?;
    let wanted = PositionFilter {
        wdl: query.word("value", &words)?,
        remoteness: plies.map(|plies| plies as u16),
        layer: layer.map(|layer| layer as u32),
    };
    question.check_layer(wanted.layer)?;
    let seed = query.whole("seed", 0..=u64::MAX)?;
    let game = question.game().clone();
    let is_any = wanted == PositionFilter::default();
    let known =
        if is_any { question.known_values().await? } else { Some(question.values().await?) };
    let Some(known) = known else {
        let reply = move |_| random_reply(&game, seed.unwrap_or_else(new_seed)).map_err(problem_of);
        return question.passing_answer(reply).await;
    };
    let draw = move |seed| {
        let drawn = known.values.draw(&wanted, seed).map_err(problem_of)?;
        let position = drawn.ok_or_else(|| {
            let detail = "there is no position of this value; `stats` lists how many there are";
            Problem::new(ProblemKind::NoPosition, detail)
        })?;
        ProbeReply::by_values(&game, &known.values, &position, false)
    };
    match seed {
        Some(seed) => question.long_answer(&query, &known.digest, move || draw(seed)).await,
        None => question.passing_answer(move |_| draw(new_seed())).await,
    }
}

fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}

/// Returns a position of a random game, of which nothing is known.
fn random_reply(game: &AnyGame, seed: u64) -> Result<ProbeReply, Error> {
    let mut random = SeededRandom::new(&[seed]);
    let position = game.random_position(random.below(RANDOM_PLIES), &mut random);
    let moves = game.moves(&position)?;
    ProbeReply::unknown(game, &position, &moves)
}
