//! Properties of the seams between rooms, so that a failure tells the place.

mod boards;
mod complement;
mod move_lists;
mod packing;
mod partition;
