//! Random games of sides with more pieces than the bytes of a word.
//!
//! A draw picks a piece and a number below [`PlayoutTable::most_moves`] from 16 random bits each,
//! so that chances differ by at most 2^-16. It is rejected if that is no legal move.

use hindsight_core::Random;
use hindsight_core::combinatorics::SetBits;

use super::super::OnitamaPosition;
use super::super::position::CAPTURED;
use super::random_words::RandomWords;
use super::table::{HandMove, PlayoutTable};
use super::{DrawnGame, MAX_DRAWS};

/// Upper limit for the pieces of a side: a row of a board of 64 squares has at most 64 squares.
const MAX_LISTED: usize = 64;

/// The pieces of one side.
#[derive(Clone, Copy)]
struct ListedSide {
    /// Squares of the pieces as a set.
    pieces: u64,
    /// Squares of the pieces: the master first, then the students in any order.
    squares: [u8; MAX_LISTED],
    count: u32,
    is_captured: bool,
}

/// A move that was drawn, of a piece by its index.
struct ListedMove {
    piece: usize,
    mv: HandMove,
}

impl ListedSide {
    fn new(pieces: u64, master: u8) -> Self {
        let mut side = Self { pieces, squares: [master; MAX_LISTED], count: 1, is_captured: false };
        for square in SetBits(pieces & !(1 << master)) {
            side.squares[side.count as usize] = square;
            side.count += 1;
        }
        side
    }

    /// Draws a legal move; `None` if there is none, or all [`MAX_DRAWS`] draws were rejected.
    #[inline(always)]
    fn draw(
        &self,
        table: &PlayoutTable,
        hand: u16,
        words: &mut RandomWords<'_>,
    ) -> Option<ListedMove> {
        let most_moves = table.most_moves(hand);
        if most_moves == 0 {
            return None;
        }
        for _ in 0..MAX_DRAWS {
            let bits = words.next();
            let piece = (((bits & 0xFFFF) * self.count) >> 16) as usize & (MAX_LISTED - 1);
            let n = ((bits >> 16) * most_moves) >> 16;
            let from = self.squares[piece];
            let mv = table.hand_move(hand, from.into(), n);
            if mv.is_legal(self.pieces) {
                return Some(ListedMove { piece, mv });
            }
        }
        None
    }

    #[inline(always)]
    fn move_piece(&mut self, drawn: &ListedMove) {
        let from = core::mem::replace(&mut self.squares[drawn.piece], drawn.mv.to);
        self.pieces = self.pieces & !(1 << from) | 1 << drawn.mv.to;
    }

    #[inline(always)]
    fn remove(&mut self, square: u8) {
        self.pieces &= !(1 << square);
        self.is_captured = self.squares[0] == square;
        if self.is_captured {
            return;
        }
        let last = self.squares[self.count as usize - 1];
        let mut squares = self.squares[..self.count as usize].iter_mut();
        if let Some(removed) = squares.find(|listed| **listed == square) {
            *removed = last;
        }
        self.count -= 1;
    }

    fn master(&self) -> u8 {
        if self.is_captured { CAPTURED } else { self.squares[0] }
    }
}

impl DrawnGame<'_> {
    /// Plays as [`DrawnGame::play`], with any number of pieces.
    pub(super) fn play_by_piece(
        &self,
        position: &OnitamaPosition<u64>,
        random: &mut dyn Random,
    ) -> (OnitamaPosition<u64>, u32) {
        let mut words = RandomWords::new(random);
        let mut sides =
            [0, 1].map(|player| ListedSide::new(position.pieces[player], position.masters[player]));
        let (mut cards, mut played) = (position.cards, 0);
        while played < self.plies {
            let player = usize::from(cards & 1);
            let hand = self.table.hand(cards);
            let Some(drawn) = sides[player].draw(self.table, hand, &mut words) else {
                break;
            };
            sides[player].move_piece(&drawn);
            let other = &mut sides[player ^ 1];
            if other.pieces >> drawn.mv.to & 1 == 1 {
                other.remove(drawn.mv.to);
            }
            cards = self.table.cards_after(cards, drawn.mv).cards;
            played += 1;
            let arch = self.arches[player ^ 1];
            if other.is_captured || drawn.piece == 0 && drawn.mv.to == arch {
                break;
            }
        }
        let last = OnitamaPosition {
            pieces: sides.each_ref().map(|side| side.pieces),
            masters: sides.each_ref().map(ListedSide::master),
            cards,
        };
        (last, played)
    }
}
