//! Checks of tables: every byte by its checksum, every layer's header by its counts, every value by
//! the values of its successors. [`verify()`] proves that this is enough. No table is written here.
//!
//! `verifier` has the steps of a check; the file of a content says how one of its layers is
//! decoded, counted and recomputed.

mod by_solving;
mod checksums;
mod distances;
pub(crate) mod memory;
mod position_recheck;
mod positions;
mod state_recheck;
#[cfg(test)]
mod state_tests;
mod states;
#[cfg(test)]
mod tests;
mod verifier;

pub use by_solving::{SolveAgain, verify_by_solving};
pub use distances::{SearchDistances, verify_distances};
pub use positions::verify;
pub use states::verify_states;
