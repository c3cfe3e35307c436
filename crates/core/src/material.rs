use alloc::vec::Vec;

use crate::Game;

/// Game with captures and sacrifices, themes of puzzles.
///
/// [`Game::material`] hands it to puzzles.
pub trait Material: Game {
    /// Describes a sacrifice of this game in a few words.
    fn describe_sacrifice(&self) -> &'static str;

    /// Counts the pieces that can be lost: `[side to move, other side]`.
    fn piece_counts(&self, position: Self::Position) -> [u32; 2];

    /// Returns true if a move removes a piece of the opponent.
    ///
    /// `mv` must come from [`Game::moves`].
    fn is_capture(&self, position: Self::Position, mv: Self::Move) -> bool {
        let [_, other] = self.piece_counts(position);
        self.piece_counts(self.play(position, mv))[0] < other
    }

    /// Returns true if a move gives up a piece of the mover.
    ///
    /// The default checks that the move itself removes the piece. [`leaves_piece_en_prise`] serves
    /// games in which the opponent captures the piece in the next ply. `mv` must come from
    /// [`Game::moves`].
    fn gives_up_piece(&self, position: Self::Position, mv: Self::Move) -> bool {
        let [own, _] = self.piece_counts(position);
        self.piece_counts(self.play(position, mv))[1] < own
    }
}

/// Returns true if a move that captures nothing lets the opponent capture a piece at once.
///
/// Captures that end the game do not count, nor do moves that end it. Implements
/// [`Material::gives_up_piece`] for games in which the opponent's moves capture. `mv` must come
/// from [`Game::moves`].
///
/// Cost: all replies to the move are listed and played.
pub fn leaves_piece_en_prise<G: Material + ?Sized>(
    game: &G,
    position: G::Position,
    mv: G::Move,
) -> bool {
    let next = game.play(position, mv);
    if game.terminal(next).is_some() || game.is_capture(position, mv) {
        return false;
    }
    let mut replies = Vec::new();
    game.moves(next, &mut replies);
    let is_capture = |&reply: &G::Move| {
        let after = game.play(next, reply);
        game.terminal(after).is_none() && game.piece_counts(after)[0] < game.piece_counts(next)[1]
    };
    replies.iter().any(is_capture)
}
