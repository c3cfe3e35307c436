//! Coders: the two ways in which the symbols of a block become bytes, and the choice between them.
//! Headers, the index and files are not known here.

pub(crate) mod coder;
pub(crate) mod model_choice;
mod zstd_blocks;
