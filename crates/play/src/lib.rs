//! Agents, matches between them, and audits against known values.
//!
//! An agent sees the rules, a [`hindsight_core::PackedGame`]. Agents that play by known values see
//! a [`BatchProbe`] as well.
//!
//! ```
//! use hindsight_core::{Game, Notation};
//! use hindsight_play::{Agent, Mcts, SeededRandom};
//! use hindsight_rules::{Setup, by_name};
//!
//! let game = by_name("tic-tac-toe", &Setup::default()).unwrap();
//! let mut random = SeededRandom::new(&[7]);
//! let chosen = Mcts::default().choose(&game, game.start(), &mut random).unwrap();
//! let text = game.format_move(game.start(), chosen.mv);
//! assert_eq!((&*text, chosen.work), ("b2", 1000), "the centre, after 1000 playouts");
//! ```

mod agent;
mod agent_fault;
mod agent_limits;
mod agent_spec;
mod alphabeta;
mod audit;
mod given_away;
mod level;
mod lure;
mod match_score;
mod matches;
mod mcts;
mod move_estimates;
mod move_playouts;
mod perfect;
mod pure_monte_carlo;
mod resources;
mod seeded_random;

pub use agent::{Agent, AgentError, ChosenMove, RandomAgent};
pub use agent_fault::{AgentFault, FaultKind};
pub use agent_limits::AgentLimits;
pub use agent_spec::AgentSpec;
pub use alphabeta::AlphaBeta;
pub use audit::{AuditSetup, AuditTally, MoveVerdict, PlayQuality, SelfPlayOptions, ValueClass};
pub use given_away::GivenAway;
pub use level::Level;
pub use lure::LureAgent;
pub use match_score::{FirstFault, MatchScore, NORMAL_QUANTILE_95, wilson_interval};
pub use matches::{
    GameRecord, GameRecordError, MatchOptions, Players, game_result, game_seeds, play_game,
    play_game_from, read_games,
};
pub use mcts::{Mcts, PruneInterval};
pub use move_estimates::{MoveEstimates, estimate_by_playouts, estimate_by_search};
pub use perfect::{BatchProbe, PerfectAgent, ProbeError, ProbeMany};
pub use pure_monte_carlo::{MoveBudget, PlayoutSettings, PureMonteCarlo};
pub use resources::AgentResources;
pub use seeded_random::SeededRandom;
