use core::hash::{Hash, Hasher};

use super::QuoridorPlayer;

/// A set of fences: bit `a` is the fence with anchor `a` as its middle.
///
/// Order: as the number `vertical << 64 | horizontal`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Fences {
    /// Fences along a file, which stop steps to the left and right.
    pub vertical: u64,
    /// Fences along a row, which stop steps up and down.
    pub horizontal: u64,
}

impl Fences {
    /// Number of fences.
    #[must_use]
    #[inline]
    pub fn len(self) -> u32 {
        self.horizontal.count_ones() + self.vertical.count_ones()
    }

    /// Union of two sets.
    #[inline]
    pub(super) fn with(self, others: Self) -> Self {
        Self {
            vertical: self.vertical | others.vertical,
            horizontal: self.horizontal | others.horizontal,
        }
    }

    /// The set without the fences of another.
    #[inline]
    pub(super) fn without(self, others: Self) -> Self {
        Self {
            vertical: self.vertical & !others.vertical,
            horizontal: self.horizontal & !others.horizontal,
        }
    }

    /// Returns true if there is no fence.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// Fences and pawns on the board, fences in hand, and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct QuoridorPosition {
    pub(super) fences: Fences,
    /// Squares of White's pawn and of Black's pawn.
    pub(super) pawns: [u8; 2],
    /// Numbers of fences in White's hand and in Black's hand.
    pub(super) hands: [u8; 2],
    pub(super) player: QuoridorPlayer,
}

impl QuoridorPosition {
    /// Fences on the board.
    #[must_use]
    #[inline]
    pub fn fences(self) -> Fences {
        self.fences
    }

    /// Number of fences in a player's hand.
    #[must_use]
    #[inline]
    pub fn hand(self, player: QuoridorPlayer) -> u8 {
        self.hands[player as usize]
    }

    /// Square of a player's pawn, numbered row by row from the bottom left.
    #[must_use]
    #[inline]
    pub fn pawn(self, player: QuoridorPlayer) -> u8 {
        self.pawns[player as usize]
    }

    /// The player to move.
    #[must_use]
    #[inline]
    pub fn player(self) -> QuoridorPlayer {
        self.player
    }

    /// The position with other numbers of fences in hand, White's first. It belongs to the game
    /// with the stock that this makes.
    #[must_use]
    #[inline]
    pub fn with_hands(self, hands: [u8; 2]) -> Self {
        Self { hands, ..self }
    }

    /// Pawns of the player to move and of the opponent.
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
    /// Writes three words instead of seven fields.
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
