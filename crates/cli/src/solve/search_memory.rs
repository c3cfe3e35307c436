//! Least memory of a proof-number search.

use anyhow::{Result, anyhow};

use crate::memory::program_bytes;
use crate::sizes::format_needed;

/// Refuses a limit of fewer bytes than proof-number search needs.
pub(crate) fn check_proof_memory(memory: u64) -> Result<()> {
    const MIN_BYTES: u64 = 1 << 20;
    match memory < MIN_BYTES {
        true => Err(search_memory_error(MIN_BYTES)),
        false => Ok(()),
    }
}

/// Returns the error of a limit of fewer bytes than proof-number search needs.
pub(super) fn search_memory_error(needed: u64) -> anyhow::Error {
    anyhow!(
        "a search for who wins needs at least {} (--memory)",
        format_needed(needed.saturating_add(program_bytes()))
    )
}
