//! The rules of the games, and the one list of their names.
//!
//! A game is named by a *spec*, one word such as `tic-tac-toe` or `onitama:3x4:boar`. [`by_name`]
//! reads a spec and hands the concrete game to a [`Visitor`], so that solvers stay generic and
//! fast. Rules know nothing of solvers, files or screens, and need only `alloc`.
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

mod crosses_and_rings;
pub mod dobutsu;
pub mod dodgem;
pub mod four;
mod game_info;
mod game_list;
mod grammar;
mod into_packed;
pub mod l_game;
pub mod onitama;
pub mod ostle;
pub mod quixo;
pub mod quoridor;
mod registered;
mod spec;
pub mod tic_tac_toe;
mod visitor;
mod words;

pub use game_info::GameInfo;
pub use game_list::{GameList, by_name_among};
pub use registered::{Registered, Setup};
pub use spec::{GAMES, by_name, by_name_in_published_order, deal, deck_file, packed_by_name};
pub use visitor::{PackedVisitor, Visitor};
