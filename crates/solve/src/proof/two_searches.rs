//! The searches of both sides, on two threads or one.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use hindsight_core::{Game, Wdl};
use hindsight_run::{Error, Limits, Monitor, Progress};

use super::problem::ProofProblem;
use super::search::{ProofSearch, SearchNode, SearchSignals};
use super::strategy::Strategy;
use crate::line::move_between;

/// Time between two looks at the clock.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// Stack of a search thread, in bytes: 16 KiB for each of at most a thousand plies of recursion.
const STACK_BYTES: usize = 1 << 24;

/// Strategies of the side to move at the start and of the other side. A decided game has only the
/// winner's, a draw both.
pub type Strategies<P> = [Option<Strategy<P>>; 2];

/// Result of the search for the wins of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SideResult<P> {
    /// True if the side wins from the start; `None` if that was not found.
    wins: Option<bool>,
    /// First move by which the side to move wins, or prevents that the other side wins.
    best: Option<P>,
}

/// Result for the position that a search starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofSolution<P> {
    /// The position.
    pub start: P,
    found: [SideResult<P>; 2],
    /// Positions expanded, where repeated expansions count.
    pub expansions: u64,
    /// True if the monitor stopped the search.
    pub stopped: bool,
}

impl<P: Copy> ProofSolution<P> {
    /// Returns, for the side to move at the start and for the other, true if it wins; `None` if
    /// that was not found.
    #[must_use]
    pub fn wins(&self) -> [Option<bool>; 2] {
        match self.found.map(|found| found.wins) {
            [Some(true), _] => [Some(true), Some(false)],
            [_, Some(true)] => [Some(false), Some(true)],
            wins => wins,
        }
    }

    /// Returns the value of the start; `None` if it was not found.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        match self.wins() {
            [Some(true), _] => Some(Wdl::Win),
            [_, Some(true)] => Some(Wdl::Loss),
            [Some(false), Some(false)] => Some(Wdl::Draw),
            _ => None,
        }
    }

    /// Returns the successor of a best first move, up to symmetry: it wins, or else holds the draw.
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
    /// Returns a best first move, as in [`ProofSolution::best`].
    #[must_use]
    pub fn best_move<G: Game<Position = P>>(&self, game: &G) -> Option<G::Move> {
        move_between(game, self.start, self.best()?)
    }
}

/// Knowledge of a first move, by the positions that both searches have decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveProof<P> {
    /// Position after the move, up to symmetry.
    pub to: P,
    /// For the side to move at the start and for the other, true if it wins after the move; `None`
    /// if that was not found.
    pub wins: [Option<bool>; 2],
}

impl<P> MoveProof<P> {
    /// Returns the value of the move for the side that makes it; `None` if it was not found.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        match self.wins {
            [Some(true), _] => Some(Wdl::Win),
            [_, Some(true)] => Some(Wdl::Loss),
            [Some(false), Some(false)] => Some(Wdl::Draw),
            _ => None,
        }
    }
}

/// Searches until the value of the position is known, time is over, or the monitor stops it.
///
/// Uses two threads, or one that gives each search half of the time. Keeps to the memory limit.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started.
pub fn solve<G: Game>(
    problem: ProofProblem<'_, G>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ProofSolution<G::Position>, Error> {
    let found = TwoSearches::new(problem, limits, false).run(monitor)?;
    Ok(found.solution)
}

/// Same as [`solve`]. Also returns the first moves that were decided on the way, each successor up
/// to symmetry once.
///
/// # Errors
/// Same as [`solve`].
pub fn solve_with_moves<G: Game>(
    problem: ProofProblem<'_, G>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ProofWithMoves<G::Position>, Error> {
    let found = TwoSearches::new(problem, limits, false).run(monitor)?;
    Ok((found.solution, found.moves))
}

/// Same as [`solve`]. Also returns strategies, if they were found and fit into memory. The oracle
/// of the problem is not asked.
///
/// # Errors
/// Same as [`solve`].
pub fn solve_with_strategies<G: Game>(
    problem: ProofProblem<'_, G>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ProofWithStrategies<G::Position>, Error> {
    let problem = ProofProblem {
        oracle: &|_| None,
        ..problem
    };
    let found = TwoSearches::new(problem, limits, true).run(monitor)?;
    Ok((found.solution, found.strategies))
}

/// Solution of a position with strategies.
pub type ProofWithStrategies<P> = (ProofSolution<P>, Strategies<P>);

