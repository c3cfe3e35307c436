use alloc::vec::Vec;
use core::fmt::Debug;
use core::hash::Hash;

use crate::expansion::{ExpandedPosition, Expansion, Look};
use crate::{
    Countdown, Heuristics, Material, PlayoutQueue, Random, Value, Wdl, playout_by_moves,
    playouts_in_turn,
};

/// Rules of a finite game of perfect information for two players who move in turn.
///
/// Methods are pure functions: no input or output, no hidden state. Board sizes and variants are
/// fields of the type that implements the trait, written as one spec. The symmetries that
/// [`Game::canonical`] uses are a field too, but no part of the spec, because they change no rule.
/// A rule about the history of the game, such as a forbidden repetition, needs its facts in
/// `Position`.
///
/// An author writes five methods. The others have defaults: faster ways, symmetries, and three
/// optional traits.
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
///     type Position = u8; // Stones left.
///     type Move = u8; // Stones taken.
///
///     fn start(&self) -> u8 {
///         self.stones
///     }
///     fn player_to_move(&self, _left: u8) -> usize {
///         0 // A heap is the same for both sides.
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
    /// The order has no meaning of its own; it selects canonical members.
    type Position: Copy + Ord + Hash + Debug + Send + Sync;
    /// One move of one side.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// Returns the bytes of the tables by which the game moves and numbers its positions, if they
    /// are many: 0 for less than about a megabyte.
    ///
    /// Tables that the game makes when they are first needed are made by this call.
    #[inline]
    fn table_bytes(&self) -> u64 {
        0
    }

    /// Returns the first position of the game, which must not be terminal.
    fn start(&self) -> Self::Position;

    /// Returns the player to move, 0 or 1.
    ///
    /// The player changes with every ply, or is always 0 if positions show only the mover's view.
    fn player_to_move(&self, position: Self::Position) -> usize;

    /// Returns the result for the side to move if the game is over; `None` if it goes on.
    fn terminal(&self, position: Self::Position) -> Option<Wdl>;

    /// Returns false for what a forged file may hold in the place of a position, such as two pieces
    /// on one square.
    ///
    /// No method panics for a position that is accepted here, and its successors are accepted too.
    /// It need not be reachable.
    #[inline]
    fn is_position(&self, _position: Self::Position) -> bool {
        true
    }

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

    /// Appends images of a position, which have the same value.
    ///
    /// For the default of [`Game::canonical`], a position and its images are a symmetry class, and
    /// each member has the others as images. A game that overrides `canonical` lists them for its
    /// users alone. The default lists none: each position is its own class.
    #[inline]
    fn images(&self, _position: Self::Position, _out: &mut Vec<Self::Position>) {}

    /// Returns the canonical member of the position's symmetry class.
    ///
    /// `canonical(canonical(p)) == canonical(p)`, and the canonical member has the same value. The
    /// default is the least member of [`Game::images`]. Override it if there is a faster way.
    #[inline]
    fn canonical(&self, position: Self::Position) -> Self::Position {
        let mut images = Vec::new();
        self.images(position, &mut images);
        images.into_iter().fold(position, Ord::min)
    }

    /// Replaces each position by its canonical member.
    #[inline]
    fn canonicalize(&self, positions: &mut [Self::Position]) {
        for position in positions {
            *position = self.canonical(*position);
        }
    }

    /// Appends every legal move and the position after it, in the order of [`Game::moves`].
    #[inline]
    fn children(
        &self,
        position: Self::Position,
        moves: &mut Vec<Self::Move>,
        next: &mut Vec<Self::Position>,
    ) {
        let first = moves.len();
        self.moves(position, moves);
        next.extend(moves[first..].iter().map(|&mv| self.play(position, mv)));
    }

    /// Expands positions in their order until there are `most` successors or more, but at least
    /// the first one.
    ///
    /// Batches of a hundred positions and more make the call itself cheap.
    #[inline]
    fn expand(
        &self,
        positions: &[Self::Position],
        most: usize,
        out: &mut Expansion<Self::Position>,
    ) {
        expand_in_turn(self, positions, most, out);
    }

    /// Announces positions that will be looked at. Rules that live outside are then asked about all
    /// at once. The default does nothing.
    #[inline]
    fn announce(&self, _positions: &[Self::Position]) {}

    /// Tells if the game is over, else what [`Heuristics`] know: the number of safe moves, or if
    /// there is none the estimate. They mean nothing where a move wins at once.
    #[inline]
    fn look(&self, position: Self::Position) -> Look {
        if let Some(wdl) = self.terminal(position) {
            return Look::Over(wdl);
        }
        let Some(heuristics) = self.heuristics() else {
            return Look::Open;
        };
        match heuristics.safe_move_count(position) {
            Some(moves) => Look::SafeMoves(moves),
            None => heuristics.evaluate(position).map_or(Look::Open, Look::Estimate),
        }
    }

    /// Plays at most `plies` random moves; each legal move has the same chance. Returns the last
    /// position and the number of plies played, which is below `plies` only if the game is over.
    ///
    /// Cost: that of [`Heuristics::playout`] if the game has heuristics, else that of
    /// [`playout_by_moves`].
    ///
    /// # Panics
    /// If a position has 2^32 moves or more.
    #[inline]
    fn random_playout(
        &self,
        position: Self::Position,
        plies: u32,
        random: &mut dyn Random,
    ) -> (Self::Position, u32) {
        match self.heuristics() {
            Some(heuristics) => heuristics.playout(position, plies, random),
            None => playout_by_moves(self, position, plies, random),
        }
    }

    /// Plays random games of at most `plies` plies each, all that the queue wants.
    ///
    /// Each game is one of [`Game::random_playout`]. Games that are played at a time draw from
    /// `random` in turns, so equal seeds give equal games only for the same queue.
    ///
    /// # Panics
    /// If a position has 2^32 moves or more.
    #[inline]
    fn random_playouts(
        &self,
        plies: u32,
        queue: &mut dyn PlayoutQueue<Self::Position>,
        random: &mut dyn Random,
    ) {
        match self.heuristics() {
            Some(heuristics) => heuristics.playouts(plies, queue, random),
            None => {
                playouts_in_turn(queue, |position| self.random_playout(position, plies, random));
            }
        }
    }

    /// Returns the estimates and random games of this game; `None` if it has none of its own.
    #[inline]
    fn heuristics(&self) -> Option<&dyn Heuristics<Position = Self::Position, Move = Self::Move>> {
        None
    }

    /// Returns the captures and sacrifices of this game; `None` if no piece can be lost.
    #[inline]
    fn material(&self) -> Option<&dyn Material<Position = Self::Position, Move = Self::Move>> {
        None
    }

    /// Returns the game as one in which every move uses up a ply; `None` if it may not be one.
    #[inline]
    fn countdown(&self) -> Option<&dyn Countdown<Position = Self::Position, Move = Self::Move>> {
        None
    }
}

