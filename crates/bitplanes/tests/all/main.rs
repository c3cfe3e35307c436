//! All tests of planes of bits in one program: games are compiled once for them.

mod acyclic;
mod in_memory;
mod out_of_core;
mod sample;
