//! Positions and moves of any game, and what is found out about them: values, choices, puzzles,
//! rows of a table. No game, task or file is known here.

pub(crate) mod agent_choice;
pub(crate) mod any_puzzle;
pub(crate) mod any_value;
pub(crate) mod decoded_layer;
pub(crate) mod draw_error;
pub(crate) mod numbered;
pub(crate) mod rated_move;
