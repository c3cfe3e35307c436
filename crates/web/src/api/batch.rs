//! The values of several positions.

use axum::body::Bytes;
use axum::response::Response;
use hindsight_games::{Answer, AnyGame, Position, Values, ValuesReader};
use serde::{Deserialize, Serialize};

use super::probe::ProbeReply;
use crate::caching::{Caching, JSON, accepted};
use crate::faults::problem_of;
use crate::json_body::read_json;
use crate::question::{Question, json_of};
use crate::{Problem, ProblemKind};

/// Form of an answer with a position on each line.
const LINES: &str = "application/x-ndjson";

/// Positions whose values are asked for.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct BatchRequest {
    /// The positions, in their order.
    positions: Vec<String>,
    /// True for the moves of each position too.
    #[serde(default)]
    moves: bool,
    /// True for the member of each position's class in tables too.
    #[serde(default)]
    canonical: bool,
}

/// Values of several positions.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct BatchReply {
    /// An answer or a problem for each position, in their order.
    results: Vec<BatchItem>,
}

/// Answer on one position of several.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(untagged)]
pub(super) enum BatchItem {
    /// The value.
    Answer(ProbeReply),
    /// Reason why there is none.
    Fault {
        /// The problem.
        error: Problem,
    },
}

/// Returns the values of up to 1,000 positions, in their order; a bad text spoils its own answer
/// alone. With `Accept: application/x-ndjson` each is a line.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/tables/{id}/probe", tag = "positions",
    request_body = BatchRequest,
    responses((status = 200, content(
        (BatchReply = "application/json"), (BatchItem = "application/x-ndjson"))))))]
pub(super) async fn probe_many(question: Question, body: Bytes) -> Result<Response, Problem> {
    question.query(&[])?;
    let form = accepted(&question.headers, &[JSON, LINES])?;
    let headers = question.headers.clone();
    let read = move || read_json::<BatchRequest>(&headers, &body);
    let request = question.state.quick.run(read).await??;
    let most = question.state.limits.positions_a_request;
    if request.positions.len() > most {
        let detail =
            format!("{} positions are asked for, of at most {most}", request.positions.len());
        return Err(Problem::new(ProblemKind::TooLarge, detail));
    }
    let values = question.values().await?.values;
    let game = question.game().clone();
    let work = move || {
        let batch = Batch { game, values, request };
        let results = batch.results()?;
        match form {
            JSON => json_of(&BatchReply { results }),
            _ => lines_of(&results),
        }
    };
    let json = question.state.quick.run(work).await??;
    Ok(Caching::Never.reply(form, question.state.unread.hold(json)?))
}

/// Returns a line of JSON for each item.
fn lines_of(items: &[BatchItem]) -> Result<Bytes, Problem> {
    let mut lines = Vec::new();
    for item in items {
        serde_json::to_writer(&mut lines, item).map_err(|_| Problem::fault())?;
        lines.push(b'\n');
    }
    Ok(Bytes::from(lines))
}

/// Positions with the source of their values.
struct Batch {
    game: AnyGame,
    values: Values,
    request: BatchRequest,
}

impl Batch {
    fn results(&self) -> Result<Vec<BatchItem>, Problem> {
        let texts = self.request.positions.iter();
        let parsed: Vec<_> = texts.map(|text| self.game.parse(text)).collect();
        let positions: Vec<Position> = parsed.iter().flatten().cloned().collect();
        let answers = self.values.probe_many(&positions).map_err(problem_of)?;
        let mut answers = answers.into_iter();
        let reader = self.values.reader();
        let mut results = Vec::with_capacity(parsed.len());
        for parsed in parsed {
            let result = match parsed {
                Err(error) => Err(problem_of(error).of_parameter("positions")),
                Ok(position) => {
                    let answer = answers.next().unwrap_or(Answer::Unknown);
                    self.reply(&position, answer, &reader)
                }
            };
            results.push(match result {
                Ok(reply) => BatchItem::Answer(reply),
                Err(error) => BatchItem::Fault { error },
            });
        }
        Ok(results)
    }

    fn reply(
        &self,
        position: &Position,
        answer: Answer,
        reader: &ValuesReader<'_>,
    ) -> Result<ProbeReply, Problem> {
        let reply = || {
            let mut reply = ProbeReply::new(&self.game, position, answer, None)?;
            if self.request.moves {
                reply.add_known_moves(&self.game, position, answer, reader)?;
            }
            reply.add_canonical(&self.game, position, self.request.canonical)?;
            Ok(reply)
        };
        reply().map_err(problem_of)
    }
}
