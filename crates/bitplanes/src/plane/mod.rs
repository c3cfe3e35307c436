//! TODO

pub(crate) mod block_index;
pub(crate) mod complement;
pub(crate) mod lane_buffer;
pub(crate) mod packing;
pub(crate) mod plane;
pub(crate) mod transpose;
