//! The searches of both sides, on any number of threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use hindsight_engine::{Error, Limits, Monitor, Progress};

use super::problem::ProofProblem;
use super::search::{FirstMoveResult, ProofSearch, SearchNode};
use super::shared_search::{SearchEnd, SearchSignals, SharedSearch};
use super::solution::{MoveProof, ProofSolution, SideResult};
use super::strategy::Strategy;

/// Time between two looks at the clock.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// Time between two choices of the side that a thread searches.
const ROUND_TIME: Duration = Duration::from_millis(250);
/// In one round of so many, half of the threads search for the less likely winner.
const ROUNDS_PER_TURN: u32 = 4;
/// Stack of a search thread, in bytes: 16 KiB for each of at most a thousand plies of recursion.
const STACK_BYTES: usize = 1 << 24;

/// Strategies of the side to move at the start and of the other side. A decided game has only the
/// winner's, a draw both.
pub type Strategies = [Option<Strategy>; 2];

/// Searches until the value of the position is known, time is over, or the monitor stops it.
///
/// Uses all threads of the current rayon pool, most of the time for the side that is nearer to its
/// win. Where several moves win, two calls may find different ones. Keeps to the memory limit.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started.
pub fn solve(
    problem: ProofProblem<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ProofSolution, Error> {
    let found = TwoSearches::new(problem, limits, false).run_alone(monitor)?;
    Ok(found.solution)
}

/// Same as [`solve`]. Also returns the first moves that were decided on the way, each successor up
/// to symmetry once.
///
/// # Errors
/// Same as [`solve`].
pub fn solve_with_moves(
    problem: ProofProblem<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ProofWithMoves, Error> {
    let found = TwoSearches::new(problem, limits, false).run_alone(monitor)?;
    Ok((found.solution, found.moves))
}

/// Same as [`solve`]. Also returns strategies, if they were found and fit into memory. The oracle
/// of the problem is not asked.
///
/// Each side is searched by one thread, or both by one after the other, each in half of the time.
/// So the strategies do not depend on the number of threads.
///
/// # Errors
/// Same as [`solve`].
pub fn solve_with_strategies(
    problem: ProofProblem<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ProofWithStrategies, Error> {
    let problem = ProofProblem { oracle: &|_| None, ..problem };
    let found = TwoSearches::new(problem, limits, true).run_alone(monitor)?;
    Ok((found.solution, found.strategies))
}

/// Search for the value of a position that is continued from time to time: what it has found stays
/// in its tables.
pub struct ProofSession<'a> {
    both: TwoSearches<'a>,
    searches: [SideSearch; 2],
}

impl<'a> ProofSession<'a> {
    /// Creates a search that uses all threads of the current rayon pool and keeps to a memory limit
    /// in bytes.
    #[must_use]
    pub fn new(problem: ProofProblem<'a>, memory: u64) -> Self {
        let limits = Limits { memory, time: None };
        let both = TwoSearches::new(problem, limits, false);
        Self { searches: both.searches(), both }
    }

    /// True if no more time would find the value: the memory is too small.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let has_failed = |side: &SideSearch| side.has_failed.load(Ordering::Relaxed);
        self.searches.iter().any(has_failed)
    }

    /// Searches on as [`solve_with_moves`] does, for some time. The positions of the result are
    /// those of all calls.
    ///
    /// # Errors
    /// Same as [`solve`].
    pub fn advance(
        &mut self,
        time: Duration,
        monitor: &mut dyn Monitor,
    ) -> Result<ProofWithMoves, Error> {
        self.both.started = Instant::now();
        self.both.limits.time = Some(time);
        self.both.stop = [false; 2].map(AtomicBool::new);
        let found = self.both.run(&mut self.searches, monitor)?;
        Ok((found.solution, found.moves))
    }
}

/// Solution of a position with strategies.
pub(crate) type ProofWithStrategies = (ProofSolution, Strategies);

/// Solution of a position with its first moves.
pub type ProofWithMoves = (ProofSolution, Vec<MoveProof>);

/// Results of both searches.
struct BothResults {
    solution: ProofSolution,
    moves: Vec<MoveProof>,
    strategies: Strategies,
}

/// Search for the wins of one side.
struct SideSearch {
    shared: SharedSearch,
    result: Mutex<SideResult>,
    /// True if it ended without a result.
    has_failed: AtomicBool,
}

impl SideSearch {
    fn result(&self) -> MutexGuard<'_, SideResult> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Searches for the wins of the side to move at the start, and of the other.
struct TwoSearches<'a> {
    problem: ProofProblem<'a>,
    limits: Limits,
    wants_strategies: bool,
    started: Instant,
    /// Number of threads that search.
    workers: usize,
    stop: [AtomicBool; 2],
    round: AtomicU32,
    /// Positions expanded by the search of each side.
    expansions: [AtomicU64; 2],
}

impl<'a> TwoSearches<'a> {
    fn new(problem: ProofProblem<'a>, limits: Limits, wants_strategies: bool) -> Self {
        let threads = rayon::current_num_threads();
        Self {
            problem,
            limits,
            wants_strategies,
            started: Instant::now(),
            workers: if wants_strategies { threads.min(2) } else { threads },
            stop: [false; 2].map(AtomicBool::new),
            round: AtomicU32::new(0),
            expansions: [0; 2].map(AtomicU64::new),
        }
    }

    /// Creates both searches.
    fn searches(&self) -> [SideSearch; 2] {
        let has_company = !self.wants_strategies && self.workers > 1;
        let memory = self.limits.memory / 2;
        [(); 2].map(|()| SideSearch {
            shared: SharedSearch::new(memory, self.problem.game.words(), has_company),
            result: Mutex::new(SideResult::UNKNOWN),
            has_failed: AtomicBool::new(false),
        })
    }

    /// Runs new searches.
    fn run_alone(&self, monitor: &mut dyn Monitor) -> Result<BothResults, Error> {
        self.run(&mut self.searches(), monitor)
    }

    /// Runs the searches on other threads. The calling thread asks the monitor and watches the
    /// clock.
    fn run(
        &self,
        searches: &mut [SideSearch; 2],
        monitor: &mut dyn Monitor,
    ) -> Result<BothResults, Error> {
        let (over, watcher) = (AtomicBool::new(false), thread::current());
        let mut stopped = false;
        let mut found = thread::scope(|scope| {
            let builder = Builder::new().stack_size(STACK_BYTES);
            let spawned = builder.spawn_scoped(scope, || {
                let found = self.search_with_strategies(searches);
                over.store(true, Ordering::Release);
                watcher.unpark();
                found
            });
            let work = spawned.map_err(Error::Thread)?;
            let mut next_round = ROUND_TIME;
            while !(over.load(Ordering::Acquire) || work.is_finished()) {
                thread::park_timeout(CHECK_INTERVAL);
                stopped |= !self.may_continue(monitor);
                self.stop_searches(stopped);
                if self.started.elapsed() > next_round {
                    next_round += ROUND_TIME;
                    self.begin_round();
                }
            }
            work.join().unwrap_or_else(|panic| resume_unwind(panic))
        })?;
        found.solution.expansions = self.counted_expansions(found.solution.found);
        found.solution.stopped = stopped;
        Ok(found)
    }

    fn expansions_of<const N: usize>(&self, sides: [usize; N]) -> u64 {
        let counts = sides.map(|side| self.expansions[side].load(Ordering::Relaxed));
        counts.iter().sum()
    }

    /// Returns the positions expanded. Beside a strategy, these are those of the winner's search:
    /// how far the other one gets by then depends on the threads.
    fn counted_expansions(&self, found: [SideResult; 2]) -> u64 {
        let winner = found.iter().position(|side| side.wins == Some(true));
        match winner.filter(|_| self.wants_strategies) {
            Some(winner) => self.expansions_of([winner]),
            None => self.expansions_of([0, 1]),
        }
    }

    /// Lets all workers choose again which side they search. Searches for strategies go on, since
    /// these may not depend on the time.
    fn begin_round(&self) {
        if !self.wants_strategies {
            self.round.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reports progress. True if the monitor lets the searches go on.
    fn may_continue(&self, monitor: &mut dyn Monitor) -> bool {
        monitor.report(Progress { phase: "proving", done: self.expansions_of([0, 1]), total: None })
    }

    /// Stops searches whose time is over, or both if `stopped`.
    fn stop_searches(&self, stopped: bool) {
        for (side, stop) in self.stop.iter().enumerate() {
            let is_first = self.wants_strategies && self.workers == 1 && side == 0;
            let turns = if is_first { 2 } else { 1 };
            let is_over = |time: Duration| self.started.elapsed() * turns >= time;
            if stopped || self.limits.time.is_some_and(is_over) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Makes a worker of the search of a side; side 0 moves at the start.
    fn worker<'s>(&'s self, searches: &'s [SideSearch; 2], side: usize) -> ProofSearch<'s> {
        let signals = SearchSignals {
            stop: &self.stop[side],
            round: &self.round,
            expansions: &self.expansions[side],
        };
        ProofSearch::new(self.problem, &searches[side].shared, signals)
    }

    /// Searches one side after the other until nothing is left to search.
    fn work(&self, searches: &[SideSearch; 2], worker: usize) {
        while let Some(side) = self.next_side(searches, worker) {
            let search = &searches[side];
            if search.shared.is_being_verified() {
                thread::sleep(CHECK_INTERVAL);
                continue;
            }
            let mut proof = self.worker(searches, side);
            let end = proof.run(self.problem.start, side == 0);
            proof.report();
            match end {
                SearchEnd::Interrupted => {}
                SearchEnd::OutOfMemory => search.has_failed.store(true, Ordering::Relaxed),
                SearchEnd::Decided { attacker_wins, plies } => {
                    let defender_wins = !attacker_wins && plies.is_some() && self.is_one_enough();
                    let decided = if defender_wins { 1 - side } else { side };
                    let wins = attacker_wins || defender_wins;
                    let mut result = searches[decided].result();
                    // Two workers may decide at the same time: the first counts.
                    if result.wins.is_none() {
                        *result = SideResult {
                            wins: Some(wins),
                            best: proof.best,
                            plies: plies.filter(|_| wins),
                        };
                    }
                    if wins {
                        self.stop[1 - decided].store(true, Ordering::Relaxed);
                    }
                    self.begin_round();
                }
            }
        }
    }

    /// Returns the side that a worker searches next; `None` if nothing is left for it.
    fn next_side(&self, searches: &[SideSearch; 2], worker: usize) -> Option<usize> {
        let is_open = |&side: &usize| {
            let search = &searches[side];
            let is_over = search.has_failed.load(Ordering::Relaxed)
                || self.stop[side].load(Ordering::Relaxed)
                || search.result().wins.is_some();
            !is_over
        };
        if self.wants_strategies {
            let mut own = (0..2).filter(|side| self.workers == 1 || *side == worker);
            return own.find(is_open);
        }
        let open: Vec<usize> = (0..2).filter(is_open).collect();
        let can_be_searched = |side: &&usize| !searches[**side].shared.is_being_verified();
        let &only = open.iter().find(can_be_searched).or(open.first())?;
        if open.iter().filter(can_be_searched).count() < 2 {
            return Some(only);
        }
        Some(self.likelier_side(searches, worker))
    }

    /// True if a search that finds a win of its defender decides. The other one would look at the
    /// same positions in the same order, as long as no draw is met.
    fn is_one_enough(&self) -> bool {
        self.problem.game.is_outside() && !self.wants_strategies
    }

    /// Returns the side that is nearer to its win, or for some workers the other one in turn.
    fn likelier_side(&self, searches: &[SideSearch; 2], worker: usize) -> usize {
        if self.is_one_enough() && searches.iter().all(|search| !search.shared.has_draws()) {
            return 0;
        }
        let round = self.round.load(Ordering::Relaxed);
        if round == 0 {
            return worker % 2;
        }
        let start = self.problem.start;
        let number = |side: usize| self.worker(searches, side).attackers_number(start, side == 0);
        let likelier = usize::from(number(1) < number(0));
        let takes_turns = self.workers == 1 || worker % 2 == 1;
        if takes_turns && round % ROUNDS_PER_TURN == ROUNDS_PER_TURN - 1 {
            return 1 - likelier;
        }
        likelier
    }

    /// Runs all workers to the end.
    fn search_both(&self, searches: &[SideSearch; 2]) -> Result<(), Error> {
        thread::scope(|scope| {
            let others = (1..self.workers).map(|worker| {
                let builder = Builder::new().stack_size(STACK_BYTES);
                builder.spawn_scoped(scope, move || self.work(searches, worker))
            });
            let others = others.collect::<Result<Vec<_>, _>>().map_err(|error| {
                self.stop_searches(true);
                Error::Thread(error)
            })?;
            self.work(searches, 0);
            for other in others {
                other.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            Ok(())
        })
    }

    /// Runs both searches and builds the strategies that are wanted.
    fn search_with_strategies(&self, searches: &mut [SideSearch; 2]) -> Result<BothResults, Error> {
        let start = self.problem.start;
        self.search_both(searches)?;
        let decided =
            [0, 1].map(|side| self.worker(searches, side).decided_moves(start, side == 0));
        let results = searches.each_ref().map(|search| *search.result());
        let strategies =
            if self.wants_strategies { self.strategies(searches, results) } else { [None, None] };
        Ok(BothResults {
            solution: ProofSolution { start, found: results, expansions: 0, stopped: false },
            moves: moves_of_both(decided),
            strategies,
        })
    }

    /// Builds the winner's strategy, or those of both sides for a draw.
    fn strategies(&self, searches: &mut [SideSearch; 2], results: [SideResult; 2]) -> Strategies {
        let strategy = |searches: &_, side: usize, wins, more| {
            let mut search = self.worker(searches, side);
            let root = SearchNode { position: self.problem.start, attacks: side == 0 };
            let strategy = search.strategy(root, wins, more);
            search.report();
            strategy
        };
        let winner = results.iter().position(|result| result.wins == Some(true));
        match (winner, results.map(|result| result.wins)) {
            (Some(winner), _) => {
                // The memory of the loser's search is free for the winner's strategy.
                let words = self.problem.game.words();
                searches[1 - winner].shared = SharedSearch::new(0, words, false);
                let half = self.limits.memory / 2;
                let found = strategy(searches, winner, true, half);
                match winner {
                    0 => [found, None],
                    _ => [None, found],
                }
            }
            (None, [Some(false), Some(false)]) => {
                let of_other = strategy(searches, 0, false, 0);
                [strategy(searches, 1, false, 0), of_other]
            }
            _ => [None, None],
        }
    }
}

/// Returns the first moves with the results of both searches, which have them in one order.
fn moves_of_both([first, second]: [Vec<FirstMoveResult>; 2]) -> Vec<MoveProof> {
    let mut moves = Vec::with_capacity(first.len());
    for (first, second) in first.into_iter().zip(second) {
        // Where one side does not win and there is a bound, the other one wins.
        let loses = |found: &FirstMoveResult| found.wins == Some(false) && found.plies.is_some();
        let wins = [
            if loses(&second) { Some(true) } else { first.wins },
            if loses(&first) { Some(true) } else { second.wins },
        ];
        let is_by_second = second.wins == Some(true) || loses(&second) && first.wins != Some(true);
        let found = if is_by_second { second } else { first };
        moves.push(MoveProof { to: found.to, wins, plies: found.plies, line: found.line });
    }
    moves
}
