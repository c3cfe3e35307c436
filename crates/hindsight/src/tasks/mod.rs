//! Long work as its caller describes it, and what it leaves: options, the folder of a solve, proofs
//! of earlier analyses. Games and their values are not known here.

pub(crate) mod analysis;
#[cfg(feature = "cluster")]
pub(crate) mod cluster;
pub(crate) mod distances;
pub(crate) mod folder;
pub(crate) mod kept_findings;
mod kept_limit;
mod kept_symmetry;
pub(crate) mod new_table;
pub(crate) mod options;
pub(crate) mod solve;
pub(crate) mod stores;
