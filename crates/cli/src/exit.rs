//! Exit codes. A signal ends with the codes of [`crate::signals`].

/// Done.
pub(crate) const DONE: u8 = 0;
/// The answer is "no".
pub(crate) const NO: u8 = 1;
/// Failure or bad input; nothing was written under the names asked for.
pub(crate) const FAILURE: u8 = 2;
