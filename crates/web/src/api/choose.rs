//! Moves of agents.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::response::Response;
use hindsight_games::{AgentResources, AnyGame, Player, Position};
use hindsight_play::{AgentLimits, AgentSpec};
use serde::{Deserialize, Serialize};

use crate::faults::problem_of;
use crate::json_body::read_json;
use crate::question::{KnownValues, Question};
use crate::{Problem, ProblemKind, StopFlag};

/// Position in which an agent is to move.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct ChooseRequest {
    /// The position; the start if it is left out.
    position: Option<String>,
    /// The agent, such as `mcts:playouts=1000`, `level:3` or `perfect`; the one that people play
    /// against if it is left out. Programs (`cmd:`) are refused.
    agent: Option<String>,
    /// Seed of its random numbers; 1 if it is left out.
    #[serde(default = "default_seed")]
    seed: u64,
}

const fn default_seed() -> u64 {
    1
}

/// Move of an agent.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct ChooseReply {
    /// The agent in its normal form.
    agent: String,
    /// The move.
    r#move: String,
    /// Position after the move.
    to: String,
    /// Playouts made or positions searched.
    work: u64,
    /// Seconds that the agent took.
    seconds: f64,
}

/// Lets an agent choose a move. Playouts and time have the limits that `/api/v1` tells; a search
/// whose time is over plays the best move so far.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/tables/{id}/choose", tag = "play",
    request_body = ChooseRequest,
    responses((status = 200, body = ChooseReply))))]
pub(super) async fn choose(question: Question, body: Bytes) -> Result<Response, Problem> {
    question.query(&[])?;
    let headers = question.headers.clone();
    let read = move || read_json::<ChooseRequest>(&headers, &body);
    let request = question.state.quick.run(read).await??;
    let game = question.game().clone();
    let position = match &request.position {
        None => game.start(),
        Some(text) => {
            game.parse(text).map_err(|error| problem_of(error).of_parameter("position"))?
        }
    };
    let limits = &question.state.limits;
    let agent = agent_of(&game, request.agent.as_deref(), limits.playouts, limits.seconds)?;
    let known = if !agent.uses_values() {
        None
    } else if agent.needs_values() {
        Some(question.values().await?)
    } else {
        question.known_values().await?
    };
    let choice = Choice {
        game,
        position,
        agent,
        known,
        memory_bytes: question.state.long_work_memory(),
        seed: request.seed,
        seconds: limits.seconds,
    };
    let reply = move |stop: StopFlag| choice.reply(&stop);
    question.passing_answer(reply).await
}

/// Reads the text of an agent, which must end within some playouts and seconds.
fn agent_of(
    game: &AnyGame,
    text: Option<&str>,
    playouts: u64,
    seconds: f64,
) -> Result<AgentSpec, Problem> {
    let agent = match text {
        None => Ok(game.default_agent()),
        Some(text) => text.parse::<AgentSpec>(),
    };
    let limits = AgentLimits { playouts, time: Duration::from_secs_f64(seconds) };
    let agent = agent.and_then(|agent| agent.within(&limits));
    agent.map_err(|fault| {
        let problem = Problem::new(ProblemKind::Agent, fault.message);
        problem.of_parameter("agent").at(fault.offset)
    })
}

/// Agent that is to choose, with its means.
struct Choice {
    game: AnyGame,
    position: Position,
    agent: AgentSpec,
    known: Option<KnownValues>,
    memory_bytes: u64,
    seed: u64,
    seconds: f64,
}

impl Choice {
    fn reply(&self, stop: &StopFlag) -> Result<ChooseReply, Problem> {
        let started = Instant::now();
        let (game, position) = (&self.game, &self.position);
        let values = self.known.as_ref().map(|known| known.values.for_agents());
        let resources = AgentResources {
            memory_bytes: self.memory_bytes,
            time: Duration::try_from_secs_f64(self.seconds).ok(),
            stop: Some(stop.flag()),
            exhausted: None,
        };
        let player = Player::new(game, &self.agent, values.as_ref(), resources, &[self.seed]);
        let choice = player.and_then(|mut player| player.choose(position)).map_err(problem_of)?;
        Ok(ChooseReply {
            agent: self.agent.to_string(),
            r#move: game.format_move(position, &choice.mv).map_err(problem_of)?,
            to: game.format(&choice.to).map_err(problem_of)?,
            work: choice.work,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}
