//! TODO

pub(crate) mod index;
pub(crate) mod solve;
pub(crate) mod successors;
