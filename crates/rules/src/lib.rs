//! The rules of the games, and the one list of their names.
//!
//! A game is named by a *spec*, one word such as `tic-tac-toe` or `onitama:3x4:boar`. [`by_name`]
//! reads a spec and returns the game as a [`PackedGame`]. The types of the games are compiled here
//! alone. Rules know nothing of solvers, files or screens, and need only `alloc`.
//!
//! [`PackedGame`]: hindsight_core::PackedGame
//!
//! ```
//! use hindsight_core::{Game, Notation};
//! use hindsight_rules::{Setup, by_name};
//!
//! let game = by_name("onitama:3x4:boar", &Setup::default())?;
//! let mut moves = Vec::new();
//! game.moves(game.start(), &mut moves);
//! assert_eq!(game.format_move(game.start(), moves[0]), "b4b3:boar");
//! # Ok::<(), hindsight_core::ParseError>(())
//! ```
#![no_std]

extern crate alloc;

mod crosses_and_rings;
pub mod dobutsu;
pub mod dodgem;
pub mod four;
mod game_entry;
mod grammar;
pub mod l_game;
pub mod onitama;
pub mod ostle;
pub mod quixo;
pub mod quoridor;
mod spec;
pub mod tic_tac_toe;
mod words;

pub use game_entry::{GameEntry, RulesOfSpec, Setup, rules_among};
pub use spec::{GAMES, by_name, deal, deck_file, in_published_order};
