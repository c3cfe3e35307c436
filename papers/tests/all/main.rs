//! Studies of papers, by the library and by the program.

mod bottom_up;
#[expect(dead_code, reason = "the tests of the command use all of it")]
#[path = "../../../crates/cli/tests/all/harness.rs"]
mod harness;
mod lure;
mod memory_games;
mod onitama_agents;
mod onitama_atlas;
mod onitama_thesis;
mod ostle;
mod quoridor_reduced;
mod studies;
mod study_parts;

use std::path::Path;

use hindsight_core::PackedGame;
use hindsight_rules::{Setup, by_name};

/// Returns the program that the tests run.
fn program() -> &'static Path {
    assert_cmd::cargo::cargo_bin!("hindsight-papers")
}

/// Returns the game of a spec, without symmetries.
fn game(spec: &str) -> PackedGame {
    by_name(spec, &Setup::default()).expect("a spec")
}
