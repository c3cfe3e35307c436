//! Random games without lists of moves: a try draws a man and an offset of the cards in hand, and counts if
//! that is a legal move. Every legal move is one such pair, so all have the same chance.

use alloc::vec::Vec;

use hindsight_core::{Game, Random, playout_by_moves};

use super::position::CAPTURED;
use super::rules::{HeldCard, Squares};
use super::{Bitboard, Card, Onitama, OnitamaBoard, OnitamaPlayer, OnitamaPosition};

/// Stands for a square outside the board, which no board of fewer than 64 squares has.
const OUTSIDE: u8 = 63;

/// Tries before the moves are listed after all.
const TRIES: u32 = 128;

/// More bytes are slower to look up than moves are to list.
const MOST_BYTES: usize = 1 << 18;

/// Where the offsets of the cards in hand lead.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// By `cards`, as a position has them.
    hands: Vec<Hand>,
    squares: usize,
    /// `to[(first + offset) * squares + from]`
    to: Vec<u8>,
    /// `next_deals[first + offset]`
    next_deals: Vec<u16>,
}

/// The cards in a hand.
#[derive(Clone, Copy, Debug)]
struct Hand {
    /// The first of their offsets, and how many there are.
    first: u32,
    offsets: u32,
}

impl Steps {
    /// `None` for boards and hands that are too large.
    #[inline]
    pub(super) fn new(board: OnitamaBoard, kinds: &[Card], held: &[Vec<HeldCard>]) -> Option<Self> {
        let squares = usize::from(board.squares());
        let offsets = |held: &HeldCard| kinds[usize::from(held.kind)].offsets();
        let all: usize = held.iter().flatten().map(|held| offsets(held).len()).sum();
        if squares > usize::from(OUTSIDE) || all * squares > MOST_BYTES {
            return None;
        }
        let mut steps = Self {
            hands: Vec::new(),
            squares,
            to: Vec::new(),
            next_deals: Vec::new(),
        };
        for (cards, hand) in held.iter().enumerate() {
            let player = [OnitamaPlayer::Red, OnitamaPlayer::Blue][cards & 1];
            let first = steps.next_deals.len() as u32;
            for held in hand {
                for &offset in offsets(held) {
                    let step = |from| board.step(from, player, offset).unwrap_or(OUTSIDE);
                    steps.to.extend((0..board.squares()).map(step));
                    steps.next_deals.push(held.next_deal);
                }
            }
            let offsets = steps.next_deals.len() as u32 - first;
            steps.hands.push(Hand { first, offsets });
        }
        Some(steps)
    }

    /// A legal move of a man; `None` if many tries found none. `own` are the squares of these men.
    #[inline(always)]
    fn draw<R: Random>(
        &self,
        cards: u16,
        men: &Men,
        (own, stays): (u64, bool),
        random: &mut R,
    ) -> Option<Try> {
        let Hand { first, offsets } = self.hands[usize::from(cards)];
        if offsets == 0 {
            return None;
        }
        let blocked = own | 1 << OUTSIDE;
        for _ in 0..TRIES / 2 {
            let both = random.bits();
            for drawn in [both as u32, (both >> 32) as u32] {
                let man = (((drawn & 0xFFFF) * men.count) >> 16) as usize & (MOST_MEN - 1);
                let offset = (first + (((drawn >> 16) * offsets) >> 16)) as usize;
                let from = men.squares[man];
                let to = self.to[offset * self.squares + usize::from(from)];
                if blocked >> to & 1 == 0 || stays && to == from {
                    let next_deal = self.next_deals[offset];
                    return Some(Try { man, to, next_deal });
                }
            }
        }
        None
    }
}

/// A move drawn: the number of the man, where it goes, and the deal after it.
struct Try {
    man: usize,
    to: u8,
    next_deal: u16,
}

/// One side's men: the master, then the students in any order.
#[derive(Clone, Copy)]
struct Men {
    squares: [u8; MOST_MEN],
    count: u32,
}

/// More have no place in a row of a board of 64 squares.
const MOST_MEN: usize = 32;

impl Men {
    #[inline]
    fn new(pieces: u64, master: u8) -> Self {
        let mut men = Self {
            squares: [master; MOST_MEN],
            count: 1,
        };
        for square in Squares(pieces & !(1 << master)) {
            men.squares[men.count as usize] = square;
            men.count += 1;
        }
        men
    }

    /// Takes the student on a square off the board.
    #[inline]
    fn remove(&mut self, square: u8) {
        let last = self.squares[self.count as usize - 1];
        let mut men = self.squares[..self.count as usize].iter_mut();
        if let Some(man) = men.find(|man| **man == square) {
            *man = last;
        }
        self.count -= 1;
    }
}

impl<W: Bitboard> Onitama<W> {
    /// [`Game::playout`], by tries where the board is not too large.
    #[inline]
    pub(super) fn random_game<R: Random>(
        &self,
        position: OnitamaPosition<W>,
        plies: u32,
        random: &mut R,
    ) -> (OnitamaPosition<W>, u32) {
        let Some(steps) = &self.steps else {
            return playout_by_moves(self, position, plies, random);
        };
        let (mut at, mut played) = (position, 0);
        while played < plies && self.terminal(at).is_none() {
            let more;
            (at, more) = self.by_tries(steps, at, plies - played, random);
            played += more;
            if played < plies && self.terminal(at).is_none() {
                // Hardly anything is legal, or nothing but to pass.
                (at, _) = playout_by_moves(self, at, 1, random);
                played += 1;
            }
        }
        (at, played)
    }

    /// Plays until the game is over, or so many plies were played, or tries find no move.
    #[inline]
    fn by_tries<R: Random>(
        &self,
        steps: &Steps,
        position: OnitamaPosition<W>,
        plies: u32,
        random: &mut R,
    ) -> (OnitamaPosition<W>, u32) {
        let mut pieces = position.pieces.map(W::widen);
        let mut men = [0, 1].map(|p| Men::new(pieces[p], position.masters[p]));
        let mut cards = position.cards;
        let mut captured = [false; 2];
        let mut played = 0;
        while played < plies {
            let player = usize::from(cards & 1);
            let own = (pieces[player], self.setup.stay);
            let Some(drawn) = steps.draw(cards, &men[player], own, random) else {
                break;
            };
            let Try { man, to, next_deal } = drawn;
            let from = core::mem::replace(&mut men[player].squares[man], to);
            pieces[player] = pieces[player] & !(1 << from) | 1 << to;
            let other = player ^ 1;
            if pieces[other] >> to & 1 == 1 {
                pieces[other] &= !(1 << to);
                captured[other] = men[other].squares[0] == to;
                if !captured[other] {
                    men[other].remove(to);
                }
            }
            cards = next_deal << 1 | other as u16;
            played += 1;
            if captured[other] || man == 0 && to == self.arches[other] {
                break;
            }
        }
        let master = |p: usize| {
            if captured[p] {
                CAPTURED
            } else {
                men[p].squares[0]
            }
        };
        let last = OnitamaPosition {
            pieces: pieces.map(W::narrow),
            masters: [master(0), master(1)],
            cards,
        };
        (last, played)
    }
}
