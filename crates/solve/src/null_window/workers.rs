//! Workers of a search, on any number of threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use hindsight_core::{CountdownRules, Packed};
use hindsight_engine::{Error, Limits, Monitor, Progress};

use super::score::{Score, value};
use super::search::{WindowSignals, Worker};
use super::solution::NullWindowSolution;
use super::table::{BoundsTable, EntryForm};

/// Time between two looks at the clock.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// Bytes of the first table.
const FIRST_BYTES: u64 = 1 << 23;
/// Factor by which a table grows.
const GROWTH: u64 = 8;
/// Positions that a worker searches, for each entry of the table, before the table grows.
const NODES_PER_ENTRY: u64 = 16;

/// Search from one position, by all its workers.
pub(super) struct Workers<'a> {
    game: &'a CountdownRules<'a>,
    start: Packed,
    limits: Limits,
    started: Instant,
    signals: WindowSignals,
    /// Best move so far, with the lower bound that it proves.
    best: Mutex<Option<(Score, Packed)>>,
}

impl<'a> Workers<'a> {
    /// Creates a search between two bounds, which must differ.
    pub(super) fn new(
        game: &'a CountdownRules<'a>,
        start: Packed,
        limits: Limits,
        [lower, upper]: [Score; 2],
    ) -> Self {
        Self {
            game,
            start,
            limits,
            started: Instant::now(),
            signals: WindowSignals {
                stop: AtomicBool::new(false),
                lower: AtomicI32::new(lower),
                upper: AtomicI32::new(upper),
                nodes: AtomicU64::new(0),
            },
            best: Mutex::new(None),
        }
    }

