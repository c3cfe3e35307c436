//! All tests of solvers in one program: games and solvers are compiled once for them.

mod agree;
mod distance;
mod forbidden_move;
mod large_games;
mod null_window;
mod number_game;
mod perft;
mod plan;
mod proof;
mod quoridor_golden;
mod shortest_win;
mod single_tiers;
mod sorted;
mod stopped;
mod subgame;
mod tiered;

use hindsight_core::{PackedGame, Symmetry};
use hindsight_rules::{Setup, by_name};

/// Returns the game of a spec, without symmetries.
fn game(spec: &str) -> PackedGame {
    by_name(spec, &Setup::default()).expect("a spec")
}

/// Returns the game of a spec, with symmetries.
fn game_with(symmetry: Symmetry, spec: &str) -> PackedGame {
    let setup = Setup { symmetry, ..Setup::default() };
    by_name(spec, &setup).expect("a spec")
}
