use alloc::vec::Vec;
use core::fmt::Debug;
use core::hash::Hash;

use crate::{Random, Wdl};

/// Rules of a finite two-player game of perfect information. Pure: no input or output, no hidden state.
///
/// Board sizes and variants are fields of the game's value. A history rule goes into `Position`.
/// `hindsight_testkit::check_laws` plays at random and checks what is promised here.
pub trait Game: Sync {
    /// Everything that affects the future, whose turn included. Equal means interchangeable.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// One ply.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The position a game begins with; never terminal.
    fn start(&self) -> Self::Position;

    /// The result for the side to move if the game is over here, else `None`.
    fn terminal(&self, position: Self::Position) -> Option<Wdl>;

    /// Appends every legal move once, in a fixed order; none if and only if the position is terminal.
    fn moves(&self, position: Self::Position, out: &mut Vec<Self::Move>);

    /// The successor. `mv` must come from [`Game::moves`] of the same position (may panic otherwise).
    fn play(&self, position: Self::Position, mv: Self::Move) -> Self::Position;

    /// Appends the successor of every legal move, in the order of [`Game::moves`]. A game may override
    /// this where it can be done faster than move by move.
    #[inline]
    fn successors(&self, position: Self::Position, out: &mut Vec<Self::Position>) {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        out.extend(moves.into_iter().map(|mv| self.play(position, mv)));
    }

    /// Plays moves drawn at random, each legal one with the same chance, until the game is over or `plies`
    /// moves were made; the last position, and how many there were. A game may override this where it
    /// can be done faster than by listing moves.
    #[inline]
    fn playout<R: Random>(
        &self,
        position: Self::Position,
        plies: u32,
        random: &mut R,
    ) -> (Self::Position, u32) {
        playout_by_moves(self, position, plies, random)
    }

    /// A guess of how good a position that is not over is for the side to move: about a hundred for a man more,
    /// less than 10,000 either way. `None` where nobody has thought of one.
    #[inline]
    fn evaluate(&self, _position: Self::Position) -> Option<i32> {
        None
    }

    /// How many moves there are after which the other side has no win in one ply, in a position that is not over
    /// and not won in one ply. The same for all members of a class. `None` where that is not told quickly.
    #[inline]
    fn safe_moves(&self, _position: Self::Position) -> Option<u32> {
        None
    }

    /// The chosen member of the position's symmetry class; idempotent. Default: no symmetry.
    #[inline]
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }
}

/// [`Game::playout`] by listing moves.
#[inline]
pub fn playout_by_moves<G: Game + ?Sized, R: Random>(
    game: &G,
    mut position: G::Position,
    plies: u32,
    random: &mut R,
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

/// Which symmetries [`Game::canonical`] uses. The game is the same; only the number of positions
/// that a solver must keep changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// Every position stands for itself.
    #[default]
    None,
    /// A position and the one with the players exchanged are one.
    Swap,
    /// Every symmetry the game has.
    All,
}
