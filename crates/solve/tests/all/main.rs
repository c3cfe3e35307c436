//! All tests of solvers in one program: games and solvers are compiled once for them.

mod agree;
mod perft;
mod proof;
mod quoridor_golden;
mod reach;
mod reduced;
mod restricted;
mod tiered;
