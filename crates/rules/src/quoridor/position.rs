use core::hash::{Hash, Hasher};

use super::QuoridorPlayer;

/// A set of fences: bit `a` is the fence in the middle of anchor `a`. Ordered as one number with the
/// vertical fences above the horizontal ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Fences {
    /// Those that run along a file and stop steps to the left and right.
    pub vertical: u64,
    /// Those that run along a row and stop steps up and down.
    pub horizontal: u64,
}

impl Fences {
    /// How many there are.
    #[must_use]
    #[inline]
    pub fn len(self) -> u32 {
        self.horizontal.count_ones() + self.vertical.count_ones()
    }

    /// These and others.
    #[inline]
    pub(super) fn with(self, others: Self) -> Self {
        Self {
            vertical: self.vertical | others.vertical,
            horizontal: self.horizontal | others.horizontal,
        }
    }

    /// Whether there is none.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// Where fences and pawns are, how many fences are in hand, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct QuoridorPosition {
    pub(super) fences: Fences,
    /// The square of White's pawn, then of Black's.
    pub(super) pawns: [u8; 2],
    pub(super) hands: [u8; 2],
    pub(super) player: QuoridorPlayer,
}

impl QuoridorPosition {
    /// The fences on the board.
    #[must_use]
    #[inline]
    pub fn fences(self) -> Fences {
        self.fences
    }

    /// The fences in hand.
    #[must_use]
    #[inline]
    pub fn hand(self, player: QuoridorPlayer) -> u8 {
        self.hands[player as usize]
    }

    /// The square of a pawn, row by row from the bottom left.
    #[must_use]
    #[inline]
    pub fn pawn(self, player: QuoridorPlayer) -> u8 {
        self.pawns[player as usize]
    }

    /// Whose turn it is.
    #[must_use]
    #[inline]
    pub fn player(self) -> QuoridorPlayer {
        self.player
    }

    /// The same with other fences in hand: a position of the game with another stock.
    #[must_use]
    #[inline]
    pub fn with_hands(self, hands: [u8; 2]) -> Self {
        Self { hands, ..self }
    }

    /// The pawns of the side to move and of the other.
    #[inline]
    pub(super) fn own_and_other(self) -> [u8; 2] {
        let [white, black] = self.pawns;
        match self.player {
            QuoridorPlayer::White => [white, black],
            QuoridorPlayer::Black => [black, white],
        }
    }
}

impl Hash for QuoridorPosition {
    /// Three words rather than seven fields.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [white, black] = self.pawns;
        let [first, second] = self.hands;
        let rest = [white, black, first, second, self.player as u8, 0, 0, 0];
        state.write_u64(self.fences.horizontal);
        state.write_u64(self.fences.vertical);
        state.write_u64(u64::from_le_bytes(rest));
    }
}
