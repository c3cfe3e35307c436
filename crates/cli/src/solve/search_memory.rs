//! Least memory of a proof-number search.

use anyhow::{Result, anyhow};

use crate::context::Context;

/// Refuses a limit of fewer bytes than proof-number search needs.
pub(crate) fn check_proof_memory(context: &Context) -> Result<()> {
    const MIN_BYTES: u64 = 1 << 20;
    if context.limits().memory < MIN_BYTES {
        Err(search_memory_error(MIN_BYTES, context))
    } else {
        Ok(())
    }
}

/// Returns the error of a limit of fewer bytes than proof-number search needs.
pub(super) fn search_memory_error(needed: u64, context: &Context) -> anyhow::Error {
    anyhow!("a search for who wins needs at least {} (--memory)", context.format_needed(needed))
}
