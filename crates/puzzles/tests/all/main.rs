//! Tests of the puzzles.

mod search;
mod selection;

use hindsight_core::{PackedGame, Symmetry};
use hindsight_rules::{Setup, by_name};

/// Returns the game of a spec, with its symmetries.
fn symmetric(spec: &str) -> PackedGame {
    let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
    by_name(spec, &setup).expect("a spec")
}
