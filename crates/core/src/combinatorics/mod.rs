//! Exact counts and dense numberings of combinatorial objects.
//!
//! A dense numbering maps the objects to the ranks `0..len` and back.
//!
//! | Objects | Count | Rank and back |
//! |---|---|---|
//! | sets of squares, as bits of a `u64` | [`subset_count`] | [`rank_subset`], [`unrank_subset`] |
//! | the same, with precomputed tables | | [`SubsetRankTable`], [`Subsets`] |
//! | pieces of several kinds on a board | [`multinomial`] | [`PieceArrangements`] |
//! | deals of a multiset of cards into piles | | [`Deals`] |
//! | classes of numbers under a symmetry | | [`SymmetryClasses`] |
//! | tuples of digits with mixed bases | | [`rank_mixed_radix`], [`unrank_mixed_radix`] |
//!
//! [`SetBits`] iterates over the members of a set of squares.
//! [`binomial`] and [`multinomial`] return `None` if a count exceeds `u128`; no count is ever
//! rounded.
//!
//! ```
//! // Five different cards: two hands of two and one aside.
//! assert_eq!(hindsight_core::combinatorics::Deals::new(&[1, 1, 1, 1, 1], &[2, 2, 1]).len(), 30);
//! ```
#![warn(clippy::cast_possible_truncation)]

mod coefficients;
mod deals;
mod mixed_radix;
mod piece_arrangements;
mod set_bits;
mod subset_rank_table;
mod subsets;
mod symmetry_classes;

pub use coefficients::{binomial, multinomial};
pub use deals::Deals;
pub use mixed_radix::{rank_mixed_radix, unrank_mixed_radix};
pub use piece_arrangements::PieceArrangements;
pub use set_bits::SetBits;
pub use subset_rank_table::SubsetRankTable;
pub use subsets::{
    Subsets, compress, expand, rank_subset, rank_subset_within, subset_count, unrank_subset,
};
pub use symmetry_classes::SymmetryClasses;
