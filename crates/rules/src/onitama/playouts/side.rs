//! One side of a random game, in words with a byte for each piece.

use hindsight_core::combinatorics::SetBits;

use super::super::OnitamaPosition;
use super::super::position::CAPTURED;
use super::table::{HandMove, NOWHERE, PlayoutTable};

/// `byte * EACH_BYTE` has the byte eight times. `bytes * EACH_BYTE` has the sum of bytes 0 to `n`
/// in byte `n`, if no sum exceeds a byte.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each byte.
const HIGH_BITS: u64 = 0x80 * EACH_BYTE;

/// The pieces and the hand of one side.
#[derive(Clone, Copy)]
pub(super) struct PlayoutSide {
    /// Squares of the pieces as a set.
    pub(super) pieces: u64,
    /// Squares of the pieces, a byte each: the master in byte 0, then the students in any order;
    /// [`NOWHERE`] for a captured piece.
    squares: u64,
    /// Byte `n`: number of moves of pieces 0 to `n`, targets of own pieces included.
    sums: u64,
    /// Number of the hand in the table.
    hand: u16,
    /// Square on which the opponent's master wins.
    pub(super) arch: u8,
}

/// A move that was drawn.
#[derive(Clone, Copy)]
pub(super) struct DrawnMove {
    /// Eight times the number of the piece.
    shift: u32,
    from: u8,
    pub(super) mv: HandMove,
}

impl DrawnMove {
    #[inline(always)]
    pub(super) fn is_by_master(self) -> bool {
        self.shift == 0
    }
}

impl PlayoutSide {
    /// The side `player` of a position; sums are not yet counted.
    #[inline]
    pub(super) fn new(
        table: &PlayoutTable,
        position: &OnitamaPosition<u64>,
        arches: [u8; 2],
        player: usize,
    ) -> Self {
        let (pieces, master) = (position.pieces[player], position.masters[player]);
        let mut squares = NOWHERE * EACH_BYTE;
        for square in SetBits(pieces & !(1 << master)) {
            squares = squares << 8 | u64::from(square);
        }
        Self {
            pieces,
            squares: squares << 8 | u64::from(master),
            sums: 0,
            hand: table.hand(position.cards & !1 | player as u16),
            arch: arches[player],
        }
    }

    #[inline(always)]
    pub(super) fn count_moves<const N: usize>(&mut self, table: &PlayoutTable) {
        let counts = table.counts::<N>(self.hand, self.squares);
        self.sums = counts.wrapping_mul(EACH_BYTE);
    }

    /// Returns true if the board has a target for any piece.
    #[inline(always)]
    pub(super) fn has_moves(&self) -> bool {
        self.sums != 0
    }

    /// Draws a move, of which the target may hold an own piece. There must be moves.
    #[inline(always)]
    pub(super) fn draw(&self, table: &PlayoutTable, bits: u32) -> DrawnMove {
        let drawn = (u64::from(bits) * (self.sums >> 56)) >> 32;
        // Byte `n` has its highest bit if its sum exceeds the number drawn. No sum exceeds 127.
        let exceeds = (self.sums + (0x7F - drawn) * EACH_BYTE) & HIGH_BITS;
        let shift = exceeds.trailing_zeros() & 56;
        let before = self.sums << 8 >> shift & 0xFF;
        let from = (self.squares >> shift) as u8;
        DrawnMove {
            shift,
            from,
            mv: table.hand_move(self.hand, from.into(), (drawn - before) as u32),
        }
    }

    /// Moves a piece; `hand` is the hand after the move.
    #[inline(always)]
    pub(super) fn move_piece(&mut self, drawn: DrawnMove, hand: u16) {
        self.pieces = self.pieces & !(1 << drawn.from) | 1 << drawn.mv.to;
        self.squares ^= u64::from(drawn.from ^ drawn.mv.to) << drawn.shift;
        self.hand = hand;
    }

    /// Removes the piece on a square; returns true if it is the master.
    #[inline(always)]
    pub(super) fn remove(&mut self, square: u8) -> bool {
        self.pieces &= !(1 << square);
        let differs = self.squares ^ (u64::from(square) * EACH_BYTE);
        // The lowest byte that is 0 is the lowest byte with its highest bit set here.
        let equals = differs.wrapping_sub(EACH_BYTE) & !differs & HIGH_BITS;
        let shift = equals.trailing_zeros() & 56;
        self.squares ^= (u64::from(square) ^ NOWHERE) << shift;
        shift == 0
    }

    /// Square of the master, or [`CAPTURED`].
    #[inline]
    pub(super) fn master(&self) -> u8 {
        const { assert!(NOWHERE == CAPTURED as u64) };
        self.squares as u8
    }
}
