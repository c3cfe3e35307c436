//! A solve whose planes do not fit into memory: they are kept in tiles elsewhere.
//!
//! A pass goes over a plane one slice of rows at a time. The quiet moves of a row lead to blocks
//! with the same followers of the side that does not move: one slice of blocks of the other side's
//! plane. Captures lead to a whole plane with a follower fewer. So a pass reads and writes each
//! plane once, and reads the planes that its moves lead to once.
//!
//! The solve has three phases: sweeps, incremental passes once little is found ([`incremental`]),
//! and passes over an explicit graph once little is undecided ([`explicit`]).

pub(crate) mod explicit;
pub(crate) mod frontier_tiles;
pub(crate) mod incremental;
pub(crate) mod partition;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod stage;
pub(crate) mod state;
pub(crate) mod tile_io;
pub(crate) mod tiles;
pub(crate) mod tracked;
