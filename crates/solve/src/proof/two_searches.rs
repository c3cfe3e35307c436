use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use hindsight_core::{Game, Wdl};
use hindsight_run::{Error, Limits, Monitor, Progress};

use super::search::{Oracle, ProofSearch, SearchNode, SearchSignals};
use super::strategy::Strategy;
use crate::line::move_between;

/// Between two looks at the clock.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// A search calls itself ply by ply, a thousand times at most: 16 kilobytes a ply, many times what one takes.
const STACK_BYTES: usize = 1 << 24;

/// What the side to move at the start has to play, and what the other: only the winner's, or in a draw both.
pub type Strategies<P> = [Option<Strategy<P>>; 2];

/// What a search for the wins of one side found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SideResult<P> {
    /// Whether it wins from the start, if that was found.
    wins: Option<bool>,
    /// A first move by which the side to move wins, or prevents that the other does.
    best: Option<P>,
}

/// Who can win from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofSolution<P> {
    found: [SideResult<P>; 2],
    /// Positions whose moves were looked at, some of them several times.
    pub expansions: u64,
    /// Whether the monitor stopped the search.
    pub stopped: bool,
}

impl<P: Copy> ProofSolution<P> {
    /// Whether the side to move at the start wins, and whether the other does; `None` for what was not
    /// found.
    #[must_use]
    pub fn wins(&self) -> [Option<bool>; 2] {
        match self.found.map(|found| found.wins) {
            [Some(true), _] => [Some(true), Some(false)],
            [_, Some(true)] => [Some(false), Some(true)],
            wins => wins,
        }
    }

    /// The value of the start; `None` if it was not found.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        match self.wins() {
            [Some(true), _] => Some(Wdl::Win),
            [_, Some(true)] => Some(Wdl::Loss),
            [Some(false), Some(false)] => Some(Wdl::Draw),
            _ => None,
        }
    }

    /// Where a best first move leads, up to symmetry: one that wins, or else holds the draw if neither
    /// side wins.
    #[must_use]
    pub fn best(&self) -> Option<P> {
        let [first, second] = self.found;
        match self.value()? {
            Wdl::Win => first.best,
            Wdl::Draw => second.best,
            Wdl::Loss => None,
        }
    }
}

impl<P: Copy> ProofSolution<P> {
    /// A best first move, as [`Solution::best`] has it.
    #[must_use]
    pub fn best_move<G: Game<Position = P>>(&self, game: &G) -> Option<G::Move> {
        move_between(game, game.start(), self.best()?)
    }
}

/// Searches until it is known who wins, time is over, or the monitor says stop. Uses two threads, or one
/// that gives each search half of the time. Memory is at most what is allowed.
///
/// # Errors
/// [`Error::Thread`] if there is no thread to search on.
pub fn solve<G: Game>(
    game: &G,
    oracle: Oracle<'_, G::Position>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ProofSolution<G::Position>, Error> {
    let found = TwoSearches::new(game, oracle, limits, false).run(monitor)?;
    Ok(found.0)
}

/// As [`solve`] with nothing known; also strategies, where they were found and fit into the memory.
///
/// # Errors
/// As [`solve`].
pub fn solve_with_strategies<G: Game>(
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ProofWithStrategies<G::Position>, Error> {
    TwoSearches::new(game, &|_| None, limits, true).run(monitor)
}

/// Who can win, and what to play.
pub type ProofWithStrategies<P> = (ProofSolution<P>, Strategies<P>);

/// The outcome of a search, and the search itself if a strategy is to be made of it.
type FinishedSearch<'a, G> = (
    SideResult<<G as Game>::Position>,
    Option<ProofSearch<'a, G>>,
);

/// The outcomes of both searches, and strategies.
type SideResults<P> = ([SideResult<P>; 2], Strategies<P>);

/// The searches for the wins of the side to move at the start, and of the other.
struct TwoSearches<'a, G: Game> {
    game: &'a G,
    known: Oracle<'a, G::Position>,
    limits: Limits,
    wants_strategies: bool,
    started: Instant,
    /// Searches that go on at the same time.
    parallel_searches: usize,
    stop: [AtomicBool; 2],
    expansions: AtomicU64,
}

impl<'a, G: Game> TwoSearches<'a, G> {
    fn new(
        game: &'a G,
        known: Oracle<'a, G::Position>,
        limits: Limits,
        wants_strategies: bool,
    ) -> Self {
        Self {
            game,
            known,
            limits,
            wants_strategies,
            started: Instant::now(),
            parallel_searches: rayon::current_num_threads().min(2),
            stop: [false; 2].map(AtomicBool::new),
            expansions: AtomicU64::new(0),
        }
    }

