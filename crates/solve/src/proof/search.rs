//! Search for the wins of one side, the attacker.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hindsight_core::{Game, Wdl};

use super::problem::{Oracle, ProofProblem};
use super::table::{IMPOSSIBLE, ProofNumbers, TableEntry, TableKey, TranspositionTable};
use crate::position_table::{PositionTable, hash_of};

/// Length of the search path, in plies, beyond which nothing counts as won.
const MAX_DEPTH: usize = 1000;
/// Number of hash classes: many more than positions on a search path.
const HASH_CLASSES: usize = 1 << 12;
/// Expansions between two looks at the stop flag.
const EXPANSIONS_PER_CHECK: u64 = 1 << 10;
/// Most that an evaluation adds to a proof or disproof number.
const MAX_GUESS: i32 = 8;
/// Points of evaluation that move half a unit from one number to the other.
const POINTS_PER_GUESS: i32 = 50;

/// Part `1 / DEFENCE_MEMORY_DIVISOR` of the memory is for [`ProofSearch::verify_defence`].
const DEFENCE_MEMORY_DIVISOR: u64 = 4;

/// A successor during expansion, seen from its side to move.
#[derive(Clone, Copy)]
pub(super) struct Successor<P> {
    position: P,
    pub(super) numbers: ProofNumbers,
    /// Dependency of a result "no win": the earliest ply of the search path, counted from 1, that
    /// it rests on.
    depends_on: usize,
}

/// Dependency of a result that holds on every path.
const PATH_INDEPENDENT: usize = usize::MAX;
/// Dependency on a path that was cut off or forgotten.
const PATH_DEPENDENT: usize = 0;

/// Flags and counters that a search shares with the thread that started it.
pub(super) struct SearchSignals<'a> {
    pub(super) stop: &'a AtomicBool,
    /// Positions expanded.
    pub(super) expansions: &'a AtomicU64,
}

/// Positions from the root to the current one.
struct SearchPath<P> {
    keys: Vec<TableKey<P>>,
    /// Number of positions on the path in each hash class.
    hash_counts: Vec<u16>,
}

impl<P: Eq + Copy> SearchPath<P> {
    fn new() -> Self {
        Self {
            keys: Vec::new(),
            hash_counts: vec![0; HASH_CLASSES],
        }
    }

    fn push(&mut self, key: TableKey<P>) {
        self.hash_counts[key.hash as usize % HASH_CLASSES] += 1;
        self.keys.push(key);
    }

    fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.hash_counts[key.hash as usize % HASH_CLASSES] -= 1;
        }
    }

    fn find(&self, key: TableKey<P>) -> Option<usize> {
        let may_be_there = self.hash_counts[key.hash as usize % HASH_CLASSES] > 0;
        may_be_there.then(|| self.keys.iter().position(|earlier| *earlier == key))?
    }
}

/// A position of a search for the wins of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SearchNode<P> {
    pub(super) position: P,
    /// True if the attacker is to move.
    pub(super) attacks: bool,
}

/// Result of a check that a position is no win for the attacker.
enum Defence {
    /// The attacker wins.
    Fails,
    /// No win, proved on one search path only.
    OnOnePath,
    /// No win on any search path.
    Proved,
}

/// Search for the wins of one side, the attacker; the defender wants anything else.
pub(super) struct ProofSearch<'a, G: Game> {
    pub(super) game: &'a G,
    oracle: Oracle<'a, G::Position>,
    signals: SearchSignals<'a>,
    table: TranspositionTable<G::Position>,
    /// Bytes allowed for [`ProofSearch::verify_defence`].
    pub(super) defence_bytes: u64,
    path: SearchPath<G::Position>,
    expansions: u64,
    /// Number of expansions added to the shared counter.
    reported: u64,
    stopped: bool,
    successors: Vec<G::Position>,
    /// Successor of the root by which its side to move reaches its goal, once it is known.
    pub(super) best: Option<G::Position>,
}

