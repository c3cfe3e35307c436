//! Limits on the resources of an agent: memory, and time for a move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits of an agent: its memory, with a flag for searches that reach it, and its time.
///
/// | agent | memory |
/// |---|---|
/// | `mcts` | its tree: the words of a position and 20 bytes a node, about 2^24 nodes at most |
/// | `alphabeta` | a table of 2^17 entries, or of the largest power of two that fits |
/// | others | lists of moves only |
///
/// A full tree grows no further; playouts then start from its existing leaves.
///
/// A search whose time is over, or that is stopped, plays the best move so far. Limits of time that
/// are not reached change no move.
#[derive(Clone, Copy, Debug)]
pub struct AgentResources<'a> {
    /// Limit in bytes.
    pub memory_bytes: u64,
    /// Flag set once a search needs more nodes than the limit allows.
    pub exhausted: Option<&'a AtomicBool>,
    /// Most time for a move.
    pub time: Option<Duration>,
    /// Flag that stops the search for a move.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for AgentResources<'_> {
    /// No limit.
    fn default() -> Self {
        Self { memory_bytes: u64::MAX, exhausted: None, time: None, stop: None }
    }
}

/// Bytes reserved for lists of moves and other small allocations.
const RESERVED_BYTES: u64 = 1 << 16;

impl<'a> AgentResources<'a> {
    /// Memory for `items` items of `item_size` bytes each, in bytes.
    pub(crate) fn bytes_for(items: usize, item_size: usize) -> u64 {
        RESERVED_BYTES + items as u64 * item_size as u64
    }

    /// Number of items of `item_size` bytes each that fit in the memory.
    pub(crate) fn max_items(&self, item_size: usize) -> usize {
        let items = self.memory_bytes.saturating_sub(RESERVED_BYTES) / item_size as u64;
        usize::try_from(items).unwrap_or(usize::MAX)
    }

    /// Returns the deadline of a search that begins now and has its own limit of time, or none.
    pub(crate) fn deadline(&self, time: Option<Duration>) -> Deadline<'a> {
        Deadline { stop: self.stop, ..Deadline::new(time.into_iter().chain(self.time).min()) }
    }

    /// Sets the flag of an exhausted memory.
    pub(crate) fn report_exhausted(&self) {
        if let Some(exhausted) = self.exhausted {
            exhausted.store(true, Ordering::Relaxed);
        }
    }
}

/// The end of the time for a move, or no end, and a flag that ends it earlier.
///
/// The clock is read once every 1 to [`MAX_STEPS_PER_READING`] steps, more rarely when steps are
/// quick. At a steady pace the end is noticed at most one slow step, or some tens of microseconds,
/// late; if steps suddenly become slower, at most [`MAX_STEPS_PER_READING`] of them late.
pub(crate) struct Deadline<'a> {
    end: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    expired: bool,
    last_reading: Instant,
    steps_per_reading: u32,
    steps_to_reading: u32,
}

/// Intended time between two readings of the clock; a reading takes some 50 ns.
const READING_INTERVAL: Duration = Duration::from_micros(16);

/// Maximum number of steps between two readings. Low, since steps may suddenly become slower.
const MAX_STEPS_PER_READING: u32 = 32;

impl Deadline<'_> {
    /// Returns the deadline `time` from now; `None` means no deadline.
    pub(crate) fn new(time: Option<Duration>) -> Self {
        let now = Instant::now();
        Self {
            // A time beyond the range of the clock is no limit.
            end: time.and_then(|time| now.checked_add(time)),
            stop: None,
            expired: false,
            last_reading: now,
            steps_per_reading: 1,
            steps_to_reading: 1,
        }
    }

    /// Counts a step of the search; returns true once the time is over or the search is stopped.
    pub(crate) fn tick(&mut self) -> bool {
        if self.end.is_none() && self.stop.is_none() || self.expired {
            return self.expired;
        }
        self.steps_to_reading -= 1;
        if self.steps_to_reading == 0 {
            self.read_clock();
        }
        self.expired
    }

    fn read_clock(&mut self) {
        let now = Instant::now();
        let spent = now.saturating_duration_since(self.last_reading);
        self.steps_per_reading = if spent > READING_INTERVAL {
            let step = spent / self.steps_per_reading;
            let steps = READING_INTERVAL.as_nanos() / step.as_nanos().max(1);
            (steps as u32).clamp(1, MAX_STEPS_PER_READING)
        } else {
            (2 * self.steps_per_reading).min(MAX_STEPS_PER_READING)
        };
        self.last_reading = now;
        self.steps_to_reading = self.steps_per_reading;
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.expired = is_stopped || self.end.is_some_and(|end| now >= end);
    }

    /// Time left, zero once it is over; `None` without a deadline.
    pub(crate) fn remaining(&self) -> Option<Duration> {
        let end = self.end?;
        Some(end.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::{AgentResources, Deadline, MAX_STEPS_PER_READING};
    use std::time::{Duration, Instant};

    #[test]
    fn memory_is_counted_in_items() {
        let limited = |memory_bytes| AgentResources { memory_bytes, ..AgentResources::default() };
        let needed = AgentResources::bytes_for(1024, 40);
        assert_eq!(limited(0).max_items(40), 0);
        assert_eq!(limited(needed).max_items(40), 1024);
        assert_eq!(limited(needed - 1).max_items(40), 1023);
        assert!(AgentResources::default().max_items(40) > 1 << 40);
    }

    #[test]
    fn slow_steps_are_timed_each_and_quick_ones_by_many() {
        let mut deadline = Deadline::new(Some(Duration::from_secs(3600)));
        for _ in 0..100_000 {
            assert!(!deadline.tick());
        }
        assert!(deadline.steps_per_reading > MAX_STEPS_PER_READING / 4);
        while deadline.steps_per_reading > 1 {
            std::thread::sleep(Duration::from_micros(200));
            assert!(!deadline.tick());
        }
        let begin = Instant::now();
        let mut deadline = Deadline::new(Some(Duration::from_millis(3)));
        let mut steps = 0;
        while !deadline.tick() {
            std::thread::sleep(Duration::from_millis(2));
            steps += 1;
        }
        assert!(begin.elapsed() >= Duration::from_millis(3));
        assert!(deadline.tick() && steps <= 2);
        let mut never = Deadline::new(None);
        assert!((0..1000).all(|_| !never.tick()));
    }
}
