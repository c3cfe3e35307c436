//! Counting: binomial and multinomial coefficients, sets of squares, arrangements of several kinds of
//! pieces, and the ways to deal a multiset into piles; symmetry
//! classes and products; each numbered densely, both ways.
//!
//! Everything is exact. Functions that count return `None` when the count exceeds their type, so a
//! number that comes back can be trusted. Neither the standard library nor any other crate is needed.
//!
//! ```
//! // Five different cards: two hands of two and one aside.
//! assert_eq!(hindsight_combinatorics::Deals::new(&[1, 1, 1, 1, 1], &[2, 2, 1]).len(), 30);
//! ```
#![no_std]
#![warn(clippy::cast_possible_truncation)]

extern crate alloc;

mod classes;
mod coefficients;
mod deals;
mod subset_rank_table;
mod subsets;

pub use classes::{SymmetryClasses, rank_mixed_radix, unrank_mixed_radix};
pub use coefficients::{binomial, multinomial};
pub use deals::Deals;
pub use subset_rank_table::SubsetRankTable;
pub use subsets::{
    PieceArrangements, Subsets, compress, expand, rank_subset, rank_subset_within, subset_count,
    unrank_subset,
};
