use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use super::{Bitboard, OnitamaPlayer};

/// A position of Onitama. Size of the board and offsets of the cards are kept in
/// [`Onitama`](super::Onitama).
///
/// Size: 8 bytes on boards of up to 16 squares, 12 bytes up to 32, 24 bytes up to 64.
#[derive(Clone, Copy, Debug)]
pub struct OnitamaPosition<W> {
    /// Pieces of Red and of Blue, masters included.
    pub(super) pieces: [W; 2],
    /// Squares of the masters; [`CAPTURED`] for a captured one.
    pub(super) masters: [u8; 2],
    /// `2 * deal + player`; player 0 is Red, 1 is Blue.
    pub(super) cards: u16,
}

/// Stands for the square of a captured master.
pub(super) const CAPTURED: u8 = 64;

impl<W: Bitboard> OnitamaPosition<W> {
    #[inline]
    pub(super) fn new(
        pieces: [u64; 2],
        masters: [u8; 2],
        deal: usize,
        player: OnitamaPlayer,
    ) -> Self {
        let cards = u16::try_from(2 * deal + player as usize).expect("at most 32,767 deals");
        Self { pieces: pieces.map(W::narrow), masters, cards }
    }

    /// The player to move.
    #[must_use]
    #[inline]
    pub fn player(self) -> OnitamaPlayer {
        if self.cards & 1 == 0 { OnitamaPlayer::Red } else { OnitamaPlayer::Blue }
    }

    /// All pieces of a player, the master included. Bit 0 is the top left square.
    #[must_use]
    #[inline]
    pub fn pieces(self, player: OnitamaPlayer) -> u64 {
        self.pieces[player as usize].widen()
    }

    /// Square of a player's master; `None` if it is captured.
    #[must_use]
    #[inline]
    pub fn master(self, player: OnitamaPlayer) -> Option<u8> {
        let square = self.masters[player as usize];
        (square != CAPTURED).then_some(square)
    }

    #[inline]
    pub(super) fn deal(self) -> usize {
        usize::from(self.cards >> 1)
    }

    /// Masters and cards in one number: `cards << 16 | red_master << 8 | blue_master`.
    #[inline]
    fn masters_and_cards(self) -> u64 {
        u64::from(self.cards) << 16 | u64::from(self.masters[0]) << 8 | u64::from(self.masters[1])
    }

    /// The same position with wide words.
    #[inline]
    pub(super) fn widen(self) -> OnitamaPosition<u64> {
        OnitamaPosition {
            pieces: self.pieces.map(W::widen),
            masters: self.masters,
            cards: self.cards,
        }
    }

    /// The same position with words for its board.
    #[inline]
    pub(super) fn narrow(wide: OnitamaPosition<u64>) -> Self {
        Self { pieces: wide.pieces.map(W::narrow), masters: wide.masters, cards: wide.cards }
    }

    /// The whole position in numbers. Their order selects the canonical member of a class.
    #[inline]
    pub(super) fn sort_key(self) -> [u64; 3] {
        let [red, blue] = self.pieces.map(W::widen);
        [red, blue, self.masters_and_cards()]
    }

    /// Inverse of [`OnitamaPosition::sort_key`].
    #[inline]
    pub(super) fn of_sort_key([red, blue, tail]: [u64; 3]) -> Self {
        Self {
            pieces: [red, blue].map(W::narrow),
            masters: [(tail >> 8) as u8, tail as u8],
            cards: (tail >> 16) as u16,
        }
    }
}

impl<W: Bitboard> PartialEq for OnitamaPosition<W> {
    /// Compares without branches between the fields: a hash table mostly compares equal positions.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (self.pieces == other.pieces)
            & (self.masters == other.masters)
            & (self.cards == other.cards)
    }
}

impl<W: Bitboard> Eq for OnitamaPosition<W> {}

impl<W: Bitboard> Ord for OnitamaPosition<W> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

impl<W: Bitboard> PartialOrd for OnitamaPosition<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes 8 bytes for a position of 8 bytes, else 16 bytes.
impl<W: Bitboard> Hash for OnitamaPosition<W> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [red, blue, tail] = self.sort_key();
        if size_of::<W>() == 2 {
            state.write_u64(red << 48 | blue << 32 | tail);
        } else {
            state.write_u64(red ^ tail << 32);
            state.write_u64(blue);
        }
    }
}
