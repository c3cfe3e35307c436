//! Limits of what an agent takes: memory, and time for a move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Memory that an agent may use, and where it says that this was not enough.
///
/// `mcts` keeps its tree within it: some 40 bytes a node (a position, and 20 bytes more), at most 2^24 nodes. A
/// full tree gets no new nodes; its leaves are played from again. `alphabeta` takes a table of 2^17 positions, or
/// of the largest smaller power of two that fits. Other agents take nothing but lists of moves.
#[derive(Clone, Copy, Debug)]
pub struct Resources<'a> {
    /// Bytes.
    pub memory: u64,
    /// Set when a search wanted more nodes than it may have.
    pub full: Option<&'a AtomicBool>,
}

impl Default for Resources<'_> {
    /// No limit.
    fn default() -> Self {
        Self {
            memory: u64::MAX,
            full: None,
        }
    }
}

/// Bytes for lists of moves, and other things that are small.
const LISTS: u64 = 1 << 16;

impl Resources<'_> {
    /// The memory that is needed for so many items of a size.
    pub(crate) fn needed(items: usize, size: usize) -> u64 {
        LISTS + items as u64 * size as u64
    }

    /// Items of a size that there is memory for.
    pub(crate) fn items(&self, size: usize) -> usize {
        let items = self.memory.saturating_sub(LISTS) / size as u64;
        usize::try_from(items).unwrap_or(usize::MAX)
    }

    pub(crate) fn tell_full(&self) {
        if let Some(full) = self.full {
            full.store(true, Ordering::Relaxed);
        }
    }
}

/// The end of the time for a move, if there is one. The clock is read after some steps, more of them
/// where they are quick: a look comes at most a slow step, or some tens of microseconds, late.
pub(crate) struct Deadline {
    end: Option<Instant>,
    passed: bool,
    last_look: Instant,
    /// Steps from one look to the next, and those that are left.
    interval: u32,
    left: u32,
}

/// Time between two looks at the clock that is aimed at. Reading it takes some 50 ns.
const BETWEEN_LOOKS: Duration = Duration::from_micros(16);

/// Steps may become slower all at once: few of them lie between two looks.
const MOST_STEPS: u32 = 32;

impl Deadline {
    /// The time that begins now.
    pub(crate) fn new(time: Option<Duration>) -> Self {
        let now = Instant::now();
        Self {
            end: time.map(|time| now + time),
            passed: false,
            last_look: now,
            interval: 1,
            left: 1,
        }
    }

    /// Counts a step; whether the time is over.
    pub(crate) fn step(&mut self) -> bool {
        if self.end.is_none() || self.passed {
            return self.passed;
        }
        self.left -= 1;
        if self.left == 0 {
            self.look();
        }
        self.passed
    }

    fn look(&mut self) {
        let now = Instant::now();
        let spent = now.saturating_duration_since(self.last_look);
        self.interval = if spent > BETWEEN_LOOKS {
            let step = spent / self.interval;
            let steps = BETWEEN_LOOKS.as_nanos() / step.as_nanos().max(1);
            (steps as u32).clamp(1, MOST_STEPS)
        } else {
            (2 * self.interval).min(MOST_STEPS)
        };
        self.last_look = now;
        self.left = self.interval;
        self.passed = self.end.is_some_and(|end| now >= end);
    }

    /// The rest of a time that began with this; zero when it is over.
    pub(crate) fn remaining(&self) -> Option<Duration> {
        let end = self.end?;
        Some(end.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Deadline, MOST_STEPS, Resources};
    use std::time::{Duration, Instant};

    #[test]
    fn memory_is_counted_in_items() {
        let of = |memory| Resources { memory, full: None };
        assert_eq!(of(0).items(40), 0);
        assert_eq!(of(Resources::needed(1024, 40)).items(40), 1024);
        assert_eq!(of(Resources::needed(1024, 40) - 1).items(40), 1023);
        assert!(Resources::default().items(40) > 1 << 40);
    }

    #[test]
    fn slow_steps_are_timed_each_and_quick_ones_by_many() {
        let mut deadline = Deadline::new(Some(Duration::from_secs(3600)));
        for _ in 0..100_000 {
            assert!(!deadline.step());
        }
        assert!(deadline.interval > MOST_STEPS / 4);
        while deadline.interval > 1 {
            std::thread::sleep(Duration::from_micros(200));
            assert!(!deadline.step());
        }
        let begin = Instant::now();
        let mut deadline = Deadline::new(Some(Duration::from_millis(3)));
        let mut steps = 0;
        while !deadline.step() {
            std::thread::sleep(Duration::from_millis(2));
            steps += 1;
        }
        assert!(begin.elapsed() >= Duration::from_millis(3));
        assert!(deadline.step() && steps <= 2);
        let mut never = Deadline::new(None);
        assert!((0..1000).all(|_| !never.step()));
    }
}
