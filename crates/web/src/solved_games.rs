//! Games that were solved because a request asked for their values.

use hindsight_answers::SolvedStats;
use hindsight_games::{AnyGame, Options, SolvedGame};
use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Weighter};
use std::sync::Arc;

use crate::clients::Client;
use crate::faults::problem_of;
use crate::state::ApiState;
use crate::{Problem, StopFlag};

/// Bytes of a game besides its values.
const GAME_BYTES: u64 = 1 << 13;
/// Seconds of a solve that need not wait for long work.
const MOMENT_SECONDS: f64 = 0.3;
/// Most solved games that are listed.
const MOST_LISTED: usize = 100;

/// Result of the wish to solve a game.
#[derive(Clone, Debug)]
pub(crate) enum OnDemand {
    /// The values are known.
    Solved(Arc<GameOnDemand>),
    /// The game takes more time or memory than the server gives it, or its solver has no counts.
    TooLarge,
}

/// Game solved on demand.
#[derive(Debug)]
pub(crate) struct GameOnDemand {
    pub(crate) solved: SolvedGame,
    pub(crate) stats: SolvedStats,
    pub(crate) digest: String,
}

/// Games solved on demand, within an amount of memory; those used longest ago make room.
#[derive(Debug)]
pub(crate) struct SolvedGames(Cache<String, OnDemand, SolvedWeight>);

/// Weight of a solved game in the cache: its bytes of memory.
#[derive(Clone, Debug)]
struct SolvedWeight;

impl Weighter<String, OnDemand> for SolvedWeight {
    fn weight(&self, spec: &String, game: &OnDemand) -> u64 {
        let values = match game {
            OnDemand::Solved(game) => game.solved.value_bytes(),
            OnDemand::TooLarge => 0,
        };
        values + spec.len() as u64 + GAME_BYTES
    }
}

impl GameOnDemand {
    /// Returns true if the values are of a game.
    pub(crate) fn is_of(&self, game: &AnyGame) -> bool {
        self.solved.values().game().spec() == game.spec()
    }
}

impl SolvedGames {
    /// Returns an empty cache of at most `bytes` bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let (hash, lifecycle) = (DefaultHashBuilder::default(), Default::default());
        Self(Cache::with(1 << 6, bytes, SolvedWeight, hash, lifecycle))
    }

    /// Returns true if the values of a game are kept.
    pub(crate) fn has(&self, game: &AnyGame) -> bool {
        matches!(self.0.peek(game.spec()), Some(OnDemand::Solved(_)))
    }

    /// Returns some of the games that are kept.
    pub(crate) fn kept(&self) -> Vec<Arc<GameOnDemand>> {
        let solved = self.0.iter().filter_map(|(_, game)| match game {
            OnDemand::Solved(game) => Some(game),
            OnDemand::TooLarge => None,
        });
        solved.take(MOST_LISTED).collect()
    }
}

impl ApiState {
    /// Returns a solved game; solves it if that is quick enough. Requests that ask at the same time
    /// wait for one solve, which goes on if they leave.
    pub(crate) async fn solve_on_demand(
        self: &Arc<Self>,
        game: &AnyGame,
    ) -> Result<OnDemand, Problem> {
        if let Some(known) = self.solved.0.get(game.spec()) {
            return Ok(known);
        }
        let (state, game, client) = (self.clone(), game.clone(), Client::current());
        let solving = async move {
            let solve = state.solve(&game);
            state.solved.0.get_or_insert_async(game.spec(), solve).await
        };
        let task = match client {
            Some(client) => tokio::spawn(client.answer(solving)),
            None => tokio::spawn(solving),
        };
        task.await.map_err(|_| Problem::fault())?
    }

    /// Solves a game. One that takes a moment does not wait for long work.
    async fn solve(&self, game: &AnyGame) -> Result<OnDemand, Problem> {
        let quickly = Options {
            seconds: Some(MOMENT_SECONDS.min(self.limits.seconds)),
            memory: Some(self.moment_memory()),
            ..self.options(StopFlag::default())
        };
        let small = game.clone();
        let solved = self.quick.run(move || solve(&small, &quickly)).await??;
        if let OnDemand::Solved(_) = solved {
            return Ok(solved);
        }
        let (game, options) = (game.clone(), self.options(StopFlag::default()));
        self.long.run(move |_| solve(&game, &options)).await?
    }
}

/// Solves a game within the options, if its plan says that this is possible.
fn solve(game: &AnyGame, options: &Options) -> Result<OnDemand, Problem> {
    let Some(solved) = game.solve_if_quick(options).map_err(problem_of)? else {
        return Ok(OnDemand::TooLarge);
    };
    let scope = if solved.has_every_position() { "all" } else { "reachable" };
    let stats = SolvedStats::new(&solved, scope);
    Ok(stats.map_or(OnDemand::TooLarge, |stats| {
        OnDemand::Solved(Arc::new(GameOnDemand { stats, digest: solved.signature(), solved }))
    }))
}
