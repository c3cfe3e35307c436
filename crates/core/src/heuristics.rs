use alloc::vec::Vec;

use crate::{Game, Random};

/// Game with estimates of positions, or with random games of its own.
///
/// [`Game::heuristics`] hands it to agents and searches. Each method has a default.
pub trait Heuristics: Game {
    /// Estimates a position that is not terminal, for the side to move, without search.
    ///
    /// Unit: a hundredth of a piece, positive if the side to move is better; the absolute value is
    /// below 10,000. All members of a class have the same estimate. `None` without an estimate.
    fn evaluate(&self, _position: Self::Position) -> Option<i32> {
        None
    }

    /// Counts the moves after which the opponent cannot win in one ply.
    ///
    /// The position must be neither terminal nor won in one ply. All members of a class have the
    /// same count. `None` if there is no quick way to count them.
    fn safe_move_count(&self, _position: Self::Position) -> Option<u32> {
        None
    }

    /// Computes [`playout`], by a faster way than to list all moves of each position.
    fn playout(
        &self,
        position: Self::Position,
        plies: u32,
        random: &mut dyn Random,
    ) -> (Self::Position, u32) {
        playout_by_moves(self, position, plies, random)
    }
}

/// Plays at most `plies` random moves; each legal move has the same chance.
///
/// Returns the last position and the number of plies played, which is below `plies` only if the
/// game is over. Cost: of [`Heuristics::playout`], or of [`playout_by_moves`] without one.
///
/// # Panics
/// If a position has 2^32 moves or more.
#[inline]
pub fn playout<G: Game + ?Sized>(
    game: &G,
    position: G::Position,
    plies: u32,
    random: &mut dyn Random,
) -> (G::Position, u32) {
    match game.heuristics() {
        Some(heuristics) => heuristics.playout(position, plies, random),
        None => playout_by_moves(game, position, plies, random),
    }
}

/// Computes [`playout`] by listing all moves of each position.
///
/// # Panics
/// If a position has 2^32 moves or more.
#[inline]
pub fn playout_by_moves<G: Game + ?Sized>(
    game: &G,
    mut position: G::Position,
    plies: u32,
    random: &mut dyn Random,
) -> (G::Position, u32) {
    let mut moves = Vec::new();
    for played in 0..plies {
        moves.clear();
        game.moves(position, &mut moves);
        if moves.is_empty() {
            return (position, played);
        }
        let count = u32::try_from(moves.len()).expect("a position has fewer than 2^32 moves");
        let drawn = random.below(count);
        position = game.play(position, moves[drawn as usize]);
    }
    (position, plies)
}
