//! Games without the types of their positions and moves: what solvers, agents and tables see.
//!
//! An author writes [`Packing`]; [`PackedGame::new`] makes the object. The words of a position are
//! its identity: equal positions have equal words, and they are ordered alike.
//!
//! Everything above the rules takes [`PackedGame`], so it is compiled once. The adapter alone is
//! compiled for each game, and with it the inner loops: [`Game::expand`], [`Game::canonicalize`],
//! [`Game::children`], `summarize_ranks` and `predecessors_of_ranks` take many positions a call.
//! `docs/decisions/0023-rules-as-objects.md` has the measurements.

mod adapter;
mod base;
mod packed_game;
mod ranked_adapter;
mod state_rules;
mod structure;

use core::hash::{Hash, Hasher};

use crate::{Countdown, Game, Notation};
pub use packed_game::{PackedGame, RetroRules, Structure};

/// Most words of a position.
pub const MOST_WORDS: usize = 9;

/// Position of any game in words of 32 bits. Words that its game does not use are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Packed([u32; MOST_WORDS]);

impl Packed {
    /// Returns the position of `W` words.
    #[inline]
    #[must_use]
    pub const fn new<const W: usize>(words: [u32; W]) -> Self {
        const { assert!(W <= MOST_WORDS, "a position has nine words at most") }
        let mut all = [0; MOST_WORDS];
        let mut i = 0;
        while i < W {
            all[i] = words[i];
            i += 1;
        }
        Self(all)
    }

    /// Returns all words.
    #[inline]
    #[must_use]
    pub const fn as_words(&self) -> &[u32; MOST_WORDS] {
        &self.0
    }

    /// Returns the first `W` words.
    #[inline]
    #[must_use]
    pub fn words<const W: usize>(&self) -> [u32; W] {
        const { assert!(W <= MOST_WORDS, "a position has nine words at most") }
        core::array::from_fn(|i| self.0[i])
    }
}

impl Hash for Packed {
    /// Hashes two words at a time. Of most games the words after the first are 0.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [first, pairs @ ..] = &self.0;
        state.write_u32(*first);
        for &[first, second] in pairs.as_chunks().0 {
            let pair = u64::from(first) << 32 | u64::from(second);
            if pair != 0 {
                state.write_u64(pair);
            }
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

    /// Returns the position of words that [`Packing::pack`] has returned. Of other words, which a
    /// file may hold, it returns anything but does not panic: [`Game::is_position`] looks at that.
    fn unpack(&self, words: [u32; W]) -> Self::Position;

    /// Returns the number of a move.
    fn pack_move(&self, mv: Self::Move) -> u64;

    /// Returns the move of a number that [`Packing::pack_move`] has returned.
    fn unpack_move(&self, number: u64) -> Self::Move;
}

/// Rules of any game. They are used as an object.
pub trait Rules: Notation<Position = Packed, Move = PackedMove> + Send {}

impl<G: Notation<Position = Packed, Move = PackedMove> + Send> Rules for G {}

/// Rules of a game in which every move uses up a ply.
pub type CountdownRules<'a> = dyn Countdown<Position = Packed, Move = PackedMove> + 'a;

/// Rules are object safe.
const _: Option<&dyn Rules> = None;
