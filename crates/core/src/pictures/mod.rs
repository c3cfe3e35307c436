//! Pictures of positions as data, from which programs draw.

pub(crate) mod board_cell;
pub(crate) mod drawing;
pub(crate) mod drawn_move;
pub(crate) mod drawn_setup;
