//! Questions about a table or a game, and how they are answered.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use hindsight_games::{Answer, AnyGame, Position, Values};
use serde::Serialize;

use crate::caching::{Caching, JSON, accepted};
use crate::faults::problem_of;
use crate::query::Query;
use crate::solved_games::OnDemand;
use crate::state::{ApiState, Subject};
use crate::{Problem, ProblemKind, StopFlag};

/// Question about a table or a game.
pub(crate) struct Question {
    pub(crate) state: Arc<ApiState>,
    pub(crate) subject: Subject,
    uri: Uri,
    pub(crate) headers: HeaderMap,
}

/// Known values with their digest.
#[derive(Clone, Debug)]
pub(crate) struct KnownValues {
    pub(crate) values: Values,
    pub(crate) digest: String,
}

impl FromRequestParts<Arc<ApiState>> for Question {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<ApiState>) -> Result<Self, Problem> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let no_text = |_| Problem::new(ProblemKind::Table, "the name is no text in UTF-8");
        let Path(id) = path.map_err(no_text)?;
        Ok(Self {
            subject: state.subject(&id).await?,
            state: state.clone(),
            uri: parts.uri.clone(),
            headers: parts.headers.clone(),
        })
    }
}

impl Question {
    /// Returns the parameters, which are some of `allowed`.
    pub(crate) fn query(&self, allowed: &[&'static str]) -> Result<Query, Problem> {
        Query::read(&self.uri, allowed)
    }

    pub(crate) fn game(&self) -> &AnyGame {
        &self.subject.game
    }

    /// Returns the position that the parameter `p` names; the start without it.
    pub(crate) fn position(&self, query: &Query) -> Result<Position, Problem> {
        let Some(text) = query.spaced("p") else {
            return Ok(self.game().start());
        };
        let position = self.game().parse(&text).map_err(problem_of);
        position.map_err(|problem| problem.of_parameter("p"))
    }

    /// Refuses a layer that the table does not have.
    pub(crate) fn check_layer(&self, layer: Option<u32>) -> Result<(), Problem> {
        let Some(layer) = layer else {
            return Ok(());
        };
        let layers = self.subject.table.as_ref().map(|served| served.table.stats().len());
        let detail = match layers {
            Some(layers) if (layer as usize) < layers => return Ok(()),
            Some(layers) => {
                format!("there is no layer {layer}, but 0 to {}", layers.saturating_sub(1))
            }
            None => String::from("only tables have layers; name none"),
        };
        Err(Problem::new(ProblemKind::Parameter, detail).of_parameter("layer"))
    }

    /// Returns the values of the table, or of the game if it is quickly solved.
    pub(crate) async fn known_values(&self) -> Result<Option<KnownValues>, Problem> {
        if let Some(table) = &self.subject.table {
            return Ok(Some(KnownValues {
                values: table.table.values().clone(),
                digest: table.digest.clone(),
            }));
        }
        Ok(match self.state.solve_on_demand(self.game()).await? {
            OnDemand::Solved(game) => Some(KnownValues {
                values: game.solved.values().clone(),
                digest: game.digest.clone(),
            }),
            OnDemand::TooLarge => None,
        })
    }

    /// Returns values if they tell that of a position. A game that was solved from its start does
    /// not tell those of positions to which the start does not lead.
    pub(crate) async fn values_of(
        &self,
        position: &Position,
    ) -> Result<Option<KnownValues>, Problem> {
        let Some(known) = self.known_values().await? else {
            return Ok(None);
        };
        if self.subject.table.is_some() {
            return Ok(Some(known));
        }
        let (values, position) = (known.values.clone(), *position);
        let probe = move || values.probe(&position).map_err(problem_of);
        let answer = self.state.quick.run(probe).await??;
        Ok(Some(known).filter(|_| answer != Answer::Unknown))
    }

    /// As [`Question::known_values`], where nothing else gives an answer.
    pub(crate) async fn values(&self) -> Result<KnownValues, Problem> {
        let known = self.known_values().await?;
        known.ok_or_else(|| self.no_values())
    }

    /// Returns the problem of a game that is too large to be solved.
    pub(crate) fn no_values(&self) -> Problem {
        let detail = format!(
            "{} is too large to be solved here; `analyse` tells what can be proved",
            self.game().spec()
        );
        Problem::new(ProblemKind::NoValues, detail)
    }

    /// Returns a JSON answer that depends on the address and on values of a digest alone.
    pub(crate) async fn answer<T: Serialize>(
        &self,
        query: &Query,
        digest: &str,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let work = self.state.quick.run(|| KeptAnswer::whole(&work()?));
        self.kept_answer(query, digest, work).await
    }

    /// Returns a JSON answer by the rules alone.
    pub(crate) async fn answer_by_rules<T: Serialize>(
        &self,
        query: &Query,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let digest = format!("rules-{}", self.game().spec());
        self.answer(query, &digest, work).await
    }

    /// Returns true if the address has the digest of the values, or of the table of the game.
    fn knows_values(&self, query: &Query, digest: &str) -> bool {
        let table = self.subject.table.as_ref().map(|table| &*table.digest);
        let named = query.version();
        named.is_some() && (named == Some(digest) || named == table)
    }

    /// As [`Question::answer`], by work of seconds.
    pub(crate) async fn long_answer<T: Serialize>(
        &self,
        query: &Query,
        digest: &str,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let work = self.state.long.run(|_| KeptAnswer::whole(&work()?));
        self.kept_answer(query, digest, work).await
    }

    /// As [`Question::long_answer`], by work that stops in time. An answer that was cut is not
    /// kept.
    pub(crate) async fn stoppable_answer<T: Serialize>(
        &self,
        query: &Query,
        digest: &str,
        work: impl FnOnce(StopFlag) -> Result<StoppableAnswer<T>, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let work = self.state.long.run(|stop| {
            let made = work(stop)?;
            Ok(KeptAnswer { is_kept: !made.is_cut, body: json_of(&made.answer)? })
        });
        self.kept_answer(query, digest, work).await
    }

    /// Returns an answer that clients and the server keep, the kept one if there is one.
    async fn kept_answer(
        &self,
        query: &Query,
        digest: &str,
        work: impl Future<Output = Result<Result<KeptAnswer, Problem>, Problem>>,
    ) -> Result<Response, Problem> {
        accepted(&self.headers, &[JSON])?;
        let caching = Caching::by_digest(digest, self.knows_values(query, digest));
        if let Some(response) = caching.not_modified(&self.headers) {
            return Ok(response);
        }
        let address = format!("{digest} {}", self.uri);
        if let Some(body) = self.state.answers.get(&address) {
            return Ok(caching.reply(JSON, self.state.unread.hold(body)?));
        }
        let KeptAnswer { body, is_kept } = work.await??;
        if !is_kept {
            return Ok(Caching::Never.reply(JSON, self.state.unread.hold(body)?));
        }
        self.state.answers.insert(address, body.clone());
        Ok(caching.reply(JSON, self.state.unread.hold(body)?))
    }

    /// Returns a JSON answer that need not be the same another time, by work of seconds.
    pub(crate) async fn passing_answer<T: Serialize>(
        &self,
        work: impl FnOnce(StopFlag) -> Result<T, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        accepted(&self.headers, &[JSON])?;
        let work = |stop| json_of(&work(stop)?);
        let body = self.state.long.run(work).await??;
        Ok(Caching::Never.reply(JSON, self.state.unread.hold(body)?))
    }
}

/// Answer of work that may have stopped before its end.
pub(crate) struct StoppableAnswer<T> {
    pub(crate) answer: T,
    /// True if the work has stopped before its end.
    pub(crate) is_cut: bool,
}

/// Answer as JSON, which may be kept or not.
struct KeptAnswer {
    body: Bytes,
    is_kept: bool,
}

impl KeptAnswer {
    fn whole(answer: &impl Serialize) -> Result<Self, Problem> {
        Ok(Self { body: json_of(answer)?, is_kept: true })
    }
}

pub(crate) fn json_of(value: &impl Serialize) -> Result<Bytes, Problem> {
    let json = serde_json::to_vec(value).map_err(|_| Problem::fault())?;
    Ok(Bytes::from(json))
}
