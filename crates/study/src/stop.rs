use solve::{Monitor, Progress};

/// Hands on whether the study was stopped.
pub(crate) struct Stop<'a>(pub(crate) &'a mut dyn FnMut(&str) -> bool);

impl Monitor for Stop<'_> {
    fn report(&mut self, _: Progress) -> bool {
        (self.0)("")
    }
}
