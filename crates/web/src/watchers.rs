//! Watchers of analyses for requests.

use hindsight_games::{AnalysisWatcher, AnyAnalysis, Progress};

use crate::StopFlag;

/// Watcher that ends an analysis for which nobody waits.
pub(crate) struct StopWatcher(pub(crate) StopFlag);

impl AnalysisWatcher for StopWatcher {
    fn report(&mut self, _: Progress) -> bool {
        !self.0.is_set()
    }

    fn improved(&mut self, _: &AnyAnalysis) {}
}
