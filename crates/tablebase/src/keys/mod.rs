//! Sorted positions: the numbering of a table of reachable positions.
//!
//! A position becomes a **key**: those of its bits that are not the same in all positions, one
//! after the other, as a number. Keys are sorted, and a position's rank is the number of its key.
//! Blocks of 256 keys store differences; `docs/table-format.md` has the bytes.

pub(crate) mod bits;
pub(crate) mod block;
pub(crate) mod builder;
pub(crate) mod key_set;
pub(crate) mod keyed_ranks;
pub(crate) mod limbs;
pub(crate) mod reachable_layer;
pub(crate) mod varying;
