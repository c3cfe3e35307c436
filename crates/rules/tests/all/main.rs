//! All tests of games in one program.

mod onitama;
mod ostle;
mod quoridor;
