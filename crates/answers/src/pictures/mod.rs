//! Pictures of positions and moves.

pub(crate) mod drawing;
pub(crate) mod drawn_move;
pub(crate) mod drawn_setup;
