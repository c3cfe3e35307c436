//! Sorted positions, as a numbering of what can be reached.
//!
//! A position becomes a **key**: those of its bits that are not the same in all positions, one
//! after the other, as a number. Keys are sorted, and a position's rank is the number of its key.
//! Blocks of 256 keys store differences; `docs/table-format.md` has the bytes.

mod bits;
mod block;
mod builder;
mod key_index;
mod key_set;
mod limbs;
mod new_keys;
mod page;
mod varying;

pub use builder::{CodedPositions, sorted, sorting_bytes};
pub use key_index::KeyIndex;
pub use key_set::{KeySections, KeySet};
pub use new_keys::PositionList;
