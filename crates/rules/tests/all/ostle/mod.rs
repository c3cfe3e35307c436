//! Ostle: specs, laws, the theorems of the paper, predecessors, ranks, notation.

mod laws;
mod moves;
mod positions;
mod ranks;
mod rule8;
mod text;
mod theorems;
