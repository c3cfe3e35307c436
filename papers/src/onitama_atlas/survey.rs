//! Solves the sets of a board.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Builder};
use std::time::Instant;

use hindsight_bitplanes::BitplanePlan;
use hindsight_core::Notation;
use hindsight_engine::{Error, Limits, Monitor, Progress};
use rayon::ThreadPoolBuilder;

use super::entry::{self, AtlasEntry, SET_SIZE};
use super::options::{AtlasOptions, BoardProgressFn};
use crate::abort::Abort;
use hindsight_study::{BoardSize, ResultStore, game_of};

/// Solved sets of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// Size of the board.
    pub size: BoardSize,
    /// Solved sets in the order of their numbers.
    pub entries: Vec<AtlasEntry>,
}

/// Solves the sets that are not in the store, as far as time allows. Returns all solved sets, and
/// the reason if the board is not done.
pub(super) fn survey_board(
    size: BoardSize,
    options: &AtlasOptions,
    store: &dyn ResultStore<AtlasEntry>,
    on_progress: BoardProgressFn<'_>,
) -> (Survey, Option<Abort>) {
    let sets = entry::shuffled_sets(options.seed);
    let plan = BitplanePlan::new(&game_of(&entry::game_of_set(size, sets[0]).spec()));
    let stored = store.read(&size.to_string());
    let stored = match stored.and_then(|stored| check_sets(size, options, stored)) {
        Ok(stored) => stored,
        Err(message) => return (Survey::new(size, []), Some(Abort::Failed(message))),
    };
    let missing: Vec<usize> =
        (0..sets.len()).filter(|i| options.has_set(*i) && !stored.contains_key(i)).collect();
    let (peak, memory) = (plan.peak(options.limits.memory), options.limits.memory);
    if peak > memory && !missing.is_empty() {
        let message = format!(
            "one set of cards on {size} takes {peak} bytes of memory, {memory} are allowed"
        );
        return (Survey::new(size, stored.into_values()), Some(Abort::Failed(message)));
    }
    let workers = SurveyWorkers {
        size,
        sets: &sets,
        wanted: options.sets() as usize,
        missing: &missing,
        limits: options.limits,
        store,
        on_progress,
        begin: Instant::now(),
        solved_before: stored.len(),
        started: AtomicUsize::new(0),
        solved: Mutex::new(stored),
        stopped: AtomicBool::new(false),
        failure: Mutex::new(None),
    };
    let threads = rayon::current_num_threads();
    let worker_count = threads.min((memory / peak.max(1)) as usize).max(1);
    workers.run(worker_count, threads / worker_count);
    let abort = match workers.failure.into_inner().expect("no panic") {
        Some(message) => Some(Abort::Failed(message)),
        None => workers.stopped.into_inner().then_some(Abort::Stopped),
    };
    let solved = workers.solved.into_inner().expect("no panic");
    (Survey::new(size, solved.into_values()), abort)
}

/// Returns stored sets of a board by their numbers, each once.
///
/// # Errors
/// A sentence, if sets do not fit the board, the seed, the part or each other.
pub fn check_sets(
    size: BoardSize,
    options: &AtlasOptions,
    stored: Vec<AtlasEntry>,
) -> Result<BTreeMap<usize, AtlasEntry>, String> {
    let sets = entry::shuffled_sets(options.seed);
    let positions =
        BitplanePlan::new(&game_of(&entry::game_of_set(size, sets[0]).spec())).positions();
    let mut checked = BTreeMap::new();
    for entry in stored {
        let number = entry.number;
        let fits = |set: &[usize; SET_SIZE]| entry.matches_set(*set, positions);
        if !sets.get(number).is_some_and(fits) {
            return Err(format!("{size}: set {number} is not of this study"));
        }
        if !options.has_set(number) {
            return Err(format!("{size}: set {number} is of another part"));
        }
        if checked.get(&number).is_some_and(|other| *other != entry) {
            return Err(format!("{size}: set {number} is there twice, with other values"));
        }
        checked.insert(number, entry);
    }
    Ok(checked)
}