impl<'a, G: Game> ProofSearch<'a, G> {
    /// Creates a search with a memory limit in bytes.
    pub(super) fn new(
        problem: ProofProblem<'a, G>,
        bytes: u64,
        signals: SearchSignals<'a>,
    ) -> Self {
        Self {
            table: TranspositionTable::new(bytes - bytes / DEFENCE_MEMORY_DIVISOR, problem.start),
            defence_bytes: bytes / DEFENCE_MEMORY_DIVISOR,
            game: problem.game,
            oracle: problem.oracle,
            signals,
            path: SearchPath::new(),
            expansions: 0,
            reported: 0,
            stopped: false,
            successors: Vec::new(),
            best: None,
        }
    }

    /// Returns true if the attacker wins from a position. `None` if the search was stopped or ran
    /// out of memory.
    pub(super) fn run(&mut self, position: G::Position, attacks: bool) -> Option<bool> {
        let root = self.game.canonical(position);
        loop {
            let entry = self.search_root(root, attacks)?;
            let wins = (entry.numbers.proof == 0) == attacks;
            if !entry.path_dependent || self.verify_defence(root, attacks, None)? {
                return Some(wins);
            }
            self.forget_path_dependent();
        }
    }

    /// Returns the successors of a position up to symmetry, each with true if the attacker wins
    /// from there; `None` if that is not known on all paths.
    pub(super) fn decided_moves(
        &self,
        position: G::Position,
        attacks: bool,
    ) -> Vec<(G::Position, Option<bool>)> {
        let successors = self.canonical_successors(position).into_iter();
        let decided = |to| {
            let Successor {
                numbers,
                depends_on,
                ..
            } = self.successor(TableKey::of(to, !attacks));
            let is_proved = numbers.is_known() && depends_on == PATH_INDEPENDENT;
            (to, is_proved.then_some((numbers.proof == 0) != attacks))
        };
        successors.map(decided).collect()
    }

    /// Searches from a position until its result is known; `None` if the search was stopped.
    pub(super) fn search_root(
        &mut self,
        position: G::Position,
        attacks: bool,
    ) -> Option<TableEntry> {
        let limits = ProofNumbers {
            proof: IMPOSSIBLE - 1,
            disproof: IMPOSSIBLE - 1,
        };
        let mut root = Successor {
            position,
            numbers: ProofNumbers::UNKNOWN,
            depends_on: PATH_INDEPENDENT,
        };
        while !root.numbers.is_known() {
            if self.stopped {
                return None;
            }
            (root.numbers, root.depends_on) = self.expand(root, attacks, limits);
        }
        Some(TableEntry {
            numbers: root.numbers,
            path_dependent: root.depends_on == PATH_DEPENDENT,
        })
    }

