//! Traits that a game may have beside its rules: [`Game::heuristics`], [`Game::material`] and
//! [`Game::countdown`] hand them out.

use alloc::vec::Vec;

use crate::playout_queue::{PlayoutQueue, playouts_in_turn};
use crate::{Game, Random, Wdl};

/// Game with estimates of positions, or with random games of its own.
///
/// [`Game::heuristics`] hands it to agents and searches. Each method has a default.
pub trait Heuristics: Game {
    /// Estimates a position that is not terminal, for the side to move, without search.
    ///
    /// Unit: a hundredth of a piece, positive if the side to move is better; the absolute value is
    /// below 10,000. All members of a class have the same estimate. `None` if there is no estimate.
    fn evaluate(&self, _position: Self::Position) -> Option<i32> {
        None
    }

    /// Counts the moves after which the opponent cannot win in one ply.
    ///
    /// The position must not be terminal. The count means nothing if a move wins at once. All
    /// members of a class have the same count. `None` if there is no quick way to count them.
    fn safe_move_count(&self, _position: Self::Position) -> Option<u32> {
        None
    }

    /// Computes [`Game::random_playout`]. The default lists all moves of each position.
    ///
    /// An override must draw each legal move with the same chance.
    fn playout(
        &self,
        position: Self::Position,
        plies: u32,
        random: &mut dyn Random,
    ) -> (Self::Position, u32) {
        playout_by_moves(self, position, plies, random)
    }

    /// Computes [`Game::random_playouts`]. The default plays one game after the other.
    ///
    /// An override must draw each legal move with the same chance. It may play several games at a
    /// time, and finish them in another order than they began.
    fn playouts(
        &self,
        plies: u32,
        queue: &mut dyn PlayoutQueue<Self::Position>,
        random: &mut dyn Random,
    ) {
        playouts_in_turn(queue, |position| self.playout(position, plies, random));
    }
}

/// Computes [`Game::random_playout`] by listing all moves of each position.
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

/// Game without cycles: after every move one ply fewer is left.
///
/// Boards that fill up are such games. [`Game::countdown`] hands them to searches for the value and
/// the remoteness of a position. An author writes three methods.
///
/// # Laws
/// `hindsight_testkit::check_laws` checks them in random games:
///
/// * `plies_left(play(p, mv)) + 1 == plies_left(p)`.
/// * A finished position is lost for the side to move, or drawn. It is drawn if and only if no ply
///   is left and nobody has won.
/// * Different positions have different keys, below `2^key_bits`.
/// * Positions that are equal by symmetry have the same class key, which is the key of one of them.
/// * [`Countdown::outlook`] finds the safe moves of [`outlook_by_moves`].
pub trait Countdown: Game {
    /// Returns the number of plies after which the game ends, if nobody wins before.
    fn plies_left(&self, position: Self::Position) -> u32;

    /// Returns the number of bits of a key, from 1 to 64.
    fn key_bits(&self) -> u32;

    /// Returns the number that stands for a position in tables.
    fn key(&self, position: Self::Position) -> u64;

    /// Returns the key of the member that stands for the positions equal by any symmetry, whatever
    /// [`Game::canonical`] merges. The default is [`Countdown::key`].
    fn class_key(&self, position: Self::Position) -> u64 {
        self.key(position)
    }

    /// Looks two plies ahead. If neither side wins by then, appends the safe moves to `out`.
    ///
    /// The position must not be finished, and `plies_left` must be its plies left. Override it if
    /// there is a faster way than the default, which is [`outlook_by_moves`].
    fn outlook(
        &self,
        position: Self::Position,
        plies_left: u32,
        out: &mut Vec<SafeMove<Self::Position>>,
    ) -> Outlook {
        let _ = plies_left;
        outlook_by_moves(self, position, out)
    }
}

/// Future of a position that is not finished, by a look two plies ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// A move wins.
    WinsAtOnce,
    /// No move wins, and after each the opponent wins.
    LosesAtOnce,
    /// Neither side wins in two plies. If `can_win` is false, the side to move has no forced win,
    /// and if `can_lose` is false, the other side has none; if true, nothing is known.
    Open {
        /// False only if the side to move cannot force a win.
        can_win: bool,
        /// False only if the other side cannot force a win.
        can_lose: bool,
    },
}

/// Move after which the opponent cannot win at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SafeMove<P> {
    /// Position after the move.
    pub position: P,
    /// [`Countdown::key`] of the position.
    pub key: u64,
    /// Estimate of the move: the greater, the sooner it is searched.
    pub urgency: u32,
}

/// Computes [`Countdown::outlook`] by playing all moves, and all replies to them.
pub fn outlook_by_moves<G: Countdown + ?Sized>(
    game: &G,
    position: G::Position,
    out: &mut Vec<SafeMove<G::Position>>,
) -> Outlook {
    let (mut successors, mut replies) = (Vec::new(), Vec::new());
    game.successors(position, &mut successors);
    let is_lost = |&next: &G::Position| game.terminal(next) == Some(Wdl::Loss);
    if successors.iter().any(is_lost) {
        return Outlook::WinsAtOnce;
    }
    let before = out.len();
    for next in successors {
        replies.clear();
        if game.terminal(next).is_none() {
            game.successors(next, &mut replies);
        }
        if !replies.iter().any(is_lost) {
            out.push(SafeMove { position: next, key: game.key(next), urgency: 0 });
        }
    }
    if out.len() == before {
        Outlook::LosesAtOnce
    } else {
        Outlook::Open { can_win: true, can_lose: true }
    }
}
