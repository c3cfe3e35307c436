//! Exit codes. After a signal the code is that of [`crate::signals::exit_code`].

/// Success.
pub(crate) const DONE: u8 = 0;
/// The answer to a question is "no".
pub(crate) const NO: u8 = 1;
/// Failure or bad input; no file was written under a requested name.
pub(crate) const FAILURE: u8 = 2;
