use hindsight_core::PackedGame;

use crate::dobutsu::Dobutsu;
use crate::dodgem::Dodgem;
use crate::four::Four;
use crate::into_packed::IntoPacked;
use crate::l_game::LGame;
use crate::onitama::Onitama;
use crate::ostle::Ostle;
use crate::quixo::Quixo;
use crate::quoridor::Quoridor;
use crate::tic_tac_toe::TicTacToe;

/// Implements [`IntoPacked`] by the constructors of [`PackedGame`]. No function here is generic, so
/// that rules are compiled with this crate and not with each of its users.
macro_rules! into_packed {
    ($($game:ty: $words:literal $make:expr;)+) => {
        $(impl IntoPacked for $game {
            type Packed = PackedGame<$words>;

            fn into_packed(self) -> PackedGame<$words> {
                let make: fn(Self) -> PackedGame<$words> = $make;
                make(self)
            }
        })+
    };
}

into_packed! {
    TicTacToe: 2 PackedGame::ranked;
    LGame: 2 PackedGame::ranked;
    Four: 2 PackedGame::new;
    Quixo: 3 PackedGame::ranked;
    Dodgem: 6 PackedGame::ranked;
    Dobutsu: 6 PackedGame::ranked;
    Ostle: 3 PackedGame::forbidden_move;
    // With up to 16 squares, 64 bits number all positions.
    Onitama<u16>: 2 PackedGame::two_sided;
    Onitama<u32>: 3 |game| match game.ranks_fit() {
        true => PackedGame::two_sided(game),
        false => PackedGame::new(game),
    };
    Onitama<u64>: 6 |game| match game.ranks_fit() {
        true => PackedGame::ranked(game),
        false => PackedGame::new(game),
    };
    Quoridor: 6 |game| match game.ranks_fit() {
        true => PackedGame::pawn_pairs(game),
        false => PackedGame::subgames(game),
    };
}
