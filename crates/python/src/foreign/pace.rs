//! Limits of a solve that the rules see to: between two calls they are asked for nothing else.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hindsight_games::memory;
use pyo3::prelude::*;

use crate::errors::exception;

/// Positions between two measurements of the memory.
const POSITIONS_A_MEASUREMENT: u64 = 1 << 14;

/// Limits of a solve.
pub(super) struct Pace {
    positions: u64,
    seconds: Option<f64>,
    /// Bytes, with those of the objects of Python.
    memory: u64,
    begin: Instant,
    resident: u64,
    expanded: AtomicU64,
}

impl Pace {
    pub(super) fn new(positions: u64, memory: u64, seconds: Option<f64>) -> Self {
        Self {
            positions,
            seconds,
            memory,
            begin: Instant::now(),
            resident: memory::resident_bytes(),
            expanded: AtomicU64::new(0),
        }
    }

    /// Notes that some positions will be expanded. So many objects are kept, and at least so many
    /// positions were met.
    ///
    /// # Errors
    /// `LimitError` if a limit is passed.
    pub(super) fn step(
        &self,
        py: Python<'_>,
        positions: u64,
        kept: usize,
        met: usize,
    ) -> PyResult<()> {
        let before = self.expanded.fetch_add(positions, Ordering::Relaxed);
        let after = before + positions;
        let text = if after.max(met as u64) > self.positions {
            format!(
                "more than {} were met: max_positions=.. allows more, unless the game is endless \
                 because positions count moves or never compare equal",
                count(self.positions, "position"),
            )
        } else if let Some(seconds) = self.passed_seconds() {
            format!(
                "{seconds} s do not suffice: {} were met; a greater seconds=.. allows more",
                count(before, "position"),
            )
        } else if kept > 0
            && before / POSITIONS_A_MEASUREMENT != after / POSITIONS_A_MEASUREMENT
            && memory::resident_bytes().saturating_sub(self.resident) > self.memory
        {
            format!(
                "{} bytes of memory do not suffice for {}: smaller positions, tuples of small \
                 numbers or a greater memory=.. help",
                self.memory,
                count(after, "position"),
            )
        } else {
            return Ok(());
        };
        Err(exception(py, "LimitError", &text))
    }

    /// Returns the limit of the time if it has passed.
    fn passed_seconds(&self) -> Option<f64> {
        let seconds = self.seconds?;
        let time = Duration::try_from_secs_f64(seconds.max(0.0)).ok()?;
        (self.begin.elapsed() > time).then_some(seconds)
    }
}

/// Returns a number with commas, and the noun for that many.
fn count(number: u64, noun: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.char_indices() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number == 1 { format!("{text} {noun}") } else { format!("{text} {noun}s") }
}
