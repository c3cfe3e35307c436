//! Fewest plies in which one side can force a win, by iterative deepening.
//!
//! A search of `n` plies asks if the attacker can force a win in at most `n`. At the attacker's
//! turn one move suffices, at the defender's all moves must lose. A repetition needs no care, since
//! a line ends after `n` plies. If `n` plies suffice and `n - 1` do not, the win takes exactly `n`.
//! Time grows with every ply, so the search serves short wins.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use hindsight_core::{Game, Packed, PackedGame, Wdl};

use crate::position_table::hash_of;
use crate::proof::ProofProblem;

/// Positions searched between two looks at the clock, unless a call of the rules takes long.
const NODES_PER_CHECK: u64 = 1 << 10;
const MIN_ENTRIES: usize = 1 << 8;
const MAX_ENTRIES: usize = 1 << 24;
/// Plies left from which the moves are ordered.
const ORDERED_PLIES: u16 = 3;

/// Search for the fewest plies in which one side, the attacker, can force a win.
///
/// The search can be continued: what it has found stays in its table.
pub struct ShortestWin<'a> {
    problem: ProofProblem<'a>,
    /// True if the attacker moves at the start.
    attacks: bool,
    table: Vec<Option<WinEntry>>,
    nodes: u64,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
    stopped: bool,
    /// True if `stop` is not looked at.
    is_alone: bool,
    /// Plies within which the attacker has no forced win.
    none_within: u16,
    /// Fewest plies of a forced win, once they are known.
    plies: Option<u16>,
}

/// Knowledge of a position.
#[derive(Clone, Copy)]
struct WinEntry {
    position: Packed,
    /// True if the attacker is to move.
    attacks: bool,
    /// Plies within which the attacker wins; `u16::MAX` if unknown.
    win_within: u16,
    /// Plies within which the attacker has no forced win.
    none_within: u16,
    /// Index of the move that decided the last search.
    best: u16,
}

impl WinEntry {
    fn unknown(position: Packed, attacks: bool) -> Self {
        Self { position, attacks, win_within: u16::MAX, none_within: 0, best: 0 }
    }

    /// Adds the result of a search of some plies, which the move `best` decided.
    fn note(&mut self, wins: bool, plies: u16, best: u16) {
        self.best = best;
        if wins {
            self.win_within = self.win_within.min(plies);
        } else {
            self.none_within = self.none_within.max(plies);
        }
    }
}

impl<'a> ShortestWin<'a> {
    /// Creates a search with a memory limit in bytes. `stop` ends a search from outside.
    #[must_use]
    pub fn new(problem: ProofProblem<'a>, attacks: bool, bytes: u64, stop: &'a AtomicBool) -> Self {
        let fitting = bytes / size_of::<Option<WinEntry>>() as u64;
        let entries =
            usize::try_from(fitting).unwrap_or(usize::MAX).clamp(MIN_ENTRIES, MAX_ENTRIES);
        Self {
            problem,
            attacks,
            table: vec![None; 1 << entries.ilog2()],
            nodes: 0,
            deadline: None,
            stop,
            stopped: false,
            is_alone: false,
            none_within: 0,
            plies: None,
        }
    }

    /// Number of positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Number of plies within which the attacker has no forced win.
    #[must_use]
    pub fn none_within(&self) -> u16 {
        self.none_within
    }

    /// Deepens the search until it finds a win in at most `max_plies`, or time is over.
    ///
    /// Returns the fewest plies of a forced win; `None` if none was found.
    pub fn deepen(&mut self, max_plies: u16, deadline: Option<Instant>) -> Option<u16> {
        self.deadline = deadline;
        self.stopped = false;
        let game = self.problem.game;
        let root = game.canonical(self.problem.start);
        while self.plies.is_none() && self.none_within < max_plies {
            let plies = self.none_within + 1;
            let wins = self.wins(root, self.attacks, plies);
            if self.stopped {
                return None;
            }
            if wins {
                self.plies = Some(plies);
            } else {
                self.none_within = plies;
            }
        }
        self.plies
    }

    /// Returns a line in which the attacker wins in the fewest plies, and the defender resists the
    /// longest, as positions after the start. Ends early if time is over.
    ///
    /// The flag that stops the search is not looked at: whoever finds a win may set it for others.
    #[must_use]
    pub fn line(&mut self, deadline: Option<Instant>) -> Vec<Packed> {
        (self.deadline, self.stopped, self.is_alone) = (deadline, false, true);
        let line = self.positions_to_win();
        self.is_alone = false;
        line
    }

