//! Limits and signals of an exploration that holds the interpreter.

use std::time::{Duration, Instant};

use hindsight_games::memory;
use pyo3::prelude::*;

use crate::errors::exception;
use crate::wish::look;

/// Time between two looks at signals and limits. In between other threads of Python may run.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);
/// Looks between two calls of the function that hears of the progress.
const LOOKS_A_REPORT: u32 = 20;
/// Looks between two measurements of the memory.
const LOOKS_A_MEASUREMENT: u32 = 5;

/// Limits of an exploration.
#[derive(Clone, Copy)]
pub(super) struct ExploreLimits {
    pub(super) positions: u64,
    /// Bytes, with those of the objects of Python.
    pub(super) memory: u64,
    pub(super) time: Option<Duration>,
}

/// Size of an exploration.
#[derive(Clone, Copy)]
pub(super) struct ExploredSize {
    pub(super) expanded: u64,
    pub(super) positions: u64,
    pub(super) edges: u64,
    /// Bytes of the tables and lists.
    pub(super) bytes: u64,
}

impl ExploredSize {
    /// Upper bound for the bytes that the solve of the graph takes beside it: a table of numbers,
    /// values, a copy of the edges, and their reversal.
    pub(super) fn solving_bytes(self) -> u64 {
        64 * self.positions + 8 * self.edges
    }
}

/// Clock of an exploration.
pub(super) struct Pace<'a, 'py> {
    limits: ExploreLimits,
    report: Option<&'a Bound<'py, PyAny>>,
    begin: Instant,
    last_look: Instant,
    looks: u32,
    /// Resident memory at the begin.
    resident: u64,
}

impl<'a, 'py> Pace<'a, 'py> {
    pub(super) fn new(limits: ExploreLimits, report: Option<&'a Bound<'py, PyAny>>) -> Self {
        let now = Instant::now();
        Self {
            limits,
            report,
            begin: now,
            last_look: now,
            looks: 0,
            resident: memory::resident_bytes(),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Looks at signals and limits if it is time to.
    pub(super) fn look(&mut self, py: Python<'_>, size: impl Fn() -> ExploredSize) -> PyResult<()> {
        if self.last_look.elapsed() < LOOK_INTERVAL {
            return Ok(());
        }
        look(py)?;
        py.detach(|| ());
        let size = size();
        self.looks += 1;
        if self.looks.is_multiple_of(LOOKS_A_REPORT) {
            self.tell(size)?;
        }
        if self.looks.is_multiple_of(LOOKS_A_MEASUREMENT) {
            self.check_memory(py, size)?;
        }
        self.check_time(py, size)?;
        self.last_look = Instant::now();
        Ok(())
    }

    /// Calls the listener.
    pub(super) fn tell(&self, size: ExploredSize) -> PyResult<()> {
        if let Some(report) = self.report {
            report.call1(("exploring", size.expanded, None::<u64>))?;
        }
        Ok(())
    }

    fn check_time(&self, py: Python<'_>, size: ExploredSize) -> PyResult<()> {
        match self.limits.time {
            Some(time) if self.elapsed() > time => {
                let text = format!(
                    "{} s do not suffice: {} were met and {} played; a greater seconds=.. allows \
                     more",
                    time.as_secs_f64(),
                    count(size.positions, "position"),
                    count(size.edges, "move"),
                );
                Err(exception(py, "LimitError", &text))
            }
            _ => Ok(()),
        }
    }

    fn check_memory(&self, py: Python<'_>, size: ExploredSize) -> PyResult<()> {
        let grown = memory::resident_bytes().saturating_sub(self.resident);
        let needed = grown.max(size.bytes) + size.solving_bytes();
        if needed <= self.limits.memory {
            return Ok(());
        }
        let text = format!(
            "{} bytes of memory do not suffice for {} and {}: smaller positions, a key(..) that \
             merges symmetric ones or a greater memory=.. help",
            self.limits.memory,
            count(size.positions, "position"),
            count(size.edges, "move"),
        );
        Err(exception(py, "LimitError", &text))
    }

    /// Returns the error of too many positions.
    pub(super) fn too_many(&self, py: Python<'_>, size: ExploredSize) -> PyErr {
        let text = format!(
            "more than {} were met, {} of them expanded: max_positions=.. allows more, unless the \
             game is endless because positions count moves or never compare equal",
            count(self.limits.positions, "position"),
            count(size.expanded, ""),
        );
        exception(py, "LimitError", &text)
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
    match (noun, number) {
        ("", _) => text,
        (_, 1) => format!("{text} {noun}"),
        _ => format!("{text} {noun}s"),
    }
}
