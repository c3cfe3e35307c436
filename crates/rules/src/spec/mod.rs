use hindsight_core::{ParseError, TextToken};

use crate::any_rules::AnyRules;
use crate::dobutsu::Dobutsu;
use crate::dodgem::Dodgem;
use crate::four::Four;
use crate::game_entry::{GameEntry, Setup, rules_among};
use crate::grammar::game_name;
use crate::l_game::LGame;
use crate::onitama::spec::AnyOnitama;
use crate::ostle::Ostle;
use crate::quixo::Quixo;
use crate::quoridor::Quoridor;
use crate::tic_tac_toe::TicTacToe;
use crate::visitor::Visitor;

mod deal;

pub use crate::onitama::spec::deck_file;
pub use deal::deal;

/// The games, in the order of lists.
pub const GAMES: &[GameEntry] = &[
    AnyOnitama::ENTRY,
    Ostle::ENTRY,
    Quoridor::ENTRY,
    TicTacToe::ENTRY,
    Dodgem::ENTRY,
    LGame::ENTRY,
    Four::ENTRY,
    Quixo::ENTRY,
    Dobutsu::ENTRY,
];

/// Reads a spec. Case is ignored, except in file names.
///
/// # Errors
/// If the spec is malformed, names no game, or names a deck file that cannot be read. The message
/// describes the right form.
pub fn rules_by_name(spec: &str, setup: &Setup<'_>) -> Result<AnyRules, ParseError> {
    rules_among(GAMES, spec, setup)
}

/// Reads a spec and hands its game to the method of the visitor for its structure.
///
/// # Errors
/// As [`rules_by_name`].
pub fn by_name<V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    Ok(rules_by_name(spec, setup)?.visit_structure(visitor))
}

/// As [`by_name`], but with the move order of the program that was published with a game:
/// [`ThesisMoveOrder`](crate::onitama::ThesisMoveOrder) for Onitama.
///
/// # Errors
/// As [`rules_by_name`].
pub fn by_name_in_published_order<V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    let token = TextToken::trimmed(spec);
    if game_name(token).eq_ignore_ascii_case(AnyOnitama::ENTRY.name) {
        return Ok(AnyOnitama::from_spec(token, setup)?.visit_in_published_order(visitor));
    }
    by_name(spec, setup, visitor)
}
