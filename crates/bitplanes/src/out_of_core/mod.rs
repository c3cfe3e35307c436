//! A solve whose planes do not fit in memory: they are elsewhere, in tiles (`slices.rs`).
//!
//! A pass over a plane goes slice by slice of its rows. What a row leads to has the same followers of the side that does not
//! move, so of the other side's plane one slice of columns is needed, and of the one that captures lead to all. Each pass thus reads
//! and writes a plane once, and reads those it looks at once. Once little is new, passes follow that (`late.rs`); once little is
//! undecided, it is listed in memory with what it leads to (`rest.rs`).

pub(crate) mod explicit;
pub(crate) mod frontier_tiles;
pub(crate) mod incremental;
pub(crate) mod partition;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod state;
pub(crate) mod tile_io;
pub(crate) mod tiles;
pub(crate) mod tracked;
