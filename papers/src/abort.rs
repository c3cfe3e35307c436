/// Reason why a study ends before it is complete.
#[derive(Debug)]
pub(crate) enum Abort {
    /// The caller stopped the study.
    Stopped,
    /// The message for the user.
    Failed(String),
}
