//! Agents, matches between them, and audits against known values.
//!
//! An agent sees the rules, a [`hindsight_core::PackedGame`]. Agents that play by known values see
//! a [`BatchProbe`] as well. [`AgentSpec`] is the text that names an agent.
//!
//! Cost: a core makes 1.6 to 2.5 million node cycles a second in the tree of [`Mcts`] (Onitama
//! 5 x 5), and up to 11 million random games in [`PureMonteCarlo`] (`docs/agents.md`). An entry of
//! [`AlphaBeta`] takes 32 bytes.
//!
//! Source: [`Mcts`] and [`PureMonteCarlo`] follow R. Arntzenius, "Agents for the Strategy Game
//! Onitama" (2021). [`LureAgent`] is our own (`docs/decisions/0021-lure.md`).
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
//!
//! Random games are [`hindsight_core::Heuristics::playout`]. Random numbers are seeded by the
//! match, the game and the agent, so published results can be played again. A [`Level`] scores the
//! moves by known values, by alpha-beta or by a tree, and draws one by its temperature.
//! [`ratings`] rates several agents by their games against each other.
//! [`GivenAway`] is the rule by which audits and reviews judge a move: by two values, what the move
//! between them gave away. An [`AuditSetup`] judges an agent's choices in games against itself or
//! position by position; [`PlayQuality`] sums the [`MoveVerdict`]s by value and by layer. Games are
//! counted in the order of their numbers, so that results do not depend on threads.

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
mod ratings;
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
pub use ratings::{PairResult, Rating, ratings};
pub use resources::AgentResources;
pub use seeded_random::SeededRandom;
