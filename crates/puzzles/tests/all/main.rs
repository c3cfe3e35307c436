//! Tests of the puzzles.

mod search;
mod selection;
