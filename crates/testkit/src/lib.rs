//! Tools for tests of games and solvers.
//!
//! Cost: [`reference()`] keeps each position in a map and goes over all of them again for each ply,
//! so it serves boards of some hundred thousand positions. The golden number of a solved game is
//! its histogram of values by remoteness.
//!
//! * Laws of the traits of `hindsight_core`: [`check_laws`], [`check_playouts`],
//!   [`check_notation`], [`check_packing`], [`check_forged`], [`check_ranks`], [`check_retro`],
//!   [`check_forbidden_move`]. They take random samples from a seed and panic with the position
//!   that breaks a law.
//! * A slow but simple solver to compare with: [`reference()`], [`reference_ranked`],
//!   [`reference_states`].
//! * Damaged copies of stored bytes: [`damaged`].
//! * Rows, values and histograms of golden files: [`golden()`], [`golden_value`],
//!   [`golden_histogram`].
//! * Texts and packing of a game of numbers, made for a test: [`pack_numbers!`].
//! * A web server on this machine, with faults as a test needs them: [`FileServer`].
//!
//! ```
//! use hindsight_rules::tic_tac_toe::TicTacToe;
//!
//! hindsight_testkit::check_laws(&TicTacToe::default(), 100, 1);
//! let solved = hindsight_testkit::reference(&TicTacToe::default(), 10_000).unwrap();
//! assert_eq!(solved.len(), 5478);
//! ```

#![warn(clippy::cast_possible_truncation)]

mod countdown;
mod damage;
mod drawn_moves;
mod drawn_setups;
mod file_server;
mod forbidden_move;
mod forged;
mod golden;
mod golden_file;
mod laws;
mod pack_numbers;
mod packing;
mod playouts;
mod ranks;
mod reference;

pub use damage::damaged;
pub use file_server::{FileReply, FileRequest, FileServer, ServedFile};
pub use forbidden_move::{check_forbidden_move, reference_states};
pub use forged::check_forged;
pub use golden::{golden_histogram, golden_value};
pub use golden_file::{GoldenError, golden};
pub use laws::{check_laws, check_notation, random_positions};
pub use packing::check_packing;
pub use playouts::check_playouts;
pub use ranks::{check_ranks, check_retro, every_position};
pub use reference::{histogram, reference, reference_ranked};
