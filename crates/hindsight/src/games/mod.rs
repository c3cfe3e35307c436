//! Games by name, the files and random parts of their specs, and positions put together from
//! pictures. Solves, tables and agents are not known here.

pub(crate) mod deal;
pub(crate) mod deck;
mod drawn_positions;
pub(crate) mod game;
pub(crate) mod game_text;
pub(crate) mod move_text;
pub(crate) mod own_games;