    /// Verifies on all paths that the attacker does not win from `root`.
    ///
    /// Builds a set of positions that contains `root` and that the defender never has to leave. In
    /// the set the defender does not lose. Each position was found to be no win on some path; the
    /// result is wrong if an earlier position of the path was a win after all. `None` if the search
    /// was stopped or the set is too large.
    ///
    /// With `replies`, also records the defender's move in each position of the set. Without
    /// `replies`, the defender may leave the set for positions that are no win, whatever the path.
    pub(super) fn verify_defence(
        &mut self,
        root: G::Position,
        attacks: bool,
        mut replies: Option<&mut Vec<(G::Position, G::Position)>>,
    ) -> Option<bool> {
        let mut defended = PositionTable::new(SearchNode {
            position: root,
            attacks,
        });
        let mut next = 0;
        while let Some(&SearchNode { position, attacks }) = defended.positions().get(next) {
            next += 1;
            if self.is_stopped() {
                return None;
            }
            let moves = self.canonical_successors(position);
            let after = |position| SearchNode {
                position,
                attacks: !attacks,
            };
            if attacks {
                for to in moves {
                    let to = after(to);
                    match self.check_defence(to)? {
                        Defence::Fails => return Some(false),
                        Defence::Proved if replies.is_none() => {}
                        _ => self.add_to_defence(&mut defended, to, replies.is_some())?,
                    }
                }
            } else if self.game.terminal(position).is_none() {
                let stays = |to: &&G::Position| defended.find(&after(**to)).is_some();
                let (mut kept, mut leads_out) = (moves.iter().find(stays).copied(), None);
                if kept.is_none() && replies.is_some() {
                    leads_out = self.known_defence(&moves);
                }
                for to in moves {
                    if kept.is_some() || replies.is_some() && leads_out.is_some() {
                        break;
                    }
                    match self.check_defence(after(to))? {
                        Defence::Fails => {}
                        Defence::Proved if replies.is_none() => kept = Some(to),
                        _ => leads_out = leads_out.or(Some(to)),
                    }
                }
                let Some(to) = kept.or(leads_out) else {
                    return Some(false);
                };
                if kept.is_none() {
                    self.add_to_defence(&mut defended, after(to), replies.is_some())?;
                }
                if let Some(replies) = &mut replies {
                    replies.push((position, to));
                }
                if next == 1 {
                    self.best = Some(to);
                }
            }
        }
        Some(true)
    }

    /// Adds a position to the set; `None` if there is no memory for it. Replies take as much again.
    fn add_to_defence(
        &self,
        defended: &mut PositionTable<SearchNode<G::Position>>,
        node: SearchNode<G::Position>,
        has_replies: bool,
    ) -> Option<()> {
        let allowed = self.defence_bytes / (1 + u64::from(has_replies));
        let left = allowed.checked_sub(defended.bytes())?;
        defended.reserve_within(1, left).ok()?;
        defended.get_or_insert(node, hash_of(&node));
        Some(())
    }

    /// Returns a move of the defender that is known to prevent a win.
    fn known_defence(&self, moves: &[G::Position]) -> Option<G::Position> {
        let prevents =
            |to: &&G::Position| self.successor(TableKey::of(**to, true)).numbers.disproof == 0;
        moves.iter().find(prevents).copied()
    }

    /// True if the search is to stop.
    pub(super) fn is_stopped(&mut self) -> bool {
        self.stopped |= self.signals.stop.load(Ordering::Relaxed);
        self.stopped
    }

    /// Forgets all results that were proved on one path only.
    pub(super) fn forget_path_dependent(&mut self) {
        self.table.forget_path_dependent();
    }

    /// Forgets the result of a position.
    pub(super) fn forget(&mut self, key: TableKey<G::Position>) {
        self.table.forget(key);
    }

    /// Checks that the attacker does not win from a position; searches it if need be.
    fn check_defence(&mut self, node: SearchNode<G::Position>) -> Option<Defence> {
        let SearchNode { position, attacks } = node;
        let mut successor = self.successor(TableKey::of(position, attacks));
        if !successor.numbers.is_known() {
            let best = self.best;
            let entry = self.search_root(position, attacks)?;
            self.best = best;
            successor.numbers = entry.numbers;
            successor.depends_on = if entry.path_dependent {
                PATH_DEPENDENT
            } else {
                PATH_INDEPENDENT
            };
        }
        let wins = (successor.numbers.proof == 0) == attacks;
        Some(match (wins, successor.depends_on) {
            (true, _) => Defence::Fails,
            (false, PATH_INDEPENDENT) => Defence::Proved,
            (false, _) => Defence::OnOnePath,
        })
    }