    /// Searches on a thread of its own while this one asks the monitor and looks at the clock.
    fn run(&self, monitor: &mut dyn Monitor) -> Result<ProofWithStrategies<G::Position>, Error> {
        let (over, watcher) = (AtomicBool::new(false), thread::current());
        let mut stopped = false;
        let (found, strategies) = thread::scope(|scope| {
            let work = Builder::new().stack_size(STACK_BYTES);
            let work = work.spawn_scoped(scope, || {
                let found = self.search_with_strategies();
                over.store(true, Ordering::Release);
                watcher.unpark();
                found
            });
            let work = work.map_err(Error::Thread)?;
            while !(over.load(Ordering::Acquire) || work.is_finished()) {
                thread::park_timeout(CHECK_INTERVAL);
                stopped |= !self.may_continue(monitor);
                self.stop_searches(stopped);
            }
            work.join().unwrap_or_else(|panic| resume_unwind(panic))
        })?;
        let solution = ProofSolution {
            found,
            expansions: self.expansions.load(Ordering::Relaxed),
            stopped,
        };
        Ok((solution, strategies))
    }

    /// True if the monitor lets the searches go on.
    fn may_continue(&self, monitor: &mut dyn Monitor) -> bool {
        monitor.report(Progress {
            phase: "proving",
            done: self.expansions.load(Ordering::Relaxed),
            total: None,
        })
    }

    /// Stops the searches whose time is over, or both.
    fn stop_searches(&self, stopped: bool) {
        for (side, stop) in self.stop.iter().enumerate() {
            let turns = if self.parallel_searches == 1 && side == 0 {
                2
            } else {
                1
            };
            let is_over = |time: Duration| self.started.elapsed() * turns >= time;
            if stopped || self.limits.time.is_some_and(is_over) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Searches for the wins of a side: 0 moves at the start.
    fn search(&self, side: usize) -> FinishedSearch<'_, G> {
        // For strategies both searches stay.
        let parts = if self.wants_strategies {
            2
        } else {
            self.parallel_searches
        };
        let outside = SearchSignals {
            stop: &self.stop[side],
            expansions: &self.expansions,
        };
        let bytes = self.limits.memory / parts as u64;
        let mut search = ProofSearch::new(self.game, self.known, bytes, outside);
        let wins = search.run(self.game.start(), side == 0);
        search.report();
        if wins == Some(true) {
            self.stop[1 - side].store(true, Ordering::Relaxed);
        }
        let best = search.best;
        let search = self.wants_strategies.then_some(search);
        (SideResult { wins, best }, search)
    }

    fn search_both(&self) -> Result<[FinishedSearch<'_, G>; 2], Error> {
        if self.parallel_searches == 1 {
            return Ok([self.search(0), self.search(1)]);
        }
        thread::scope(|scope| {
            let second = Builder::new().stack_size(STACK_BYTES);
            let second = second.spawn_scoped(scope, || self.search(1));
            let second = second.map_err(Error::Thread)?;
            let first = self.search(0);
            let second = second.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok([first, second])
        })
    }

    /// Searches, and makes the strategies that are wanted.
    fn search_with_strategies(&self) -> Result<SideResults<G::Position>, Error> {
        let [(first, for_mover), (second, for_other)] = self.search_both()?;
        let strategy = |search: Option<ProofSearch<'_, G>>, side: usize, wins, more| {
            let mut search = search?;
            let root = SearchNode {
                position: self.game.start(),
                attacks: side == 0,
            };
            let strategy = search.strategy(root, wins, more);
            search.report();
            strategy
        };
        // What the search of the side that loses had is free for the winner's strategy.
        let half = self.limits.memory / 2;
        let strategies = match (first.wins, second.wins) {
            (Some(true), _) => {
                drop(for_other);
                [strategy(for_mover, 0, true, half), None]
            }
            (_, Some(true)) => {
                drop(for_mover);
                [None, strategy(for_other, 1, true, half)]
            }
            (Some(false), Some(false)) => {
                let of_other = strategy(for_mover, 0, false, 0);
                [strategy(for_other, 1, false, 0), of_other]
            }
            _ => [None, None],
        };
        Ok(([first, second], strategies))
    }
}
