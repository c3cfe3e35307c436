//! All tests of solvers in one program: games and solvers are compiled once for them.

mod agree;
mod bottom_up;
mod distance;
mod forbidden_move;
mod large_games;
mod null_window;
mod perft;
mod plan;
mod proof;
mod quoridor_golden;
mod shortest_win;
mod single_tiers;
mod subgame;
mod tiered;
