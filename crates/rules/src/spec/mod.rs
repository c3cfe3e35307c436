use hindsight_core::{PackedGame, ParseError, TextToken};

use crate::game_entry::{GameEntry, Setup, rules_among};
use crate::grammar::game_name;
use crate::onitama::spec::AnyOnitama;

mod deal;

pub use crate::onitama::spec::deck_file;
pub use deal::deal;

/// The games, in the order of lists.
// A constant would be compiled, with the rules of every game, in each crate that names it.
pub static GAMES: &[GameEntry] = &[
    AnyOnitama::ENTRY,
    crate::ostle::Ostle::ENTRY,
    crate::quoridor::Quoridor::ENTRY,
    crate::tic_tac_toe::TicTacToe::ENTRY,
    crate::dodgem::Dodgem::ENTRY,
    crate::l_game::LGame::ENTRY,
    crate::four::Four::ENTRY,
    crate::quixo::Quixo::ENTRY,
    crate::dobutsu::Dobutsu::ENTRY,
];

/// Returns the game of a spec. Case is ignored, except in file names.
///
/// # Errors
/// If the spec is malformed, names no game, or names a deck file that cannot be read. The message
/// describes the right form.
pub fn by_name(spec: &str, setup: &Setup<'_>) -> Result<PackedGame, ParseError> {
    rules_among(GAMES, spec, setup)
}

/// Returns a game in the order of moves of the program that was published with it:
/// [`ThesisMoveOrder`](crate::onitama::ThesisMoveOrder) for Onitama. Returns `None` for other
/// games.
///
/// # Errors
/// As [`by_name`]; also for a board of more than 32 squares with hands of more than three cards.
pub fn in_published_order(spec: &str, setup: &Setup<'_>) -> Result<Option<PackedGame>, ParseError> {
    let token = TextToken::trimmed(spec);
    if game_name(token).eq_ignore_ascii_case(AnyOnitama::NAME) {
        return AnyOnitama::from_spec(token, setup)?.in_published_order(token).map(Some);
    }
    by_name(spec, setup).map(|_| None)
}
