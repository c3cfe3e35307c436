//! Games without the types of their positions and moves: what solvers, agents and tables see.
//!
//! An author writes [`Packing`]; [`PackedGame::new`] makes the object. The words of a position are
//! its identity: equal positions have equal words, and they are ordered alike.

mod adapter;
mod base;
mod delegate;
mod packed_game;
mod ranked_adapter;
mod state_rules;
mod structure;

use core::hash::{Hash, Hasher};

use crate::{Game, Notation};
pub use base::PackedBase;
pub use packed_game::{PackedGame, Structure};

/// Position of any game in `W` words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Packed<const W: usize>(pub [u32; W]);

impl<const W: usize> Hash for Packed<W> {
    /// Hashes two words at a time.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (pairs, rest) = self.0.as_chunks();
        for &[first, second] in pairs {
            state.write_u64(u64::from(first) << 32 | u64::from(second));
        }
        for &word in rest {
            state.write_u32(word);
        }
    }
}

/// Move of any game as a number, which means something only in its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedMove(pub u64);

/// Game whose positions fit into `W` words, and whose moves fit into 64 bits.
///
/// # Laws
/// `hindsight_testkit::check_packing` checks them in random games:
///
/// * `unpack(pack(p)) == p`, and `unpack_move(pack_move(mv)) == mv`.
/// * Equal positions have equal words, and different positions different ones, in the same order.
/// * The packed game agrees with the game, move by move.
pub trait Packing<const W: usize>: Game {
    /// Returns the words of a position.
    fn pack(&self, position: Self::Position) -> [u32; W];

    /// Returns the position of words that [`Packing::pack`] has returned.
    fn unpack(&self, words: [u32; W]) -> Self::Position;

    /// Returns the number of a move.
    fn pack_move(&self, mv: Self::Move) -> u64;

    /// Returns the move of a number that [`Packing::pack_move`] has returned.
    fn unpack_move(&self, number: u64) -> Self::Move;
}

/// Rules of any game whose positions have `W` words. They are used as an object.
pub trait Rules<const W: usize>: Notation<Position = Packed<W>, Move = PackedMove> + Send {}

impl<const W: usize, G: Notation<Position = Packed<W>, Move = PackedMove> + Send> Rules<W> for G {}

/// Rules are object safe.
const _: Option<&dyn Rules<2>> = None;
