use hindsight_core::ParseError;

use crate::dobutsu::Dobutsu;
use crate::dodgem::Dodgem;
use crate::four::Four;
use crate::game_info::GameInfo;
use crate::game_list::{GameList, by_name_among};
use crate::l_game::LGame;
use crate::onitama::{AnyOnitama, ThesisOnitama};
use crate::ostle::Ostle;
use crate::quixo::Quixo;
use crate::quoridor::Quoridor;
use crate::registered::Setup;
use crate::tic_tac_toe::TicTacToe;
use crate::visitor::{OnlyPacked, PackedVisitor, Visitor};

mod deal;
mod packed;

pub use crate::onitama::spec::deck_file;
pub use deal::deal;

/// All games, Onitama as `O`.
type GamesWith<O> = (O, Ostle, Quoridor, TicTacToe, Dodgem, LGame, Four, Quixo, Dobutsu);

/// All games.
type AllGames = GamesWith<AnyOnitama>;

/// The games, in the order of lists.
pub const GAMES: &[GameInfo] = AllGames::GAMES;

/// Reads a spec and hands its game to the visitor. Case is ignored, except in file names.
///
/// # Errors
/// If the spec is malformed, names no game, or names a deck file that cannot be read. The message
/// describes the right form.
pub fn by_name<V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    by_name_among::<AllGames, V>(spec, setup, visitor)
}

/// Reads a spec and hands its game to the visitor without the types of its positions and moves.
///
/// # Errors
/// As [`by_name`].
pub fn packed_by_name<V: PackedVisitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    by_name(spec, setup, OnlyPacked(visitor))
}

/// As [`by_name`], but with the move order of the program that was published with a game:
/// [`ThesisMoveOrder`](crate::onitama::ThesisMoveOrder) for Onitama.
///
/// # Errors
/// As [`by_name`].
pub fn by_name_in_published_order<V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    by_name_among::<GamesWith<ThesisOnitama>, V>(spec, setup, visitor)
}
