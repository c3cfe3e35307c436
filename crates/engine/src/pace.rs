//! Size of the portions of work between two reports.

use std::time::{Duration, Instant};

/// Time that a portion is to take.
const AIM: Duration = Duration::from_millis(100);

/// Number of items between two reports, such that these come about ten times a second: also where
/// other programs take the processors, and of items that take long.
#[derive(Clone, Debug)]
pub struct Pace {
    items: u64,
    least: u64,
    most: u64,
    begin: Instant,
}

impl Pace {
    /// Starts with a quarter of `most`. A portion has an item for each thread of the current rayon
    /// pool at least.
    #[must_use]
    pub fn new(most: u64) -> Self {
        let least = (rayon::current_num_threads() as u64).min(most);
        Self { items: (most / 4).max(least), least, most, begin: Instant::now() }
    }

    /// Returns the number of items of the next portion, by the time since the call before.
    pub fn portion(&mut self) -> u64 {
        self.adapt(self.begin.elapsed());
        self.begin = Instant::now();
        self.items
    }

    fn adapt(&mut self, taken: Duration) {
        if taken > AIM {
            self.items = (self.items / 2).max(self.least);
        } else if taken < AIM / 4 {
            self.items = (2 * self.items).min(self.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AIM, Pace};

    #[test]
    fn portions_are_as_long_as_their_items_allow() {
        let threads = rayon::current_num_threads() as u64;
        let mut pace = Pace::new(1000 * threads);
        for _ in 0..20 {
            pace.adapt(AIM / 8);
        }
        assert_eq!(pace.items, 1000 * threads);
        pace.adapt(AIM / 2);
        assert_eq!(pace.items, 1000 * threads);
        for _ in 0..20 {
            pace.adapt(2 * AIM);
        }
        assert_eq!(pace.items, threads);
        assert_eq!(Pace::new(1).portion(), 1);
    }
}
