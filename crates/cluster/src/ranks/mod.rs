//! Ranks of a layer, dealt out to the workers.
//!
//! The *ordinal* of a rank is its index in the layer, tier after tier. Ordinals are cut into runs,
//! and run `i` belongs to worker `i % workers`. The runs of a worker, one after the other, are its
//! *part* of the layer; a *place* is an index in a part.

mod deal;
mod packing;

pub(crate) use deal::{Deal, TierPiece, ordinal_of, pieces};
pub(crate) use packing::{PlaceList, SortBuffers, unpack};
