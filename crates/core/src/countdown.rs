//! Games without cycles, in which every move uses up a ply: [`Game::countdown`] hands them out.

use alloc::vec::Vec;

use crate::{Game, Wdl};

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
            out.push(SafeMove {
                position: next,
                key: game.key(next),
                urgency: 0,
            });
        }
    }
    match out.len() == before {
        true => Outlook::LosesAtOnce,
        false => Outlook::Open {
            can_win: true,
            can_lose: true,
        },
    }
}
