//! Tables of reachable positions: their ranks, and their one layer.

pub(crate) mod keyed_ranks;
pub(crate) mod reachable_layer;
pub(crate) mod table_keys;
