//! All tests of solvers in one program: games and solvers are compiled once for them.

mod agree;
mod arrangements;
mod onward;
mod perft;
mod proof;
mod quoridor_golden;
mod reach;
mod reduced;
mod restricted;
mod sample;
mod slices;
mod tiered;
