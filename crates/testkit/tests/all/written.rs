//! Specs, positions and games written by hand.

use hindsight_core::{Notation, ParseError};
use hindsight_rules::{Setup, by_name};

/// Reads a spec; returns it in its normal form.
pub(crate) fn normal_spec(spec: &str) -> Result<String, ParseError> {
    by_name(spec, &Setup::default()).map(|game| game.spec())
}

/// Checks that a spec has a fault whose message contains some words.
pub(crate) fn check_spec_fault(spec: &str, fault: &str) {
    let error = normal_spec(spec).expect_err("a fault");
    assert!(error.message.contains(fault), "{spec}: {error}");
}

/// Checks that the text of a position has a fault at a character, counted from 1, whose message
/// contains some words.
pub(crate) fn check_position_fault<G: Notation>(
    game: &G,
    text: &str,
    fault: &str,
    character: usize,
) {
    let error = game.parse(text).expect_err("a fault");
    assert!(error.message.contains(fault), "{text}: {error}");
    assert_eq!(error.character(text), character, "{text}: {error}");
}

/// Plays a move and checks the text of the position after it.
pub(crate) fn play_written<G: Notation>(
    game: &G,
    position: G::Position,
    mv: &str,
    after: &str,
) -> G::Position {
    let legal = game.parse_move(position, mv).expect(mv);
    let next = game.play(position, legal);
    assert_eq!(game.format(next), after, "after {mv}");
    next
}
