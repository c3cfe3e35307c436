use hindsight_games::{AgentSpec, Options, ProgressListener};

/// Options of a judgement.
#[derive(Clone)]
pub struct FairnessOptions {
    /// Agent that plays both sides; it must play without known values.
    pub agent: AgentSpec,
    /// Games to play in all; every deal has the same number of them, rounded up.
    pub games: u64,
    /// Plies after which a game is a tie.
    pub max_plies: u32,
    /// Seed of the games.
    pub seed: u64,
    /// Seconds that a solve may take by its estimate.
    pub seconds: f64,
    /// Bytes of memory; `None` for 7/8 of what is free.
    pub memory: Option<u64>,
    /// Listener to the progress, which may stop the work.
    pub progress: Option<ProgressListener>,
}

impl Default for FairnessOptions {
    /// 600 games of `mcts:playouts=1000`, at most 200 plies each, and a solve of a minute.
    fn default() -> Self {
        Self {
            agent: "mcts:playouts=1000".parse().expect("an agent"),
            games: 600,
            max_plies: 200,
            seed: 1,
            seconds: 60.0,
            memory: None,
            progress: None,
        }
    }
}

impl FairnessOptions {
    /// Returns the number of games of each of `deals` deals.
    pub(super) fn games_of_deal(&self, deals: usize) -> u64 {
        self.games.div_ceil(deals.max(1) as u64)
    }

    /// Returns the options of a solve that may take this time.
    pub(super) fn solve_options(&self, seconds: f64) -> Options {
        Options {
            memory: self.memory,
            seconds: Some(seconds),
            progress: self.progress.clone(),
            ..Options::default()
        }
    }
}
