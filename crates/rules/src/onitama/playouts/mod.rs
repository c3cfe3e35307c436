//! Random games: moves are drawn, not listed.
//!
//! A draw picks one of the moves that stay on the board, each with the same chance. It is rejected
//! if an own piece is on the target, so all legal moves are equally likely but for rounding: their
//! chances differ by at most 2^-32.

mod by_piece;
mod lane_game;
pub(super) mod lane_table;
mod lanes;
mod many;
mod random_words;
mod side;
pub(super) mod table;

use core::mem::swap;

use hindsight_core::{Game, Random, playout_by_moves};

use super::{Bitboard, Onitama, OnitamaPosition};
use random_words::RandomWords;
use side::{DrawnMove, PlayoutSide};
use table::{MAX_PIECES, PlayoutTable};

/// Number of draws before the moves are listed.
pub(super) const MAX_DRAWS: u32 = 128;

/// Number of pieces of a side for which a loop of its own is compiled, that of a board of 5 x 5.
const USUAL_PIECES: usize = 5;

impl<W: Bitboard> Onitama<W> {
    /// Implements [`hindsight_core::Heuristics::playout`]: by drawn moves if there is a
    /// [`PlayoutTable`], else by lists of moves.
    #[inline]
    pub(in crate::onitama) fn random_game(
        &self,
        position: OnitamaPosition<W>,
        plies: u32,
        random: &mut dyn Random,
    ) -> (OnitamaPosition<W>, u32) {
        let Some(table) = &self.playout_table else {
            return playout_by_moves(self, position, plies, random);
        };
        let (mut current, mut played) = (position, 0);
        while played < plies && self.terminal(current).is_none() {
            let drawn = DrawnGame { table, arches: self.arches, plies: plies - played };
            let (last, more) = drawn.play(&current.widen(), random);
            current = OnitamaPosition::narrow(last);
            played += more;
            if played < plies && self.terminal(current).is_none() {
                // All draws were rejected: few moves are legal here, or only passes.
                (current, _) = playout_by_moves(self, current, 1, random);
                played += 1;
            }
        }
        (current, played)
    }
}

/// A random game without passes.
pub(super) struct DrawnGame<'a> {
    pub(super) table: &'a PlayoutTable,
    pub(super) arches: [u8; 2],
    /// Number of plies after which the game is cut off.
    pub(super) plies: u32,
}

impl DrawnGame<'_> {
    /// Plays until the game is over or cut off, or until [`MAX_DRAWS`] draws were rejected.
    ///
    /// Returns the last position and the number of plies played.
    fn play(
        &self,
        position: &OnitamaPosition<u64>,
        random: &mut dyn Random,
    ) -> (OnitamaPosition<u64>, u32) {
        if !self.table.fits_words() {
            return self.play_by_piece(position, random);
        }
        let pieces = position.pieces.map(u64::count_ones);
        if pieces[0].max(pieces[1]) as usize <= USUAL_PIECES {
            self.play_with_pieces::<USUAL_PIECES>(position, random)
        } else {
            self.play_with_pieces::<MAX_PIECES>(position, random)
        }
    }

    /// Plays as [`DrawnGame::play`]; no side has more than `N` pieces.
    ///
    /// The sides keep their moves counted. The moves of a ply depend on the one before only if a
    /// piece is captured, so that the processor works at several plies at once.
    #[inline(always)]
    fn play_with_pieces<const N: usize>(
        &self,
        position: &OnitamaPosition<u64>,
        random: &mut dyn Random,
    ) -> (OnitamaPosition<u64>, u32) {
        let mut words = RandomWords::new(random);
        let mut cards = position.cards;
        let player = usize::from(cards & 1);
        let [mut mover, mut other] = [player, player ^ 1]
            .map(|player| PlayoutSide::new(self.table, position, self.arches, player));
        mover.count_moves::<N>(self.table);
        other.count_moves::<N>(self.table);
        let mut played = 0;
        while played < self.plies {
            let Some(drawn) = self.draw(&mover, &mut words) else {
                break;
            };
            let after = self.table.cards_after(cards, drawn.mv);
            cards = after.cards;
            mover.move_piece(drawn, after.hand);
            mover.count_moves::<N>(self.table);
            let mut over = drawn.is_by_master() && drawn.mv.to == other.arch;
            if other.pieces >> drawn.mv.to & 1 == 1 {
                over |= other.remove(drawn.mv.to);
                other.count_moves::<N>(self.table);
            }
            swap(&mut mover, &mut other);
            played += 1;
            if over {
                break;
            }
        }
        let [red, blue] = match cards & 1 {
            0 => [mover, other],
            _ => [other, mover],
        };
        let last = OnitamaPosition {
            pieces: [red.pieces, blue.pieces],
            masters: [red.master(), blue.master()],
            cards,
        };
        (last, played)
    }

    /// Draws a legal move; `None` if there is none, or all [`MAX_DRAWS`] draws were rejected.
    #[inline(always)]
    fn draw(&self, mover: &PlayoutSide, words: &mut RandomWords<'_>) -> Option<DrawnMove> {
        if !mover.has_moves() {
            return None;
        }
        for _ in 0..MAX_DRAWS {
            let drawn = mover.draw(self.table, words.next());
            if drawn.mv.is_legal(mover.pieces) {
                return Some(drawn);
            }
        }
        None
    }
}