    fn positions_to_win(&mut self) -> Vec<Packed> {
        let mut line = Vec::new();
        let (mut position, mut attacks) = (self.problem.start, self.attacks);
        let Some(mut left) = self.plies else {
            return line;
        };
        while left > 0 && self.problem.game.terminal(position).is_none() {
            left -= 1;
            let mut successors = Vec::new();
            self.problem.game.successors(position, &mut successors);
            let quick = |search: &mut Self, to: Packed, plies| {
                search.wins(search.problem.game.canonical(to), !attacks, plies)
            };
            let next = if attacks {
                successors.into_iter().find(|&to| quick(self, to, left))
            } else {
                let slowest = |&to: &Packed| left == 0 || !quick(self, to, left - 1);
                successors.into_iter().find(slowest)
            };
            let Some(next) = next.filter(|_| !self.stopped) else {
                break;
            };
            line.push(next);
            (position, attacks) = (next, !attacks);
        }
        line
    }

    /// Returns true if the attacker can force a win in at most `plies`. The result means nothing
    /// once the search is stopped.
    fn wins(&mut self, position: Packed, attacks: bool, plies: u16) -> bool {
        let ProofProblem { game, oracle, .. } = self.problem;
        if let Some(wdl) = game.terminal(position) {
            return is_attackers(wdl, attacks);
        }
        if plies == 0 || !self.count_node() {
            return false;
        }
        let slot = self.slot(position, attacks);
        let known = self.table[slot];
        let known = known.filter(|entry| entry.position == position && entry.attacks == attacks);
        if let Some(entry) = known {
            if entry.win_within <= plies {
                return true;
            }
            if entry.none_within >= plies {
                return false;
            }
        }
        if oracle(position).is_some_and(|known| !is_attackers(known.wdl, attacks)) {
            return false;
        }
        let mut successors = Vec::new();
        game.successors(position, &mut successors);
        let wins = if attacks && ends_at_once(game, &successors) {
            Some((true, 0))
        } else if attacks && plies == 1 {
            Some((false, 0))
        } else {
            None
        };
        let (wins, best) = wins.unwrap_or_else(|| {
            let first = known.map(|entry| entry.best);
            let order = self.order(&successors, plies, first);
            self.search_moves(&successors, &order, attacks, plies)
        });
        if !self.stopped {
            let mut entry = known.unwrap_or_else(|| WinEntry::unknown(position, attacks));
            entry.note(wins, plies, best);
            self.table[slot] = Some(entry);
        }
        wins
    }

    /// Searches the moves in an order. Returns the result and the index of the move that decided
    /// it.
    fn search_moves(
        &mut self,
        successors: &[Packed],
        order: &[u16],
        attacks: bool,
        plies: u16,
    ) -> (bool, u16) {
        for &index in order {
            let next = self.problem.game.canonical(successors[usize::from(index)]);
            let wins = self.wins(next, !attacks, plies - 1);
            if self.stopped {
                return (false, 0);
            }
            // One winning move suffices the attacker, one safe move the defender.
            if wins == attacks {
                return (attacks, index);
            }
        }
        (!attacks, order.first().copied().unwrap_or(0))
    }

    /// Order of the moves: the one that decided last, then by the estimate of the opponent's
    /// prospects.
    fn order(&self, successors: &[Packed], plies: u16, first: Option<u16>) -> Vec<u16> {
        let mut order: Vec<u16> = (0..successors.len() as u16).collect();
        if let Some(heuristics) = self.problem.game.heuristics().filter(|_| plies >= ORDERED_PLIES)
        {
            let game = self.problem.game;
            let estimate = |&index: &u16| {
                let next = successors[usize::from(index)];
                if game.terminal(next).is_some() {
                    return 0;
                }
                heuristics.evaluate(next).unwrap_or(0)
            };
            order.sort_by_cached_key(estimate);
        }
        if let Some(at) = first.and_then(|first| order.iter().position(|&index| index == first)) {
            order[..=at].rotate_right(1);
        }
        order
    }

    fn slot(&self, position: Packed, attacks: bool) -> usize {
        let hash = hash_of(&position, self.problem.game.words())
            ^ if attacks { 0 } else { 0x9E37_79B9_7F4A_7C15 };
        // The low bits of the hash are as good as the high ones.
        hash as usize & (self.table.len() - 1)
    }

    /// Counts a position; returns false once time is over.
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.problem.game.is_outside() || self.nodes.is_multiple_of(NODES_PER_CHECK) {
            let is_late = self.deadline.is_some_and(|end| Instant::now() >= end);
            let is_stopped = !self.is_alone && self.stop.load(Ordering::Relaxed);
            self.stopped |= is_late || is_stopped;
        }
        !self.stopped
    }
}

/// Returns true if a result for the side to move is a win of the attacker.
fn is_attackers(wdl: Wdl, attacks: bool) -> bool {
    wdl == if attacks { Wdl::Win } else { Wdl::Loss }
}

/// Returns true if one of the moves wins at once.
fn ends_at_once(game: &PackedGame, successors: &[Packed]) -> bool {
    let is_lost = |&next: &Packed| game.terminal(next) == Some(Wdl::Loss);
    successors.iter().any(is_lost)
}
