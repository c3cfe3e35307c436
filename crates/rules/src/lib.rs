//! The rules of the games, and the one list of their names.
//!
//! A game is named by a *spec*, one word such as `tic-tac-toe` or `onitama:3x4:boar`. [`by_name`]
//! reads a spec and hands the game to a [`Visitor`], as one of three types: [`PackedGame`] by the
//! number of words of a position. The types of the games are compiled here alone. Rules know
//! nothing of solvers, files or screens, and need only `alloc`.
//!
//! [`PackedGame`]: hindsight_core::PackedGame
//!
//! ```
//! use hindsight_core::{Game, Notation};
//! use hindsight_rules::{Setup, Visitor, by_name};
//!
//! struct FirstMove;
//! impl Visitor for FirstMove {
//!     type Output = String;
//!     fn visit<G: Notation>(self, game: G) -> String {
//!         let mut moves = Vec::new();
//!         game.moves(game.start(), &mut moves);
//!         game.format_move(game.start(), moves[0])
//!     }
//! }
//! assert_eq!(by_name("onitama:3x4:boar", &Setup::default(), FirstMove).unwrap(), "b4b3:boar");
//! ```
#![no_std]

extern crate alloc;

mod any_rules;
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
mod visitor;
mod words;

pub use any_rules::AnyRules;
pub use game_entry::{GameEntry, RulesOfSpec, Setup, rules_among};
pub use spec::{GAMES, by_name, by_name_in_published_order, deal, deck_file, rules_by_name};
pub use visitor::{PackedVisitor, Visitor};
