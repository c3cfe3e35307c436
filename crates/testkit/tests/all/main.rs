//! Tests of the workspace's layers, and of the laws of games against planted faults.

mod dobutsu;
mod dodgem;
mod drawn_moves;
mod drawn_setups;
mod four;
mod l_game;
mod layers;
mod misdrawn;
mod quixo;
mod sources;
mod tic_tac_toe;
mod written;