impl Survey {
    fn new(size: BoardSize, entries: impl IntoIterator<Item = AtlasEntry>) -> Self {
        let entries = entries.into_iter().collect();
        Self { size, entries }
    }
}

/// State shared by the workers, each of which solves one set at a time.
struct SurveyWorkers<'a> {
    size: BoardSize,
    sets: &'a [[usize; SET_SIZE]],
    /// Number of sets to solve, with those that were in the store.
    wanted: usize,
    /// Numbers of the sets that were not in the store.
    missing: &'a [usize],
    limits: Limits,
    store: &'a dyn ResultStore<AtlasEntry>,
    on_progress: BoardProgressFn<'a>,
    begin: Instant,
    /// Number of sets that were in the store.
    solved_before: usize,
    /// Number of sets of `missing` that were started.
    started: AtomicUsize,
    solved: Mutex<BTreeMap<usize, AtlasEntry>>,
    stopped: AtomicBool,
    failure: Mutex<Option<String>>,
}

impl SurveyWorkers<'_> {
    /// Runs `workers` workers of `threads` threads each.
    fn run(&self, workers: usize, threads: usize) {
        self.report_progress();
        thread::scope(|scope| {
            for _ in 0..workers {
                let work = || {
                    // Each worker has its own thread pool, so that no worker waits for another.
                    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                    let pool =
                        pool.map_err(|error| Error::Thread(io::Error::other(error)).to_string());
                    if let Err(message) =
                        pool.and_then(|pool| pool.install(|| self.solve_until_done()))
                    {
                        self.fail(message);
                    }
                };
                if let Err(error) = Builder::new().spawn_scoped(scope, work) {
                    self.fail(Error::Thread(error).to_string());
                    break;
                }
            }
        });
    }

    /// Stops all workers because of a failure.
    fn fail(&self, message: String) {
        self.stopped.store(true, Ordering::Relaxed);
        *self.failure.lock().expect("no panic") = Some(message);
    }

    /// Solves sets until none is left, time is over or the study is stopped; at least one set
    /// even if time is over.
    fn solve_until_done(&self) -> Result<(), String> {
        while let Some(number) = self.take_next() {
            let limits = Limits { time: None, ..self.limits };
            let entry =
                AtlasEntry::solve(self.size, number, self.sets[number], limits, &mut &*self);
            match entry {
                Ok(entry) => {
                    self.store.add(&self.size.to_string(), &entry)?;
                    self.solved.lock().expect("no panic").insert(number, entry);
                    self.report_progress();
                }
                Err(Error::Stopped) => return Ok(()),
                Err(error) => return Err(format!("{}: {error}", self.size)),
            }
            let time = self.limits.time;
            if time.is_some_and(|time| self.begin.elapsed() >= time) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes the number of the next set to solve.
    fn take_next(&self) -> Option<usize> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        let next = self.started.fetch_add(1, Ordering::Relaxed);
        self.missing.get(next).copied()
    }

    /// Reports the progress. Returns true if the study goes on.
    fn report_progress(&self) -> bool {
        let solved = self.solved.lock().expect("no panic").len();
        let progress = Progress {
            phase: "solving",
            done: solved as u64,
            total: Some(self.expected_sets(solved) as u64),
        };
        if !(self.on_progress)(self.size, progress) {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !self.stopped.load(Ordering::Relaxed)
    }

    /// Estimates the number of solved sets when time is over.
    fn expected_sets(&self, solved: usize) -> usize {
        let Some(time) = self.limits.time else {
            return self.wanted;
        };
        let new = (solved - self.solved_before).max(1) as f64;
        let seconds = self.begin.elapsed().as_secs_f64();
        let new_at_end = new * (time.as_secs_f64() / seconds).max(1.0);
        self.wanted.min(self.solved_before.saturating_add(new_at_end as usize))
    }
}

impl Monitor for &SurveyWorkers<'_> {
    fn report(&mut self, _: Progress) -> bool {
        SurveyWorkers::report_progress(self)
    }
}
