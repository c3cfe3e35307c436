//! All tests of the crate in one program, so that games and tables are compiled only once.

mod distances;
mod forged;
mod memory;
mod model;
mod old_version;
mod pairs;
mod parts;
mod reachable;
mod states;
mod table;
mod verify_pairs;
mod wdl;

use hindsight_engine::{Monitor, Progress};

/// Stops after a number of reports.
struct StopAfter(u32);

impl Monitor for StopAfter {
    fn report(&mut self, _: Progress) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}
