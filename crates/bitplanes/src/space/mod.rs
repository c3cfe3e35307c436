//! The space of positions: rules tabulated, follower sets numbered, sizes known in advance.

pub(crate) mod board_tables;
pub(crate) mod canonical_rows;
pub(crate) mod mirror;
pub(crate) mod move_lists;
pub(crate) mod plan;
pub(crate) mod sets;
pub(crate) mod subproblem;
