//! Planes: bits in memory, from packed lanes to board order and back.

pub(crate) mod block_index;
pub(crate) mod complement;
pub(crate) mod lane_buffer;
pub(crate) mod packing;
#[expect(clippy::module_inception, reason = "the room is named after its first type")]
pub(crate) mod plane;
pub(crate) mod transpose;
