//! Moves as rotations of sets, for random games in lanes.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::super::cards::hands::HeldCard;
use super::super::{Card, OnitamaBoard, OnitamaPlayer, OnitamaSetup};

/// Length of the arrays of a [`LaneTable`]: a power of two, so that a masked index needs no check.
const TABLE_LEN: usize = 1 << 10;

/// Upper limit for the squares: a word has a bit for each.
const MAX_SQUARES: u8 = 32;

/// Upper limit for the pieces of a side: each takes time to draw one of them.
pub(super) const MAX_PIECES: u32 = 8;

/// Offsets of all hands. A piece moves by an offset if the set of its square is rotated.
///
/// Offsets have numbers, those of a hand one after the other.
#[derive(Clone, Debug)]
pub(in crate::onitama) struct LaneTable {
    /// `hands[2 * deal + player]`
    hands: Vec<LaneHand>,
    /// `cards[hand.first()]`: `2 * deal + player` of a hand.
    cards: [u16; TABLE_LEN],
    /// `sources[offset]`: squares from which the offset stays on the board.
    sources: [u32; TABLE_LEN],
    /// `after[offset]`: hand to move and rotation of a move by the offset.
    after: [AfterMove; TABLE_LEN],
}

impl LaneTable {
    /// Creates the table of a game; `None` if it has more than [`MAX_SQUARES`] squares,
    /// [`MAX_PIECES`] pieces of a side or [`TABLE_LEN`] offsets in all hands.
    #[inline]
    pub(in crate::onitama) fn new(
        setup: &OnitamaSetup,
        kinds: &[Card],
        held: &[Vec<HeldCard>],
    ) -> Option<Box<Self>> {
        let pieces = u32::from(setup.students_per_side()) + 1;
        if setup.board().squares() > MAX_SQUARES || pieces > MAX_PIECES {
            return None;
        }
        let mut table = Box::new(Self {
            hands: number_offsets(kinds, held)?,
            cards: [0; TABLE_LEN],
            sources: [0; TABLE_LEN],
            after: [AfterMove(0); TABLE_LEN],
        });
        let rotations: Vec<Vec<Rotation>> =
            kinds.iter().map(|card| rotations(setup.board(), card)).collect();
        for (cards, hand) in (0..).zip(held) {
            table.add_hand(cards, hand, &rotations);
        }
        Some(table)
    }

    fn add_hand(&mut self, cards: u16, hand: &[HeldCard], rotations: &[Vec<Rotation>]) {
        let player = usize::from(cards & 1);
        let mut offset = self.hands[usize::from(cards)].first() as usize;
        self.cards[offset] = cards;
        for card in hand {
            let next = self.hands[usize::from(card.next_deal << 1 | cards & 1 ^ 1)];
            for rotation in &rotations[usize::from(card.kind)] {
                self.sources[offset] = rotation.sources[player];
                self.after[offset] = AfterMove(next.0 | rotation.left[player]);
                offset += 1;
            }
        }
    }

    /// The hand of the player to move; `cards` is `2 * deal + player`.
    #[inline]
    pub(super) fn hand(&self, cards: u16) -> LaneHand {
        self.hands[usize::from(cards)]
    }

    /// `2 * deal + player` of a hand.
    #[inline]
    pub(super) fn cards(&self, hand: LaneHand) -> u16 {
        self.cards[hand.first() as usize & (TABLE_LEN - 1)]
    }

    /// Squares from which an offset stays on the board.
    #[inline(always)]
    pub(super) fn sources(&self, offset: u32) -> u32 {
        self.sources[offset as usize & (TABLE_LEN - 1)]
    }

    /// Hand to move and rotation of a move by an offset.
    #[inline(always)]
    pub(super) fn after(&self, offset: u32) -> AfterMove {
        self.after[offset as usize & (TABLE_LEN - 1)]
    }
}

/// The offsets of a hand: `first << 16 | count << 8`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneHand(pub(super) u32);

impl LaneHand {
    /// Number of the first offset. Each hand has one of its own, even without offsets.
    #[inline(always)]
    pub(super) fn first(self) -> u32 {
        self.0 >> 16
    }

    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        self.0 >> 8 & 0xFF
    }
}

/// The hand to move after a move, with the rotation to the left in its lowest byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct AfterMove(u32);

impl AfterMove {
    /// The hand to move.
    #[inline(always)]
    pub(super) fn hand(self) -> LaneHand {
        LaneHand(self.0 & !0xFF)
    }

    /// Moves the set of one square from which the offset stays on the board.
    #[inline(always)]
    pub(super) fn target(self, from: u32) -> u32 {
        from.rotate_left(self.0 & 0xFF)
    }
}

/// An offset of a card for Red and for Blue.
struct Rotation {
    sources: [u32; 2],
    left: [u32; 2],
}

/// Numbers the offsets of all hands; `None` if there are too many. A hand without offsets has a
/// number too, from whose square no piece can move.
fn number_offsets(kinds: &[Card], held: &[Vec<HeldCard>]) -> Option<Vec<LaneHand>> {
    let mut first = 0;
    let mut hands = Vec::with_capacity(held.len());
    for hand in held {
        let counts = hand.iter().map(|card| kinds[usize::from(card.kind)].offsets().len());
        let count: usize = counts.sum();
        hands.push(LaneHand((first as u32) << 16 | u32::from(u8::try_from(count).ok()?) << 8));
        first += count.max(1);
    }
    (first <= TABLE_LEN).then_some(hands)
}

/// The offsets of a card as rotations.
fn rotations(board: OnitamaBoard, card: &Card) -> Vec<Rotation> {
    let rotation = |&(right, forward): &(i8, i8)| {
        let [red, blue] = [OnitamaPlayer::Red, OnitamaPlayer::Blue];
        let sources = [red, blue].map(|player| {
            let is_source = |from: &u8| board.step(*from, player, right, forward).is_some();
            (0..board.squares()).filter(is_source).fold(0, |set, from| set | 1 << from)
        });
        let blue_left = i32::from(right) - i32::from(forward) * i32::from(board.width);
        let left = [-blue_left, blue_left].map(|left| left.rem_euclid(32) as u32);
        Rotation { sources, left }
    };
    card.offsets().iter().map(rotation).collect()
}
