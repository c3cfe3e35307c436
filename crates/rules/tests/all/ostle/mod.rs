//! Ostle: specs, laws, the theorems of the paper, moves taken back, ranks, notation.

mod laws;
mod moves;
mod positions;
mod ranks;
mod rule8;
mod text;
mod theorems;
