//! Exit codes, and the error of what is not built in. After a signal the code is that of
//! [`crate::process::signals::exit_code`].

/// Success.
pub(crate) const DONE: u8 = 0;
/// The answer to a question is "no".
pub(crate) const NO: u8 = 1;
/// Failure or bad input; no file was written under a requested name.
pub(crate) const FAILURE: u8 = 2;

/// Error of a command that needs a feature which this program is built without. `what` is a plural.
pub(crate) fn not_built_in(what: &str, feature: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "this program was built without {what}; `cargo build --release --features {feature}` \
         builds it with them"
    )
}
