//! All tests of the rules in one program.

mod onitama;
mod ostle;
mod quoridor;
