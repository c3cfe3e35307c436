//! Pieces of one side.

use hindsight_core::combinatorics::SetBits;

use super::squares::{Forward, SOURCES, image};

/// Kinds of pieces, as indices.
pub(super) const LION: usize = 0;
pub(super) const GIRAFFE: usize = 1;
pub(super) const ELEPHANT: usize = 2;
pub(super) const CHICK: usize = 3;
pub(super) const HEN: usize = 4;
/// Kinds that can be in hand.
pub(super) const HAND_KINDS: [usize; 3] = [GIRAFFE, ELEPHANT, CHICK];

/// Pieces of one side: sets of squares by kind, and numbers in hand of giraffes, elephants, chicks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(super) struct DobutsuSide {
    pub(super) board: [u16; 5],
    pub(super) hand: [u8; 3],
}

impl DobutsuSide {
    /// Sets and numbers in three words; sets have 12 bits.
    #[inline]
    pub(super) fn words(self) -> [u32; 3] {
        let [a, b, c, d, e] = self.board.map(u32::from);
        let [x, y, z] = self.hand.map(u32::from);
        [a << 16 | b, c << 16 | d, e << 16 | x << 8 | y << 4 | z]
    }

    /// Inverse of [`DobutsuSide::words`].
    #[inline]
    pub(super) fn of_words([first, second, third]: [u32; 3]) -> Self {
        let halves = |word: u32| [(word >> 16) as u16, word as u16];
        let ([a, b], [c, d], [e, hand]) = (halves(first), halves(second), halves(third));
        Self { board: [a, b, c, d, e], hand: [8, 4, 0].map(|at| (hand >> at & 15) as u8) }
    }

    /// Squares of all pieces.
    #[inline]
    pub(super) fn squares(&self) -> u16 {
        self.board.iter().fold(0, |all, set| all | set)
    }

    /// Number in hand of a kind.
    pub(super) fn in_hand(&self, kind: usize) -> &u8 {
        &self.hand[kind - 1]
    }

    pub(super) fn in_hand_mut(&mut self, kind: usize) -> &mut u8 {
        &mut self.hand[kind - 1]
    }

    /// Number of pieces of a kind that can be in hand, on the board too. Hens are chicks.
    #[inline]
    pub(super) fn count(&self, kind: usize) -> u32 {
        let hens = if kind == CHICK { self.board[HEN] } else { 0 };
        (self.board[kind] | hens).count_ones() + u32::from(*self.in_hand(kind))
    }

    /// Kind of the piece on a square that has one.
    #[inline]
    pub(super) fn kind_on(&self, square: u16) -> Option<usize> {
        self.board.iter().position(|set| set & square != 0)
    }

    /// The same pieces on the images of their squares.
    #[inline]
    pub(super) fn image(&self, table: &[u16; 4096]) -> Self {
        Self { board: self.board.map(|set| image(set, table)), hand: self.hand }
    }

    /// Pieces of which a step leads to a square.
    #[inline]
    pub(super) fn attackers(&self, square: u32, forward: Forward) -> u16 {
        let sources = &SOURCES[forward as usize];
        let from = |kind: usize| self.board[kind] & sources[kind][square as usize];
        from(LION) | from(GIRAFFE) | from(ELEPHANT) | from(CHICK) | from(HEN)
    }

    /// True if a step of some piece leads to a square.
    #[inline]
    pub(super) fn attacks(&self, square: u32, forward: Forward) -> bool {
        self.attackers(square, forward) != 0
    }

    /// Squares to which a step of some piece leads, own pieces on them or not.
    #[inline]
    pub(super) fn attacked(&self, forward: Forward) -> u16 {
        // A step leads to the sources of the same step backward.
        let targets = &SOURCES[forward.back() as usize];
        let mut attacked = 0;
        for (targets, &pieces) in targets.iter().zip(&self.board) {
            SetBits(u64::from(pieces)).for_each(|from| attacked |= targets[usize::from(from)]);
        }
        attacked
    }

    /// True if a move of this side ends the game: it takes the lion, or leads the own lion to the
    /// last row, where the other side cannot take it.
    ///
    /// Both sides must have a lion.
    #[inline]
    pub(super) fn wins_at_once(&self, other: &Self, forward: Forward) -> bool {
        if self.attacks(other.board[LION].trailing_zeros(), forward) {
            return true;
        }
        // The steps of a lion are the same forth and back.
        let lion = self.board[LION].trailing_zeros();
        let steps = SOURCES[0][LION][lion as usize] & forward.last_row() & !self.squares();
        steps != 0
            && SetBits(u64::from(steps)).any(|to| !other.attacks(u32::from(to), forward.back()))
    }

    /// True if the side has a legal move. With a piece in hand it has one: eight pieces leave four
    /// squares free.
    #[inline]
    pub(super) fn can_move(&self, forward: Forward) -> bool {
        let own = self.squares();
        self.hand != [0; 3]
            || self.board.iter().enumerate().any(|(kind, &pieces)| {
                SetBits(u64::from(pieces)).any(|from| {
                    // A step leads to the sources of the same step backward.
                    let targets = SOURCES[forward.back() as usize][kind][usize::from(from)];
                    targets & !own != 0
                })
            })
    }

    /// Takes a piece off the board; returns the kind that comes into the other's hand. `None` if
    /// there was none, or a lion, which goes nowhere.
    #[inline]
    pub(super) fn lose(&mut self, square: u16) -> Option<usize> {
        let kind = self.kind_on(square)?;
        self.board[kind] &= !square;
        match kind {
            LION => None,
            HEN => Some(CHICK),
            kind => Some(kind),
        }
    }
}
