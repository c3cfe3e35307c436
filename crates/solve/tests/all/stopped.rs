//! Solves that are stopped, and checkpoints that are damaged then.

use hindsight_engine::checkpoint::{Blobs, MemoryBlobs};
use hindsight_engine::{Error, Monitor, NoMonitor, Progress};
use hindsight_testkit::damaged;

/// Stops after a number of reports.
pub(crate) struct StopAfter(pub(crate) u32);

impl Monitor for StopAfter {
    fn report(&mut self, progress: Progress) -> bool {
        assert!(progress.total.is_none_or(|total| progress.done <= total));
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// Stops a solve at its third report, when it has one blob. It ends from that blob, but not from a
/// damaged one.
pub(crate) fn check_damaged<T>(solve: impl Fn(&MemoryBlobs, &mut dyn Monitor) -> Result<T, Error>) {
    let blobs = MemoryBlobs::default();
    assert!(matches!(solve(&blobs, &mut StopAfter(3)), Err(Error::Stopped)));
    let keys = blobs.keys().expect("keys");
    let [key] = &keys[..] else {
        panic!("{keys:?}");
    };
    for bytes in damaged(&blobs.bytes(key).expect("a blob")) {
        let copy = MemoryBlobs::default();
        copy.set(key, &bytes);
        assert!(matches!(solve(&copy, &mut NoMonitor), Err(Error::Store(_))));
    }
    assert!(solve(&blobs, &mut NoMonitor).is_ok());
}
