//! Agents and matches. They see a [`hindsight_core::Game`] and, those that need one, a [`hindsight_core::Probe`]; nothing else.
//!
//! ```
//! use hindsight_rules::tic_tac_toe::TicTacToe;
//! use hindsight_play::{Agent, Mcts, Seeded};
//! use hindsight_core::Game;
//!
//! let game = TicTacToe::default();
//! let mut random = Seeded::new(&[7]);
//! let choice = Mcts::default().choose(&game, game.start(), &mut random).unwrap();
//! assert_eq!((choice.mv, choice.work), (4, 1000), "the centre, after 1000 playouts");
//! ```

mod agent;
mod agent_spec;
mod alphabeta;
mod audit;
mod match_score;
mod matches;
mod mcts;
mod perfect;
mod pure_monte_carlo;
mod resources;
mod seeded_random;

pub use agent::{Agent, AgentError, ChosenMove, RandomAgent};
pub use agent_spec::{AgentSpec, AgentSpecError};
pub use alphabeta::AlphaBeta;
pub use audit::{AuditSetup, AuditTally, MoveVerdict, PlayQuality, SelfPlayOptions, ValueClass};
pub use match_score::{MatchScore, NORMAL_QUANTILE_95, wilson_interval};
pub use matches::{GameRecord, GameRecordError, MatchOptions, game_result, play_game, read_games};
pub use mcts::{Mcts, PruneInterval};
pub use perfect::{BatchProbe, PerfectAgent};
pub use pure_monte_carlo::{MoveBudget, PlayoutSettings, PureMonteCarlo};
pub use resources::AgentResources;
pub use seeded_random::SeededRandom;
