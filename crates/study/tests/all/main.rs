//! All tests of studies in one program: games and solvers are compiled once for them.

mod lure;
mod memory_games;
mod onitama_agents;
mod onitama_atlas;
mod onitama_thesis;
mod ostle;
mod quoridor_reduced;