/// Computes [`Game::expand`] position by position.
fn expand_in_turn<G: Game + ?Sized>(
    game: &G,
    positions: &[G::Position],
    most: usize,
    out: &mut Expansion<G::Position>,
) {
    let begin = out.successors.len();
    for &position in positions {
        let first = out.successors.len();
        if first - begin >= most {
            break;
        }
        let value = match game.terminal(position) {
            Some(wdl) => Some(Value::terminal(wdl)),
            None => {
                game.successors(position, &mut out.successors);
                let is_lost = |&next: &G::Position| game.terminal(next) == Some(Wdl::Loss);
                out.successors[first..].iter().any(is_lost).then_some(Value::Win(1))
            }
        };
        let successors = out.successors.len() - first;
        let successors = u32::try_from(successors).expect("a position has fewer than 2^32 moves");
        out.positions.push(ExpandedPosition { value, successors });
    }
    game.canonicalize(&mut out.successors[begin..]);
}

/// Symmetries that [`Game::canonical`] uses.
///
/// The choice changes neither rules nor values, only the number of positions that a solver keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// No symmetry: each position is its own class. Some games merge the players all the same:
    /// those whose positions are counted as the player to move sees them.
    #[default]
    None,
    /// Exchange of the players.
    Swap,
    /// All symmetries of the game.
    All,
}

impl Symmetry {
    /// Returns the name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Swap => "swap",
            Self::All => "all",
        }
    }

    /// Returns the symmetry whose number in files this is; `symmetry as u8` is the inverse.
    #[must_use]
    pub fn of_code(code: u8) -> Option<Self> {
        [Self::None, Self::Swap, Self::All].into_iter().find(|&symmetry| symmetry as u8 == code)
    }
}