    /// Searches below a position until its numbers reach `limits` or the search is stopped. Returns
    /// its numbers and its [`Successor::depends_on`].
    fn expand(
        &mut self,
        node: Successor<G::Position>,
        attacks: bool,
        limits: ProofNumbers,
    ) -> (ProofNumbers, usize) {
        let (depth, before) = (self.path.keys.len(), self.expansions);
        self.count_expansion();
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        self.game.successors(node.position, &mut successors);
        let here = TableKey::of(node.position, attacks);
        self.path.push(here);
        // The table slots of all successors are fetched together.
        let keyed = successors.iter().map(|&successor| {
            let position = self.game.canonical(successor);
            let key = TableKey::of(position, !attacks);
            self.table.prefetch(key.hash);
            key
        });
        let keyed: Vec<_> = keyed.collect();
        let mut candidates: Vec<_> = keyed.iter().map(|&key| self.successor(key)).collect();
        self.successors = successors;
        let numbers = loop {
            let choice = MostProving::among(&candidates);
            let numbers = choice.numbers;
            let enough = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if enough || numbers.is_known() || self.stopped {
                break numbers;
            }
            let candidate = candidates[choice.best];
            let successor_limits = choice.successor_limits(limits);
            let (numbers, depends) = self.expand(candidate, !attacks, successor_limits);
            candidates[choice.best].numbers = numbers;
            candidates[choice.best].depends_on = depends;
        };
        self.path.pop();
        if depth == 0 {
            let mut wanted = candidates
                .iter()
                .filter(|candidate| candidate.numbers.disproof == 0);
            self.best = wanted.next().map(|candidate| candidate.position);
        }
        let failed = if attacks {
            numbers.disproof == 0
        } else {
            numbers.proof == 0
        };
        let depends = match failed {
            true => path_dependency(&candidates, attacks),
            false => PATH_INDEPENDENT,
        };
        // A result that rests on earlier plies of the path may be wrong on other paths.
        let path_dependent = depends <= depth;
        let entry = TableEntry {
            numbers,
            path_dependent,
        };
        self.table.put(here, entry, self.expansions - before);
        (
            numbers,
            if path_dependent {
                depends
            } else {
                PATH_INDEPENDENT
            },
        )
    }

    /// Counts an expansion, and checks the stop flag from time to time.
    fn count_expansion(&mut self) {
        self.expansions += 1;
        if self.expansions.is_multiple_of(EXPANSIONS_PER_CHECK) {
            self.report();
            self.is_stopped();
        }
    }

    /// Adds new expansions to the shared counter.
    pub(super) fn report(&mut self) {
        let new = self.expansions - self.reported;
        self.signals.expansions.fetch_add(new, Ordering::Relaxed);
        self.reported = self.expansions;
    }

    /// Returns the current numbers of a successor of the search path.
    pub(super) fn successor(&self, key: TableKey<G::Position>) -> Successor<G::Position> {
        let TableKey {
            position, attacks, ..
        } = key;
        let candidate = |numbers, depends| Successor {
            position,
            numbers,
            depends_on: depends,
        };
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| entry.numbers.is_known()) {
            return candidate(
                entry.numbers,
                if entry.path_dependent {
                    PATH_DEPENDENT
                } else {
                    PATH_INDEPENDENT
                },
            );
        }
        // A repetition is no win: the attacker could have won from the position before.
        let before = self.path.find(key);
        let too_deep = (self.path.keys.len() >= MAX_DEPTH).then_some(PATH_DEPENDENT);
        if let Some(depends) = before.map(|i| i + 1).or(too_deep) {
            return candidate(ProofNumbers::known(!attacks), depends);
        }
        let numbers = entry.map(|entry| entry.numbers);
        let numbers = numbers.unwrap_or_else(|| self.first_numbers(position, attacks));
        candidate(numbers, PATH_INDEPENDENT)
    }

    /// Returns initial numbers for a position that is not in the table.
    fn first_numbers(&self, position: G::Position, attacks: bool) -> ProofNumbers {
        let over = self.game.terminal(position);
        let wdl = over.or_else(|| (self.oracle)(position));
        match wdl {
            // A draw is a success for the defender.
            Some(Wdl::Draw) => ProofNumbers::known(!attacks),
            Some(wdl) => ProofNumbers::known(wdl == Wdl::Win),
            None => self.estimated_numbers(position),
        }
    }

    /// Estimates the numbers after expansion. An unknown win may be among the moves.
    fn estimated_numbers(&self, position: G::Position) -> ProofNumbers {
        let Some(heuristics) = self.game.heuristics() else {
            return ProofNumbers::UNKNOWN;
        };
        match heuristics.safe_move_count(position) {
            Some(moves) => ProofNumbers {
                proof: 1,
                disproof: moves.max(1),
            },
            None => heuristics
                .evaluate(position)
                .map_or(ProofNumbers::UNKNOWN, numbers_by_evaluation),
        }
    }
}

