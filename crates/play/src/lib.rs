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
mod alphabeta;
mod audit;
mod matches;
mod mcts;
mod perfect;
mod pure;
mod random;
mod resources;
mod score;
mod spec;

pub use agent::{Agent, Choice, Error, RandomAgent};
pub use alphabeta::AlphaBeta;
pub use audit::{Class, Ground, Quality, SelfPlay, Tally, Verdict};
pub use matches::{BadLine, Record, Terms, play, read_games, result};
pub use mcts::{Mcts, Prune};
pub use perfect::{Perfect, Values};
pub use pure::{Budget, Playouts, PureMonteCarlo};
pub use random::Seeded;
pub use resources::Resources;
pub use score::{DEVIATIONS, Score, wilson};
pub use spec::{AgentSpec, SpecError};
