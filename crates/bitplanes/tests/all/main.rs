//! All end-to-end tests in one program, so that games are compiled once.

mod acyclic;
mod in_memory;
mod log;
mod out_of_core;
mod sample;
mod stopped;
