//! Random moves by rejection sampling.

use alloc::vec::Vec;

use hindsight_combinatorics::SetBits;
use hindsight_core::Random;

use super::hands::HeldCard;
use super::{Card, OnitamaBoard, OnitamaPlayer};

/// Stands for a square off the board. Only boards of 64 squares have a square 63; they get no
/// table.
const OFF_BOARD: u8 = 63;

/// Number of draws before [`PlayoutTable::draw`] gives up and the caller lists the moves.
const MAX_DRAWS: u32 = 128;

/// Upper limit for the bytes of `targets`: a lookup in a larger table takes longer than a list of
/// the moves.
const MAX_TABLE_BYTES: usize = 1 << 18;

/// Upper limit for the pieces of a side: a row of a board of 64 squares has at most 32 squares.
const MAX_PIECES: usize = 32;

/// Targets of every offset of every hand, for random games without lists of moves.
///
/// Each draw picks a piece and an offset of the hand from 16 random bits each. Draws without a
/// legal move are rejected. A legal move is one pair of piece and offset, so all are equally likely
/// but for rounding: chances of a piece or an offset differ by at most 2^-16.
#[derive(Clone, Debug)]
pub(super) struct PlayoutTable {
    /// `hands[2 * deal + player]`
    hands: Vec<OffsetRange>,
    squares: usize,
    /// `targets[(first + offset) * squares + from]`, or [`OFF_BOARD`].
    targets: Vec<u8>,
    /// `next_deals[first + offset]`
    next_deals: Vec<u16>,
    /// True if a piece may stay on its square.
    stay: bool,
}

/// The offsets of a hand in a [`PlayoutTable`]: `first..first + count`.
#[derive(Clone, Copy, Debug)]
struct OffsetRange {
    first: u32,
    count: u32,
}

impl PlayoutTable {
    /// Creates the table of a game; `None` if it would exceed [`MAX_TABLE_BYTES`] or the board has
    /// 64 squares.
    #[inline]
    pub(super) fn new(
        board: OnitamaBoard,
        kinds: &[Card],
        hands: &[Vec<HeldCard>],
        stay: bool,
    ) -> Option<Self> {
        let squares = usize::from(board.squares());
        let offsets = |card: &HeldCard| kinds[usize::from(card.kind)].offsets();
        let all: usize = hands.iter().flatten().map(|card| offsets(card).len()).sum();
        if squares > usize::from(OFF_BOARD) || all * squares > MAX_TABLE_BYTES {
            return None;
        }
        let mut table = Self {
            hands: Vec::new(),
            squares,
            targets: Vec::new(),
            next_deals: Vec::new(),
            stay,
        };
        for (cards, hand) in hands.iter().enumerate() {
            let player = [OnitamaPlayer::Red, OnitamaPlayer::Blue][cards & 1];
            let first = table.next_deals.len() as u32;
            for card in hand {
                for &(right, forward) in offsets(card) {
                    let target = |from| board.step(from, player, right, forward);
                    let targets =
                        (0..board.squares()).map(|from| target(from).unwrap_or(OFF_BOARD));
                    table.targets.extend(targets);
                    table.next_deals.push(card.next_deal);
                }
            }
            let count = table.next_deals.len() as u32 - first;
            table.hands.push(OffsetRange { first, count });
        }
        Some(table)
    }

    /// Draws a legal move of one side; `None` if all [`MAX_DRAWS`] draws were rejected.
    ///
    /// `cards` is `2 * deal + player`; `own` holds the squares of `pieces`.
    #[inline(always)]
    pub(super) fn draw(
        &self,
        cards: u16,
        pieces: &PieceList,
        own: u64,
        random: &mut dyn Random,
    ) -> Option<DrawnMove> {
        let OffsetRange { first, count } = self.hands[usize::from(cards)];
        if count == 0 {
            return None;
        }
        let blocked = own | 1 << OFF_BOARD;
        for _ in 0..MAX_DRAWS / 2 {
            let bits = random.bits();
            for drawn in [bits as u32, (bits >> 32) as u32] {
                let piece = (((drawn & 0xFFFF) * pieces.count) >> 16) as usize & (MAX_PIECES - 1);
                let offset = (first + (((drawn >> 16) * count) >> 16)) as usize;
                let from = pieces.squares[piece];
                let to = self.targets[offset * self.squares + usize::from(from)];
                if blocked >> to & 1 == 0 || self.stay && to == from {
                    let next_deal = self.next_deals[offset];
                    return Some(DrawnMove {
                        piece,
                        to,
                        next_deal,
                    });
                }
            }
        }
        None
    }
}

/// A move that was drawn: an index into the [`PieceList`], the target, and the deal after the move.
pub(super) struct DrawnMove {
    pub(super) piece: usize,
    pub(super) to: u8,
    pub(super) next_deal: u16,
}

/// Squares of one side's pieces: the master first, then the students in any order.
#[derive(Clone, Copy)]
pub(super) struct PieceList {
    pub(super) squares: [u8; MAX_PIECES],
    count: u32,
}

impl PieceList {
    #[inline]
    pub(super) fn new(pieces: u64, master: u8) -> Self {
        let mut list = Self {
            squares: [master; MAX_PIECES],
            count: 1,
        };
        for square in SetBits(pieces & !(1 << master)) {
            list.squares[list.count as usize] = square;
            list.count += 1;
        }
        list
    }

    /// Removes the student on a square.
    #[inline]
    pub(super) fn remove(&mut self, square: u8) {
        let last = self.squares[self.count as usize - 1];
        let mut pieces = self.squares[..self.count as usize].iter_mut();
        if let Some(piece) = pieces.find(|piece| **piece == square) {
            *piece = last;
        }
        self.count -= 1;
    }
}
