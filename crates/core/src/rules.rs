use alloc::vec::Vec;
use core::fmt::Debug;
use core::hash::Hash;

use crate::{Random, Wdl};

/// Rules of a finite game of perfect information for two players who move in turn.
///
/// Methods are pure functions: no input or output, no hidden state. Board sizes and variants are
/// fields of the type that implements the trait. A rule about the history of the game, such as a
/// forbidden repetition, needs its facts in `Position`.
///
/// `hindsight_testkit::check_laws` plays random games and checks the laws stated here.
///
/// # Examples
/// ```
/// use hindsight_core::{Game, Wdl};
///
/// /// Heap of stones. A move takes one or two; whoever takes the last stone wins.
/// struct TakeAway {
///     stones: u8,
/// }
///
/// impl Game for TakeAway {
///     type Position = u8; // Stones left. The rules are the same for both sides.
///     type Move = u8; // Stones taken.
///
///     fn start(&self) -> u8 {
///         self.stones
///     }
///     fn terminal(&self, left: u8) -> Option<Wdl> {
///         (left == 0).then_some(Wdl::Loss)
///     }
///     fn moves(&self, left: u8, out: &mut Vec<u8>) {
///         out.extend(1..=left.min(2));
///     }
///     fn play(&self, left: u8, taken: u8) -> u8 {
///         left - taken
///     }
/// }
///
/// let mut successors = Vec::new();
/// TakeAway { stones: 5 }.successors(5, &mut successors);
/// assert_eq!(successors, [4, 3]);
/// ```
pub trait Game: Sync {
    /// All that affects the rest of the game, including the side to move.
    ///
    /// Equal positions must be interchangeable: same moves, same results.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// One move of one side.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// Returns the first position of the game, which must not be terminal.
    fn start(&self) -> Self::Position;

    /// Returns the result for the side to move if the game is over; `None` if it goes on.
    fn terminal(&self, position: Self::Position) -> Option<Wdl>;

    /// Appends every legal move once, in an order that depends only on the position.
    ///
    /// Appends nothing if and only if the position is terminal.
    fn moves(&self, position: Self::Position, out: &mut Vec<Self::Move>);

    /// Returns the position after a move.
    ///
    /// `mv` must come from [`Game::moves`] of the same position.
    ///
    /// # Panics
    /// May panic for any other `mv`; the result is meaningless if it does not.
    fn play(&self, position: Self::Position, mv: Self::Move) -> Self::Position;

    /// Appends the successor by every legal move, in the order of [`Game::moves`].
    ///
    /// Override it if there is a faster way than to play each move.
    #[inline]
    fn successors(&self, position: Self::Position, out: &mut Vec<Self::Position>) {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        out.extend(moves.into_iter().map(|mv| self.play(position, mv)));
    }

    /// Plays at most `plies` random moves; each legal move has the same chance.
    ///
    /// Returns the last position and the number of plies played, which is below `plies` only if the
    /// game is over. Override it if there is a faster way than to list all moves of each position.
    #[inline]
    fn playout<R: Random>(
        &self,
        position: Self::Position,
        plies: u32,
        random: &mut R,
    ) -> (Self::Position, u32) {
        playout_by_moves(self, position, plies, random)
    }

    /// Estimates a position that is not terminal, for the side to move, without search.
    ///
    /// Unit: a hundredth of a piece, positive if the side to move is better; the absolute value is
    /// below 10,000. All members of a class have the same estimate. `None` if the game has no
    /// heuristic, which is the default.
    #[inline]
    fn evaluate(&self, _position: Self::Position) -> Option<i32> {
        None
    }

    /// Counts the moves after which the opponent cannot win in one ply.
    ///
    /// The position must be neither terminal nor won in one ply. All members of a class have the
    /// same count. `None`, the default, if the game has no quick way to count them.
    #[inline]
    fn safe_move_count(&self, _position: Self::Position) -> Option<u32> {
        None
    }

    /// Returns the canonical member of the position's symmetry class.
    ///
    /// `canonical(canonical(p)) == canonical(p)`, and the canonical member has the same value. The
    /// default uses no symmetry: each position is its own class.
    #[inline]
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }
}

/// Computes [`Game::playout`] by listing all moves of each position.
///
/// # Panics
/// If a position has 2^32 moves or more.
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

/// Symmetries that [`Game::canonical`] uses.
///
/// The choice changes neither rules nor values, only the number of positions that a solver keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// No symmetry: each position is its own class.
    #[default]
    None,
    /// Exchange of the players.
    Swap,
    /// All symmetries of the game.
    All,
}
