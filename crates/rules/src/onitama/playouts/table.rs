//! Moves of all hands from all squares, for random games without lists of moves.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::super::cards::hands::HeldCard;
use super::super::{Card, OnitamaBoard, OnitamaPlayer, OnitamaSetup};

/// Upper limit for the bytes of `moves`: a lookup in a larger table takes longer than a list of the
/// moves.
const MAX_TABLE_BYTES: usize = 1 << 18;

/// Most pieces of a side that have a byte of a word each.
pub(super) const MAX_PIECES: usize = 8;

/// Most moves of a side on an empty board that are counted in seven bits.
const MAX_MOVES: usize = 127;

/// Stands for the square of a captured piece, from which there are no moves.
pub(super) const NOWHERE: u64 = 64;

/// Squares of a row of counts, with [`NOWHERE`] and others that are never reached.
const COUNTED_SQUARES: usize = 128;

/// Moves that stay on the board, for each hand of a player and each square.
///
/// A hand is numbered with its player. Its moves do not depend on the other cards of the deal.
#[derive(Clone, Debug)]
pub(in crate::onitama) struct PlayoutTable {
    /// `counts[hand][from]`: number of moves from a square; 0 for [`NOWHERE`].
    counts: Vec<[u8; COUNTED_SQUARES]>,
    /// `most_moves[hand]`: greatest number of moves from a square.
    most_moves: Vec<u8>,
    /// `moves[(hand * squares + from) * stride + n]`: move `n` from a square; behind the last move
    /// to the square itself, which is illegal.
    moves: Vec<HandMove>,
    squares: u32,
    /// Greatest number of offsets of a hand.
    stride: u32,
    /// True if the pieces and moves of a side are within [`MAX_PIECES`] and [`MAX_MOVES`].
    fits_words: bool,
    /// `hands[2 * deal + player]`: number of a hand.
    hands: Vec<u16>,
    /// `after[(2 * deal + player) * slots + slot]`: cards after the use of one of the hand.
    after: Vec<CardsAfter>,
    slots: u32,
}

/// A move of a piece by a card of a hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandMove {
    pub(super) to: u8,
    /// `2 * slot + free`: index of the card among the different cards of the hand, and 1 if the
    /// piece stays on its square.
    slot_and_free: u8,
}

impl HandMove {
    /// Returns true if the move is legal; `own` holds the pieces of the mover.
    #[inline(always)]
    pub(super) fn is_legal(self, own: u64) -> bool {
        own >> self.to & 1 <= u64::from(self.slot_and_free & 1)
    }
}

/// The cards after a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardsAfter {
    /// `2 * deal + player`
    pub(super) cards: u16,
    /// Number of the mover's hand.
    pub(super) hand: u16,
}

impl PlayoutTable {
    /// Creates the table of a game; `None` if it would exceed [`MAX_TABLE_BYTES`], or if a hand has
    /// more than [`MAX_MOVES`] offsets.
    #[inline]
    pub(in crate::onitama) fn new(
        setup: &OnitamaSetup,
        kinds: &[Card],
        held: &[Vec<HeldCard>],
    ) -> Option<Self> {
        let numbered = NumberedHands::new(held);
        let rules = CardRules { board: setup.board(), kinds, stay: setup.stay };
        let squares = usize::from(setup.board().squares());
        let lengths = numbered.hands.iter().map(|hand| rules.offsets(hand));
        let stride = lengths.max().unwrap_or(0);
        let pieces = usize::from(setup.students_per_side()) + 1;
        let bytes = numbered.hands.len() * squares * stride * size_of::<HandMove>();
        if stride > MAX_MOVES || bytes > MAX_TABLE_BYTES {
            return None;
        }
        let mut table = Self {
            counts: Vec::with_capacity(numbered.hands.len()),
            most_moves: Vec::with_capacity(numbered.hands.len()),
            moves: Vec::with_capacity(numbered.hands.len() * squares * stride),
            squares: squares as u32,
            stride: stride as u32,
            fits_words: pieces <= MAX_PIECES && pieces * stride <= MAX_MOVES,
            after: cards_after(held, &numbered.numbers),
            slots: slots(held) as u32,
            hands: numbered.numbers,
        };
        for hand in &numbered.hands {
            let mut counts = [0; COUNTED_SQUARES];
            for from in 0..setup.board().squares() {
                let first = table.moves.len();
                rules.append_moves(hand, from, &mut table.moves);
                counts[usize::from(from)] = (table.moves.len() - first) as u8;
                let none = HandMove { to: from, slot_and_free: 0 };
                table.moves.resize(first + stride, none);
            }
            table.most_moves.push(counts.into_iter().max().unwrap_or(0));
            table.counts.push(counts);
        }
        Some(table)
    }

