//! Wins of the opponent in reply to a move, found without playing the move.

use hindsight_core::combinatorics::SetBits;

use super::side::{DobutsuSide, LION};
use super::squares::{Forward, SOURCES, SQUARES};
use super::{DobutsuMove, DobutsuPosition};

/// Steps with which the opponent can win, before the player to move has moved.
///
/// No piece passes over another, so a step onto a square depends on the two squares alone.
pub(super) struct WinningReplies {
    /// Pieces of the opponent that can take the lion where it stands.
    checkers: u16,
    /// Squares that the opponent's pieces can step to.
    attacked: u16,
    /// Squares of the opponent.
    taken: u16,
    /// Squares of the opponent's last row next to its lion.
    last_steps: u16,
    /// Own pieces that can step to each of these squares.
    guards: [u16; SQUARES],
}

impl WinningReplies {
    #[inline]
    pub(super) fn new(position: &DobutsuPosition) -> Self {
        let DobutsuPosition { own, other, .. } = position;
        let lion = other.board[LION].trailing_zeros() as usize;
        let last_steps = SOURCES[0][LION][lion] & Forward::Down.last_row();
        let mut guards = [0; SQUARES];
        SetBits(u64::from(last_steps)).for_each(|square| {
            guards[usize::from(square)] = own.attackers(square.into(), Forward::Up);
        });
        Self {
            checkers: other.attackers(own.board[LION].trailing_zeros(), Forward::Down),
            attacked: other.attacked(Forward::Down),
            taken: other.squares(),
            last_steps,
            guards,
        }
    }

    /// True if the opponent can take the lion after a move, or reach its last row safely.
    #[inline]
    pub(super) fn refute(&self, mv: DobutsuMove) -> bool {
        let to = 1 << mv.to;
        let lion_takers = match usize::from(mv.kind) {
            LION => self.attacked & to,
            _ => self.checkers & !to,
        };
        lion_takers != 0 || self.last_steps != 0 && self.lets_lion_arrive(mv)
    }

    fn lets_lion_arrive(&self, mv: DobutsuMove) -> bool {
        let to = 1 << mv.to;
        let from = mv.from.map_or(0, |from| 1 << from);
        let steps = self.last_steps & !(self.taken & !to);
        SetBits(u64::from(steps)).any(|step| {
            let step = usize::from(step);
            let sources = SOURCES[Forward::Up as usize][usize::from(mv.kind)][step];
            (self.guards[step] & !from) | (sources & to) == 0
        })
    }
}

impl DobutsuSide {
    /// True if the side can surely move, even after the other side takes one of its pieces.
    #[inline]
    pub(super) fn stays_mobile(&self) -> bool {
        let lion = self.board[LION].trailing_zeros() as usize;
        self.hand != [0; 3] || SOURCES[0][LION][lion] & !self.squares() != 0
    }
}
