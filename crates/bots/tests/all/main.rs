//! Bots as processes, and agents that are served as bots.

mod any_text;
mod faults;
mod serving;

/// Returns the game of the tests.
fn tic_tac_toe() -> hindsight_core::PackedGame {
    hindsight_rules::by_name("tic-tac-toe", &hindsight_rules::Setup::default()).expect("a spec")
}
