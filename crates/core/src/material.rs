use alloc::vec::Vec;

use crate::Game;

/// What moves take and give up: unlocks the themes of puzzles.
///
/// A game in which nothing can be lost leaves everything as it is.
pub trait Material: Game {
    /// What a sacrifice is here, in a few words; `None` where there are no pieces to lose.
    fn describe_sacrifice(&self) -> Option<&'static str> {
        None
    }

    /// How many pieces the side to move has that can be lost, and how many the other.
    fn piece_counts(&self, _position: Self::Position) -> [u32; 2] {
        [0; 2]
    }

    /// Whether a move takes a piece of the opponent's from the board. `mv` must come from
    /// [`Game::moves`].
    fn is_capture(&self, position: Self::Position, mv: Self::Move) -> bool {
        let [_, other] = self.piece_counts(position);
        self.piece_counts(self.play(position, mv))[0] < other
    }

    /// Whether a move gives up a piece of the mover's, by default by taking it from the board. `mv` must
    /// come from [`Game::moves`].
    fn gives_up_piece(&self, position: Self::Position, mv: Self::Move) -> bool {
        let [own, _] = self.piece_counts(position);
        self.piece_counts(self.play(position, mv))[1] < own
    }
}

/// Whether the opponent can take a piece at once that a move, which takes none itself, leaves standing:
/// [`Material::gives_up`] for games in which pieces are captured by the opponent's moves. A move that ends
/// the game gives nothing up.
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
    let takes = |&reply: &G::Move| {
        let after = game.play(next, reply);
        game.terminal(after).is_none() && game.piece_counts(after)[0] < game.piece_counts(next)[1]
    };
    replies.iter().any(takes)
}
