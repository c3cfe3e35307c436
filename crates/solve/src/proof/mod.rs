//! Who wins from the start, by depth-first proof-number search (A. Nagai, "Df-pn algorithm for searching
//! AND/OR trees and its applications", 2002): a weak solution, from as few positions as it takes, in as
//! much memory as there is.
//!
//! Two searches, one for the wins of each side. In each that side attacks, and the other wants anything
//! but to lose; if neither wins, it is a draw. A repetition on a line is no win. That something is no win
//! because of a repetition may be true on that line only, and is kept only where it is true on all.

mod search;
mod staged;
mod strategy;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use game::{Game, Wdl};

use crate::{Limits, Monitor, Progress, move_between};
use search::{Outside, Search};
pub use staged::{Staged, Tables, solve_staged};
pub use strategy::{Reply, Strategy};

/// Between two looks at the clock.
const A_LOOK: Duration = Duration::from_millis(20);
/// A search calls itself ply by ply.
const STACK: usize = 1 << 26;

/// Tells the value of positions of which it is known.
pub type Known<'a, P> = &'a (dyn Fn(P) -> Option<Wdl> + Sync);

/// What the side to move at the start has to play, and what the other: only the winner's, or in a draw both.
pub type Strategies<P> = [Option<Strategy<P>>; 2];

/// What a search for the wins of one side found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Found<P> {
    /// Whether it wins from the start, if that was found.
    wins: Option<bool>,
    /// A first move by which the side to move wins, or prevents that the other does.
    best: Option<P>,
}

/// Who can win from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution<P> {
    found: [Found<P>; 2],
    /// Positions whose moves were looked at, some of them several times.
    pub looked_at: u64,
    /// Whether the monitor stopped the search.
    pub stopped: bool,
}

impl<P: Copy> Solution<P> {
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

impl<P: Copy> Solution<P> {
    /// A best first move, as [`Solution::best`] has it.
    #[must_use]
    pub fn best_move<G: Game<Position = P>>(&self, game: &G) -> Option<G::Move> {
        move_between(game, game.start(), self.best()?)
    }
}

/// Searches until it is known who wins, time is over, or the monitor says stop. Uses two threads, or one
/// that gives each search half of the time. Memory is at most what is allowed.
pub fn solve<G: Game>(
    game: &G,
    known: Known<'_, G::Position>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Solution<G::Position> {
    search_both(game, known, (limits, false), monitor).0
}

/// As [`solve`] with nothing known; also strategies, where they were found and fit into the memory.
pub fn solve_with_strategies<G: Game>(
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> (Solution<G::Position>, Strategies<G::Position>) {
    search_both(game, &|_| None, (limits, true), monitor)
}

fn search_both<G: Game>(
    game: &G,
    known: Known<'_, G::Position>,
    (limits, wants_strategies): (Limits, bool),
    monitor: &mut dyn Monitor,
) -> (Solution<G::Position>, Strategies<G::Position>) {
    let begin = Instant::now();
    let at_once = rayon::current_num_threads().min(2);
    // For strategies both searches stay.
    let parts = if wants_strategies { 2 } else { at_once };
    let (stop, looked_at) = ([false; 2].map(AtomicBool::new), AtomicU64::new(0));
    let search = |side: usize| {
        let outside = Outside {
            stop: &stop[side],
            looked_at: &looked_at,
        };
        let mut search = Search::new(game, known, limits.memory / parts as u64, outside);
        let wins = search.run(game.start(), side == 0);
        search.tell();
        if wins == Some(true) {
            stop[1 - side].store(true, Ordering::Relaxed);
        }
        let best = search.best;
        (Found { wins, best }, wants_strategies.then_some(search))
    };
    let both = || {
        if at_once == 1 {
            return [search(0), search(1)];
        }
        thread::scope(|scope| {
            let second = Builder::new().stack_size(STACK);
            let second = second.spawn_scoped(scope, || search(1)).expect("a thread");
            [search(0), second.join().expect("no panic")]
        })
    };
    let both_and_strategies = || {
        let [(first, for_mover), (second, for_other)] = both();
        let strategy = |search: Option<Search<'_, G>>, side: usize, wins, more| {
            let mut search = search?;
            let strategy = search.strategy((game.start(), side == 0), wins, more);
            search.tell();
            strategy
        };
        // What the search of the side that loses had is free for the winner's strategy.
        let half = limits.memory / 2;
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
        ([first, second], strategies)
    };
    let (over, watcher) = (AtomicBool::new(false), thread::current());
    let mut stopped = false;
    let (found, strategies) = thread::scope(|scope| {
        let work = Builder::new().stack_size(STACK);
        let work = work.spawn_scoped(scope, || {
            let found = both_and_strategies();
            over.store(true, Ordering::Release);
            watcher.unpark();
            found
        });
        let work = work.expect("a thread");
        while !(over.load(Ordering::Acquire) || work.is_finished()) {
            thread::park_timeout(A_LOOK);
            let progress = Progress {
                phase: "proving",
                done: looked_at.load(Ordering::Relaxed),
                total: None,
            };
            stopped |= !monitor.report(progress);
            for (side, stop) in stop.iter().enumerate() {
                let turns = if at_once == 1 && side == 0 { 2 } else { 1 };
                let is_over = |time: Duration| begin.elapsed() * turns >= time;
                if stopped || limits.time.is_some_and(is_over) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
        work.join().expect("no panic")
    });
    let solution = Solution {
        found,
        looked_at: looked_at.into_inner(),
        stopped,
    };
    (solution, strategies)
}