/// Solution of a position with its first moves.
pub type ProofWithMoves<P> = (ProofSolution<P>, Vec<MoveProof<P>>);

/// Search of one side that has ended.
struct FinishedSearch<'a, G: Game> {
    result: SideResult<G::Position>,
    /// Positions after the first moves, each with true if the side wins from there.
    moves: Vec<(G::Position, Option<bool>)>,
    /// The search itself, if a strategy is wanted.
    search: Option<ProofSearch<'a, G>>,
}

/// Results of both searches.
struct BothResults<P> {
    solution: ProofSolution<P>,
    moves: Vec<MoveProof<P>>,
    strategies: Strategies<P>,
}

/// Searches for the wins of the side to move at the start, and of the other.
struct TwoSearches<'a, G: Game> {
    problem: ProofProblem<'a, G>,
    limits: Limits,
    wants_strategies: bool,
    started: Instant,
    /// Number of searches that run at the same time.
    parallel_searches: usize,
    stop: [AtomicBool; 2],
    expansions: AtomicU64,
}

impl<'a, G: Game> TwoSearches<'a, G> {
    fn new(problem: ProofProblem<'a, G>, limits: Limits, wants_strategies: bool) -> Self {
        Self {
            problem,
            limits,
            wants_strategies,
            started: Instant::now(),
            parallel_searches: rayon::current_num_threads().min(2),
            stop: [false; 2].map(AtomicBool::new),
            expansions: AtomicU64::new(0),
        }
    }

    /// Runs the searches on another thread. The calling thread asks the monitor and watches the
    /// clock.
    fn run(&self, monitor: &mut dyn Monitor) -> Result<BothResults<G::Position>, Error> {
        let (over, watcher) = (AtomicBool::new(false), thread::current());
        let mut stopped = false;
        let mut found = thread::scope(|scope| {
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
        found.solution.expansions = self.expansions.load(Ordering::Relaxed);
        found.solution.stopped = stopped;
        Ok(found)
    }

    /// Reports progress. True if the monitor lets the searches go on.
    fn may_continue(&self, monitor: &mut dyn Monitor) -> bool {
        monitor.report(Progress {
            phase: "proving",
            done: self.expansions.load(Ordering::Relaxed),
            total: None,
        })
    }

    /// Stops searches whose time is over, or both if `stopped`.
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

    /// Searches for the wins of a side; side 0 moves at the start.
    fn search(&self, side: usize) -> FinishedSearch<'_, G> {
        // Strategies need both searches in memory.
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
        let mut search = ProofSearch::new(self.problem, bytes, outside);
        let wins = search.run(self.problem.start, side == 0);
        search.report();
        if wins == Some(true) {
            self.stop[1 - side].store(true, Ordering::Relaxed);
        }
        FinishedSearch {
            result: SideResult {
                wins,
                best: search.best,
            },
            moves: search.decided_moves(self.problem.start, side == 0),
            search: self.wants_strategies.then_some(search),
        }
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

    /// Runs both searches and builds the strategies that are wanted.
    fn search_with_strategies(&self) -> Result<BothResults<G::Position>, Error> {
        let searches = self.search_both()?;
        let moves = moves_of_both(&searches);
        let results = searches.each_ref().map(|search| search.result);
        let [first, second] = results;
        let [for_mover, for_other] = searches.map(|search| search.search);
        let strategy = |search: Option<ProofSearch<'_, G>>, side: usize, wins, more| {
            let mut search = search?;
            let root = SearchNode {
                position: self.problem.start,
                attacks: side == 0,
            };
            let strategy = search.strategy(root, wins, more);
            search.report();
            strategy
        };
        // The loser's search is dropped, so its memory is free for the winner's strategy.
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
        Ok(BothResults {
            solution: ProofSolution {
                start: self.problem.start,
                found: results,
                expansions: 0,
                stopped: false,
            },
            moves,
            strategies,
        })
    }
}

/// Returns the first moves with the results of both searches, which have them in one order.
fn moves_of_both<G: Game>(searches: &[FinishedSearch<'_, G>; 2]) -> Vec<MoveProof<G::Position>> {
    let [first, second] = searches;
    let moves = first.moves.iter().zip(&second.moves);
    let both = |(&(to, first), &(_, second)): (&(_, _), &(_, _))| MoveProof {
        to,
        wins: [first, second],
    };
    moves.map(both).collect()
}
