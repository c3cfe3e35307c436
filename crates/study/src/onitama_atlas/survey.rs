//! Solving the sets of a board.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Builder};
use std::time::Instant;

use hindsight_bitplanes::BitplanePlan;
use hindsight_solve::{Error, Limits, Monitor, Progress};
use rayon::ThreadPoolBuilder;

use super::entry::{self, CARDS, Entry};
use super::{Options, Size, Watch};
use crate::keep::Keep;

/// What is known of the sets of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// The board.
    pub size: Size,
    /// The sets that were solved, by their numbers.
    pub entries: Vec<Entry>,
}

/// Why a board is not done.
pub(super) enum Halt {
    Stopped,
    Failed(String),
}

/// Solves what is missing, as far as time allows.
pub(super) fn make(
    size: Size,
    options: &Options,
    keep: &dyn Keep<Entry>,
    watch: Watch<'_>,
) -> (Survey, Option<Halt>) {
    let sets = entry::sets(options.seed);
    let plan = BitplanePlan::new(&entry::game(size, sets[0]));
    let kept = match kept(size, &sets, plan.positions(), keep) {
        Ok(kept) => kept,
        Err(message) => return (Survey::new(size, []), Some(Halt::Failed(message))),
    };
    let missing: Vec<usize> = (0..sets.len()).filter(|i| !kept.contains_key(i)).collect();
    let (peak, memory) = (plan.peak(options.limits.memory), options.limits.memory);
    if peak > memory && !missing.is_empty() {
        let message = format!(
            "one set of cards on {size} takes {peak} bytes of memory, {memory} are allowed"
        );
        return (
            Survey::new(size, kept.into_values()),
            Some(Halt::Failed(message)),
        );
    }
    let team = Team {
        size,
        sets: &sets,
        missing: &missing,
        limits: options.limits,
        keep,
        watch,
        begin: Instant::now(),
        kept: kept.len(),
        taken: AtomicUsize::new(0),
        solved: Mutex::new(kept),
        stopped: AtomicBool::new(false),
        failed: Mutex::new(None),
    };
    let threads = rayon::current_num_threads();
    let at_once = threads.min((memory / peak.max(1)) as usize).max(1);
    team.work(at_once, threads / at_once);
    let halt = match team.failed.into_inner().expect("no panic") {
        Some(message) => Some(Halt::Failed(message)),
        None => team.stopped.into_inner().then_some(Halt::Stopped),
    };
    let solved = team.solved.into_inner().expect("no panic");
    (Survey::new(size, solved.into_values()), halt)
}

/// The sets that were solved before, by their numbers.
fn kept(
    size: Size,
    sets: &[[usize; CARDS]],
    positions: u64,
    keep: &dyn Keep<Entry>,
) -> Result<BTreeMap<usize, Entry>, String> {
    let mut kept = BTreeMap::new();
    for entry in keep.read(&size.to_string())? {
        let number = entry.number;
        let fits = |set: &[usize; CARDS]| entry.fits(*set, positions);
        if !sets.get(number).is_some_and(fits) {
            return Err(format!("{size}: set {number} is not of this study"));
        }
        if kept.get(&number).is_some_and(|other| *other != entry) {
            return Err(format!(
                "{size}: set {number} is there twice, with other values"
            ));
        }
        kept.insert(number, entry);
    }
    Ok(kept)
}

impl Survey {
    fn new(size: Size, entries: impl IntoIterator<Item = Entry>) -> Self {
        let entries = entries.into_iter().collect();
        Self { size, entries }
    }
}

/// Those who solve sets, each one at a time.
struct Team<'a> {
    size: Size,
    sets: &'a [[usize; CARDS]],
    missing: &'a [usize],
    limits: Limits,
    keep: &'a dyn Keep<Entry>,
    watch: Watch<'a>,
    begin: Instant,
    /// How many were solved before.
    kept: usize,
    /// How many of the missing ones were begun.
    taken: AtomicUsize,
    solved: Mutex<BTreeMap<usize, Entry>>,
    stopped: AtomicBool,
    failed: Mutex<Option<String>>,
}

impl Team<'_> {
    fn work(&self, at_once: usize, threads: usize) {
        self.report();
        thread::scope(|scope| {
            for _ in 0..at_once {
                let work = || {
                    // A pool of its own, so that nobody waits for the others.
                    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                    let pool = pool.map_err(|error| Error::Thread(io::Error::other(error)));
                    let pool = pool.map_err(|error| error.to_string());
                    if let Err(message) = pool.and_then(|pool| pool.install(|| self.solve_on())) {
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

    /// Lets all stop, and says why.
    fn fail(&self, message: String) {
        self.stopped.store(true, Ordering::Relaxed);
        *self.failed.lock().expect("no panic") = Some(message);
    }

    /// Solves one set after the other, one at least.
    fn solve_on(&self) -> Result<(), String> {
        while let Some(number) = self.next() {
            let limits = Limits {
                time: None,
                ..self.limits
            };
            let found = Entry::solve(self.size, (number, self.sets[number]), limits, &mut &*self);
            match found {
                Ok(entry) => {
                    self.keep.add(&self.size.to_string(), &entry)?;
                    self.solved.lock().expect("no panic").insert(number, entry);
                    self.report();
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

    /// The number of the next set to solve.
    fn next(&self) -> Option<usize> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        let next = self.taken.fetch_add(1, Ordering::Relaxed);
        self.missing.get(next).copied()
    }

    /// Tells how far it has come; whether to go on.
    fn report(&self) -> bool {
        let solved = self.solved.lock().expect("no panic").len();
        let progress = Progress {
            phase: "solving",
            done: solved as u64,
            total: Some(self.expected(solved) as u64),
        };
        if !(self.watch)(self.size, progress) {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !self.stopped.load(Ordering::Relaxed)
    }

    /// How many sets there will be when time is over.
    fn expected(&self, solved: usize) -> usize {
        let Some(time) = self.limits.time else {
            return self.sets.len();
        };
        let new = (solved - self.kept).max(1) as f64;
        let seconds = self.begin.elapsed().as_secs_f64();
        let at_the_end = new * (time.as_secs_f64() / seconds).max(1.0);
        self.sets
            .len()
            .min(self.kept.saturating_add(at_the_end as usize))
    }
}

impl Monitor for &Team<'_> {
    fn report(&mut self, _: Progress) -> bool {
        Team::report(self)
    }
}
