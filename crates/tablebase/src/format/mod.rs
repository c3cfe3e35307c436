//! Parts of a table as they lie in its file: headers, the index, blocks. Who writes or reads them
//! is not known here.

pub(crate) mod block_tiers;
pub(crate) mod header_checks;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod layer_file;
