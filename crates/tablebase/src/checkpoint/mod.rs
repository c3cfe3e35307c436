//! Folders with the finished layers of a solve, and the table made of them. How a layer is encoded
//! or decoded is not known here.

pub(crate) mod checkpoint_dir;
pub(crate) mod checkpoint_layer;
