//! Laws of the workspace, and laws of games held against faults that were planted.

mod layers;
mod sources;
mod tic_tac_toe;