    /// Returns true if the pieces of a side fit the bytes of a word, and its moves seven bits.
    #[inline]
    pub(super) fn fits_words(&self) -> bool {
        self.fits_words
    }

    /// Greatest number of moves of a hand from a square.
    #[inline]
    pub(super) fn most_moves(&self, hand: u16) -> u32 {
        self.most_moves[usize::from(hand)].into()
    }

    /// Number of a player's hand; `cards` is `2 * deal + player`.
    #[inline]
    pub(super) fn hand(&self, cards: u16) -> u16 {
        self.hands[usize::from(cards)]
    }

    /// Numbers of moves from `N` squares, a byte each; `squares` has a byte for each square too.
    #[inline(always)]
    pub(super) fn counts<const N: usize>(&self, hand: u16, squares: u64) -> u64 {
        let row = &self.counts[usize::from(hand)];
        let count = |n| row[(squares >> (8 * n)) as usize & (COUNTED_SQUARES - 1)];
        (0..N).fold(0, |counts, n| counts | u64::from(count(n)) << (8 * n))
    }

    /// Move `n` of a hand from a square; an illegal one if the square has fewer moves.
    #[inline(always)]
    pub(super) fn hand_move(&self, hand: u16, from: u32, n: u32) -> HandMove {
        self.moves[((u32::from(hand) * self.squares + from) * self.stride + n) as usize]
    }

    /// The cards after a move; `cards` are those before it.
    #[inline(always)]
    pub(super) fn cards_after(&self, cards: u16, played: HandMove) -> CardsAfter {
        let slot = u32::from(played.slot_and_free >> 1);
        self.after[(u32::from(cards) * self.slots + slot) as usize]
    }
}

/// The different hands of both players, by number.
struct NumberedHands {
    hands: Vec<PlayerHand>,
    /// `numbers[2 * deal + player]`
    numbers: Vec<u16>,
}

/// The different cards in a hand of a player, ascending by kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PlayerHand {
    player: usize,
    kinds: Vec<u8>,
}

impl NumberedHands {
    #[inline]
    fn new(held: &[Vec<HeldCard>]) -> Self {
        let mut known: BTreeMap<PlayerHand, u16> = BTreeMap::new();
        let (mut hands, mut numbers) = (Vec::new(), Vec::with_capacity(held.len()));
        for (cards, held) in held.iter().enumerate() {
            let hand = PlayerHand {
                player: cards & 1,
                kinds: held.iter().map(|card| card.kind).collect(),
            };
            let number = known.entry(hand).or_insert_with_key(|hand| {
                hands.push(hand.clone());
                u16::try_from(hands.len() - 1).expect("at most 65,534 hands")
            });
            numbers.push(*number);
        }
        Self { hands, numbers }
    }
}

/// Greatest number of different cards in a hand.
#[inline]
fn slots(held: &[Vec<HeldCard>]) -> usize {
    held.iter().map(Vec::len).max().unwrap_or(0)
}

/// Makes [`PlayoutTable::after`].
#[inline]
fn cards_after(held: &[Vec<HeldCard>], numbers: &[u16]) -> Vec<CardsAfter> {
    let slots = slots(held);
    let mut after = Vec::with_capacity(held.len() * slots);
    for (cards, held) in held.iter().enumerate() {
        let player = (cards & 1) as u16;
        after.extend(held.iter().map(|card| CardsAfter {
            cards: card.next_deal << 1 | (player ^ 1),
            hand: numbers[usize::from(card.next_deal << 1 | player)],
        }));
        after.resize((cards + 1) * slots, CardsAfter { cards: 0, hand: 0 });
    }
    after
}

/// Steps of the cards on a board.
struct CardRules<'a> {
    board: OnitamaBoard,
    kinds: &'a [Card],
    stay: bool,
}

impl CardRules<'_> {
    /// Number of offsets of all cards in a hand.
    #[inline]
    fn offsets(&self, hand: &PlayerHand) -> usize {
        let kinds = hand.kinds.iter();
        kinds.map(|&kind| self.kinds[usize::from(kind)].offsets().len()).sum()
    }

    /// Appends the moves of a hand from a square, own pieces on the targets included.
    #[inline]
    fn append_moves(&self, hand: &PlayerHand, from: u8, moves: &mut Vec<HandMove>) {
        let player = [OnitamaPlayer::Red, OnitamaPlayer::Blue][hand.player];
        for (slot, &kind) in hand.kinds.iter().enumerate() {
            let offsets = self.kinds[usize::from(kind)].offsets().iter();
            let targets = offsets
                .filter_map(|&(right, forward)| self.board.step(from, player, right, forward));
            moves.extend(
                targets.filter(|&to| self.stay || to != from).map(|to| HandMove {
                    to,
                    slot_and_free: 2 * slot as u8 + u8::from(to == from),
                }),
            );
        }
    }
}
