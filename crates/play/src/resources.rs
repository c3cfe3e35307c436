//! Limits of what an agent takes: memory, and time for a move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Memory that an agent may use, and where it says that this was not enough.
///
/// `mcts` keeps its tree within it: some 40 bytes a node (a position, and 20 bytes more), at most 2^24 nodes. A
/// full tree gets no new nodes; its leaves are played from again. `alphabeta` takes a table of 2^17 positions, or
/// of the largest smaller power of two that fits. Other agents take nothing but lists of moves.
#[derive(Clone, Copy, Debug)]
pub struct AgentResources<'a> {
    /// Bytes.
    pub memory_bytes: u64,
    /// Set when a search wanted more nodes than it may have.
    pub exhausted: Option<&'a AtomicBool>,
}

impl Default for AgentResources<'_> {
    /// No limit.
    fn default() -> Self {
        Self {
            memory_bytes: u64::MAX,
            exhausted: None,
        }
    }
}

/// Bytes for lists of moves, and other things that are small.
const RESERVED_BYTES: u64 = 1 << 16;

impl AgentResources<'_> {
    /// The memory that is needed for so many items of a size.
    pub(crate) fn bytes_for(items: usize, size: usize) -> u64 {
        RESERVED_BYTES + items as u64 * size as u64
    }

    /// Items of a size that there is memory for.
    pub(crate) fn max_items(&self, size: usize) -> usize {
        let items = self.memory_bytes.saturating_sub(RESERVED_BYTES) / size as u64;
        usize::try_from(items).unwrap_or(usize::MAX)
    }

    pub(crate) fn report_exhausted(&self) {
        if let Some(full) = self.exhausted {
            full.store(true, Ordering::Relaxed);
        }
    }
}

/// The end of the time for a move, if there is one. The clock is read after some steps, more of them
/// where they are quick: a look comes at most a slow step, or some tens of microseconds, late.
pub(crate) struct Deadline {
    end: Option<Instant>,
    passed: bool,
    last_reading: Instant,
    /// Steps from one look to the next, and those that are left.
    steps_per_reading: u32,
    steps_left: u32,
}

/// Time between two looks at the clock that is aimed at. Reading it takes some 50 ns.
const READING_INTERVAL: Duration = Duration::from_micros(16);

/// Steps may become slower all at once: few of them lie between two looks.
const MAX_STEPS: u32 = 32;

impl Deadline {
    /// The time that begins now.
    pub(crate) fn new(time: Option<Duration>) -> Self {
        let now = Instant::now();
        Self {
            end: time.map(|time| now + time),
            passed: false,
            last_reading: now,
            steps_per_reading: 1,
            steps_left: 1,
        }
    }

    /// Counts a step; whether the time is over.
    pub(crate) fn step_is_late(&mut self) -> bool {
        if self.end.is_none() || self.passed {
            return self.passed;
        }
        self.steps_left -= 1;
        if self.steps_left == 0 {
            self.read_clock();
        }
        self.passed
    }

    fn read_clock(&mut self) {
        let now = Instant::now();
        let spent = now.saturating_duration_since(self.last_reading);
        self.steps_per_reading = if spent > READING_INTERVAL {
            let step = spent / self.steps_per_reading;
            let steps = READING_INTERVAL.as_nanos() / step.as_nanos().max(1);
            (steps as u32).clamp(1, MAX_STEPS)
        } else {
            (2 * self.steps_per_reading).min(MAX_STEPS)
        };
        self.last_reading = now;
        self.steps_left = self.steps_per_reading;
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
    use super::{AgentResources, Deadline, MAX_STEPS};
    use std::time::{Duration, Instant};

    #[test]
    fn memory_is_counted_in_items() {
        let of = |memory| AgentResources {
            memory_bytes: memory,
            exhausted: None,
        };
        assert_eq!(of(0).max_items(40), 0);
        assert_eq!(of(AgentResources::bytes_for(1024, 40)).max_items(40), 1024);
        assert_eq!(
            of(AgentResources::bytes_for(1024, 40) - 1).max_items(40),
            1023
        );
        assert!(AgentResources::default().max_items(40) > 1 << 40);
    }

    #[test]
    fn slow_steps_are_timed_each_and_quick_ones_by_many() {
        let mut deadline = Deadline::new(Some(Duration::from_secs(3600)));
        for _ in 0..100_000 {
            assert!(!deadline.step_is_late());
        }
        assert!(deadline.steps_per_reading > MAX_STEPS / 4);
        while deadline.steps_per_reading > 1 {
            std::thread::sleep(Duration::from_micros(200));
            assert!(!deadline.step_is_late());
        }
        let begin = Instant::now();
        let mut deadline = Deadline::new(Some(Duration::from_millis(3)));
        let mut steps = 0;
        while !deadline.step_is_late() {
            std::thread::sleep(Duration::from_millis(2));
            steps += 1;
        }
        assert!(begin.elapsed() >= Duration::from_millis(3));
        assert!(deadline.step_is_late() && steps <= 2);
        let mut never = Deadline::new(None);
        assert!((0..1000).all(|_| !never.step_is_late()));
    }
}
