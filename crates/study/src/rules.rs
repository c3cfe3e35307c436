//! Games as solvers and agents take them.

use hindsight_core::PackedGame;
use hindsight_rules::{Setup, by_name};

/// Returns the game of a spec in normal form, as solvers and agents take it.
///
/// # Panics
/// If the spec names no game.
#[must_use]
pub fn game_of(spec: &str) -> PackedGame {
    by_name(spec, &Setup::default()).expect("the spec of a game")
}
