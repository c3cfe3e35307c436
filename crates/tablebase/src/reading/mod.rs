//! Tables of positions, open: layers decoded whole, probes one by one or in batches, blocks that
//! stay in memory. How a table was written is not known here.

pub(crate) mod batch;
pub(crate) mod block_cache;
pub(crate) mod decode;
pub(crate) mod kept_blocks;
pub(crate) mod random_ranks;
pub(crate) mod table;
pub(crate) mod table_reader;