    /// Runs the search, with one table after the other. The calling thread asks the monitor and
    /// watches the clock.
    pub(super) fn run(
        self,
        form: EntryForm,
        monitor: &mut dyn Monitor,
    ) -> Result<NullWindowSolution, Error> {
        let mut largest = form.fitting_bytes(self.limits.memory);
        let first = form.fitting_bytes(FIRST_BYTES.min(self.limits.memory));
        let mut bytes = first;
        let mut stopped = false;
        loop {
            let laid_out = BoundsTable::new(form, bytes, &mut || {
                if self.may_continue(monitor) && !self.is_over() {
                    Ok(())
                } else {
                    Err(Error::Stopped)
                }
            });
            let table = match laid_out {
                Ok(table) => table,
                // Bounds that were found with smaller tables are known.
                Err(Error::Stopped) => {
                    stopped = !self.is_over();
                    break;
                }
                // The search goes on with as much as the system gives.
                Err(Error::NoMemory { .. }) if bytes > first => {
                    largest = form.fitting_bytes(bytes / GROWTH).max(first);
                    bytes = largest;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let nodes =
                if bytes < largest { NODES_PER_ENTRY * table.len() as u64 } else { u64::MAX };
            stopped |= self.run_with_table(&table, nodes, monitor)?;
            if self.is_decided() || self.signals.stop.load(Ordering::Relaxed) {
                break;
            }
            bytes = form.fitting_bytes(bytes.saturating_mul(GROWTH)).min(largest);
        }
        Ok(self.solution(stopped))
    }

    /// Runs all workers until the value is known, the search is stopped, or one of them has
    /// searched `nodes` positions. Returns true if the monitor stopped the search.
    fn run_with_table(
        &self,
        table: &BoundsTable,
        nodes: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<bool, Error> {
        let (is_full, watcher) = (AtomicBool::new(false), thread::current());
        let running = AtomicUsize::new(rayon::current_num_threads());
        let round = SearchRound { table, nodes, is_full: &is_full };
        thread::scope(|scope| {
            let threads = (0..rayon::current_num_threads() as u64).map(|number| {
                let (round, watcher, running) = (&round, watcher.clone(), &running);
                Builder::new().spawn_scoped(scope, move || {
                    self.work(round, number);
                    running.fetch_sub(1, Ordering::Release);
                    watcher.unpark();
                })
            });
            let threads = threads.collect::<Result<Vec<_>, _>>().map_err(|error| {
                self.signals.stop.store(true, Ordering::Relaxed);
                Error::Thread(error)
            })?;
            let mut stopped = false;
            // A thread that panics does not count down.
            let are_over = || threads.iter().all(|thread| thread.is_finished());
            while running.load(Ordering::Acquire) > 0 && !are_over() {
                thread::park_timeout(CHECK_INTERVAL);
                stopped |= !self.may_continue(monitor);
                if stopped || self.is_over() {
                    self.signals.stop.store(true, Ordering::Relaxed);
                }
            }
            for thread in threads {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            Ok(stopped)
        })
    }

    /// True if the time allowed is over.
    fn is_over(&self) -> bool {
        let is_over = |time: Duration| self.started.elapsed() >= time;
        self.limits.time.is_some_and(is_over)
    }

    /// Reports progress. True if the monitor lets the search go on.
    fn may_continue(&self, monitor: &mut dyn Monitor) -> bool {
        monitor.report(Progress {
            phase: "searching",
            done: self.signals.nodes.load(Ordering::Relaxed),
            total: None,
        })
    }

    /// Searches one window after the other.
    fn work(&self, round: &SearchRound<'_>, number: u64) {
        let mut worker = Worker::new(self.game, self.start, round, &self.signals, number);
        while !self.is_decided() && !worker.is_to_end() {
            let [lower, upper] = self.bounds();
            let window = next_window(lower, upper);
            let Some(score) = worker.run(self.start, window) else {
                continue;
            };
            if score > window {
                self.note_best(score, worker.best);
                self.signals.lower.fetch_max(score, Ordering::Relaxed);
            } else {
                self.signals.upper.fetch_min(score, Ordering::Relaxed);
            }
        }
    }

    fn note_best(&self, score: Score, best: Option<Packed>) {
        let mut known = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let is_better = known.is_none_or(|(least, _)| least < score);
        if let Some(best) = best.filter(|_| is_better) {
            *known = Some((score, best));
        }
    }

    fn bounds(&self) -> [Score; 2] {
        let (lower, upper) = (&self.signals.lower, &self.signals.upper);
        [lower, upper].map(|bound| bound.load(Ordering::Relaxed))
    }

    fn is_decided(&self) -> bool {
        let [lower, upper] = self.bounds();
        lower >= upper
    }

    fn solution(self, stopped: bool) -> NullWindowSolution {
        let left = self.game.plies_left(self.start);
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        NullWindowSolution {
            bounds: self.bounds().map(|score| value(score, left)),
            best: best.map(|(_, position)| position),
            nodes: self.signals.nodes.load(Ordering::Relaxed),
            stopped,
        }
    }
}

/// Work with one table.
pub(super) struct SearchRound<'a> {
    pub(super) table: &'a BoundsTable,
    /// Positions that a worker may search.
    pub(super) nodes: u64,
    /// True once a worker has searched `nodes` positions.
    pub(super) is_full: &'a AtomicBool,
}

/// Bound that the next search tries to exceed: first who wins, then in how many plies, nearer to
/// the slow wins, which are the more frequent.
fn next_window(lower: Score, upper: Score) -> Score {
    let step = (upper - lower - 1) / 4;
    match (lower, upper) {
        (..=0, 1..) => 0,
        (..0, 0) => -1,
        (1.., _) => lower + step,
        _ => upper - 1 - step,
    }
}

#[cfg(test)]
mod tests {
    use super::next_window;

    #[test]
    fn windows_divide_what_is_open() {
        for lower in -32..=32 {
            for upper in lower + 1..=32 {
                let window = next_window(lower, upper);
                assert!((lower..upper).contains(&window), "{lower} to {upper}");
            }
        }
    }
}