/// Numbers by the evaluation for the side to move: `proof = 1 + (MAX_GUESS - g) / 2` and
/// `disproof = 1 + (MAX_GUESS + g) / 2`. Here `g` is `evaluation / POINTS_PER_GUESS`, at most
/// `MAX_GUESS` either way.
fn numbers_by_evaluation(evaluation: i32) -> ProofNumbers {
    let better = (evaluation / POINTS_PER_GUESS).clamp(-MAX_GUESS, MAX_GUESS);
    ProofNumbers {
        proof: 1 + (MAX_GUESS - better) as u32 / 2,
        disproof: 1 + (MAX_GUESS + better) as u32 / 2,
    }
}

/// Surplus for open moves, added to the greatest proof number.
const fn open_surplus(open: u32) -> u32 {
    (open - 1) / 2
}

/// Choice of the successor to search next.
struct MostProving {
    /// Numbers of the position.
    numbers: ProofNumbers,
    best: usize,
    /// Disproof number of the second-best successor.
    second: u32,
    /// Number of moves that are not known to fail.
    open: u32,
}

impl MostProving {
    /// Proof number: the least disproof number of the successors. Disproof number: their greatest
    /// proof number, plus one half per further open move. A sum would count a position twice if
    /// several moves lead to it.
    fn among<P>(candidates: &[Successor<P>]) -> Self {
        let (mut best, mut least, mut second) = (0, IMPOSSIBLE, IMPOSSIBLE);
        let (mut most, mut open) = (0, 0_u32);
        for (i, candidate) in candidates.iter().enumerate() {
            let ProofNumbers { proof, disproof } = candidate.numbers;
            if disproof < least {
                second = least;
                (best, least) = (i, disproof);
            } else {
                second = second.min(disproof);
            }
            most = most.max(proof);
            open += u32::from(proof > 0);
        }
        let disproof = match most {
            IMPOSSIBLE | 0 => most,
            _ => most.saturating_add(open_surplus(open)).min(IMPOSSIBLE - 1),
        };
        let numbers = ProofNumbers {
            proof: least,
            disproof,
        };
        Self {
            numbers,
            best,
            second,
            open,
        }
    }

    /// Limits for the search of the best successor. It continues while that successor is the best
    /// by some margin, so that successors do not alternate too often.
    fn successor_limits(&self, limits: ProofNumbers) -> ProofNumbers {
        let second = self.second.saturating_add(self.second / 4);
        ProofNumbers {
            proof: limits.disproof - open_surplus(self.open),
            disproof: limits.proof.min(second.saturating_add(1)),
        }
    }
}

/// Dependency of a result "no win". For the attacker to move, all moves must fail. For the defender
/// to move, one move suffices.
fn path_dependency<P>(candidates: &[Successor<P>], attacks: bool) -> usize {
    let depends = |candidate: &Successor<P>| candidate.depends_on;
    if attacks {
        candidates
            .iter()
            .map(depends)
            .min()
            .unwrap_or(PATH_INDEPENDENT)
    } else {
        let preventing = candidates
            .iter()
            .filter(|candidate| candidate.numbers.disproof == 0);
        preventing.map(depends).max().unwrap_or(PATH_INDEPENDENT)
    }
}
