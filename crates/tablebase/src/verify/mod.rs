//! Checks of tables: every byte by its checksum, every layer's header by its counts, every value by
//! the values of its successors. [`verify()`] proves that this is enough.
//!
//! `verifier` has the steps of a check; the file of a content says how one of its layers is
//! decoded, counted and recomputed.

mod by_solving;
mod distances;
mod position_recheck;
mod positions;
mod state_recheck;
mod states;
#[cfg(test)]
mod tests;
mod verifier;

pub use by_solving::{SolveAgain, verify_by_solving};
pub use distances::verify_distances;
pub use positions::verify;
pub use states::verify_states;
