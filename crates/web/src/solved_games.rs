//! Games that were solved because a request asked for their values.

use hindsight_games::{AnyGame, Error, Options, SolvedGame, SolverError};
use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Weighter};
use std::sync::Arc;

use crate::faults::problem_of;
use crate::state::ApiState;
use crate::{Problem, StopFlag};

/// Bytes of a game that was not solved.
const UNSOLVED_BYTES: u64 = 1 << 10;

/// Result of the wish to solve a game.
#[derive(Clone, Debug)]
pub(crate) enum OnDemand {
    /// The values are known.
    Solved(Arc<GameOnDemand>),
    /// The game takes more time or memory than the server gives it.
    TooLarge,
}

/// Game solved on demand.
#[derive(Debug)]
pub(crate) struct GameOnDemand {
    pub(crate) solved: SolvedGame,
    /// Positions that were solved: `all` or `reachable`.
    pub(crate) scope: &'static str,
    /// Digest of the values.
    pub(crate) digest: String,
}

/// Games solved on demand, within an amount of memory; those used longest ago make room.
#[derive(Debug)]
pub(crate) struct SolvedGames(Cache<String, OnDemand, SolvedWeight>);

/// Weight of a solved game in the cache: its bytes of memory.
#[derive(Clone, Debug)]
struct SolvedWeight;

impl Weighter<String, OnDemand> for SolvedWeight {
    fn weight(&self, _: &String, game: &OnDemand) -> u64 {
        match game {
            OnDemand::Solved(game) => game.solved.value_bytes(),
            OnDemand::TooLarge => UNSOLVED_BYTES,
        }
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

    /// Returns the games that are kept.
    pub(crate) fn kept(&self) -> Vec<Arc<GameOnDemand>> {
        let solved = self.0.iter().filter_map(|(_, game)| match game {
            OnDemand::Solved(game) => Some(game),
            OnDemand::TooLarge => None,
        });
        solved.collect()
    }
}

impl ApiState {
    /// Returns a solved game; solves it if that is quick enough. Requests that ask at the same time
    /// wait for one solve.
    pub(crate) async fn solve_on_demand(&self, game: &AnyGame) -> Result<OnDemand, Problem> {
        let solve = async {
            let (game, limits) = (game.clone(), self.options(StopFlag::default()));
            let work = move |stop: StopFlag| solve(&game, limits, stop);
            self.long.run(work).await?
        };
        self.solved.0.get_or_insert_async(game.spec(), solve).await
    }
}

fn solve(game: &AnyGame, options: Options, stop: StopFlag) -> Result<OnDemand, Problem> {
    let options = Options {
        progress: Some(Arc::new(move |_| !stop.is_set())),
        ..options
    };
    let is_quick = game.is_quick(&options);
    match game.solve_if_quick(&options) {
        Ok(Some(solved)) => {
            let game = GameOnDemand {
                scope: if is_quick { "all" } else { "reachable" },
                digest: solved.signature(),
                solved,
            };
            Ok(OnDemand::Solved(Arc::new(game)))
        }
        Ok(None) => Ok(OnDemand::TooLarge),
        Err(Error::Solve(SolverError::Stopped)) => Err(Problem::fault()),
        Err(error) => Err(problem_of(error)),
    }
}
