//! Solves in several processes, each of which is a thread of the test here.

mod harness;
mod refusals;
mod resume;
mod tables;
