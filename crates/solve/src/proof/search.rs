//! Search for the wins of one side, the attacker.

use std::sync::atomic::Ordering;

use hindsight_core::{Game, Wdl};

use super::candidates::{
    MostProving, PATH_DEPENDENT, PATH_INDEPENDENT, Successor, dependency, path_dependency,
};
use super::problem::{Oracle, ProofProblem};
use super::search_path::SearchPath;
use super::shared_search::{SearchEnd, SearchSignals, SharedSearch};
use super::table::{IMPOSSIBLE, ProofNumbers, TableEntry, TableKey, TranspositionTable};

/// Length of the search path, in plies, beyond which nothing counts as won.
const MAX_DEPTH: usize = 1000;
/// Expansions between two looks at the signals.
const EXPANSIONS_PER_CHECK: u64 = 1 << 10;
/// Most that an evaluation adds to a proof or disproof number.
const MAX_GUESS: i32 = 8;
/// Points of evaluation that move half a unit from one number to the other.
const POINTS_PER_GUESS: i32 = 50;

/// A position of a search for the wins of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SearchNode<P> {
    pub(super) position: P,
    /// True if the attacker is to move.
    pub(super) attacks: bool,
}

/// Search for the wins of one side, the attacker, by one of its workers. The defender wants
/// anything else.
pub(super) struct ProofSearch<'a, G: Game> {
    pub(super) game: &'a G,
    oracle: Oracle<'a, G::Position>,
    signals: SearchSignals<'a>,
    shared: &'a SharedSearch<G::Position>,
    table: TranspositionTable<'a, G::Position>,
    /// Bytes allowed for [`ProofSearch::verify_defence`].
    pub(super) defence_bytes: u64,
    path: SearchPath<'a, G::Position>,
    /// Round in which the search began; `None` if it goes on through all rounds.
    round: Option<u32>,
    expansions: u64,
    /// Number of expansions added to the shared counter.
    reported: u64,
    stopped: bool,
    successors: Vec<G::Position>,
    /// Successor of the root by which its side to move reaches its goal, once it is known.
    pub(super) best: Option<G::Position>,
}

impl<'a, G: Game> ProofSearch<'a, G> {
    /// Creates a worker of a search.
    pub(super) fn new(
        problem: ProofProblem<'a, G>,
        shared: &'a SharedSearch<G::Position>,
        signals: SearchSignals<'a>,
    ) -> Self {
        Self {
            shared,
            table: shared.table.access(),
            defence_bytes: shared.defence_bytes,
            game: problem.game,
            oracle: problem.oracle,
            path: SearchPath::new(shared.paths.as_ref()),
            round: Some(signals.round.load(Ordering::Relaxed)),
            signals,
            expansions: 0,
            reported: 0,
            stopped: false,
            successors: Vec::new(),
            best: None,
        }
    }

    /// Searches until it is known if the attacker wins from a position.
    pub(super) fn run(&mut self, position: G::Position, attacks: bool) -> SearchEnd {
        let root = self.game.canonical(position);
        let shared = self.shared;
        let mut verification = None;
        loop {
            let Some(entry) = self.search_root(root, attacks) else {
                return SearchEnd::Interrupted;
            };
            let attacker_wins = (entry.numbers.proof == 0) == attacks;
            if !entry.path_dependent {
                return SearchEnd::Decided { attacker_wins };
            }
            if verification.is_none() {
                let Ok(free) = shared.verification.try_lock() else {
                    return SearchEnd::Interrupted;
                };
                verification = Some(free);
                self.round = None;
            }
            match self.verify_defence(root, attacks, None) {
                Some(true) => return SearchEnd::Decided { attacker_wins },
                Some(false) => self.forget_path_dependent(),
                None if self.stopped => return SearchEnd::Interrupted,
                None => return SearchEnd::OutOfMemory,
            }
        }
    }

    /// Returns the proof number of "the attacker wins from a position", as far as it was searched.
    pub(super) fn attackers_number(&self, position: G::Position, attacks: bool) -> u32 {
        let key = TableKey::of(self.game.canonical(position), attacks);
        let numbers = self.table.get(key).map(|entry| entry.numbers);
        let ProofNumbers { proof, disproof } = numbers.unwrap_or(ProofNumbers::UNKNOWN);
        if attacks { proof } else { disproof }
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
            is_busy: false,
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

    /// True if the search is to stop.
    pub(super) fn is_stopped(&mut self) -> bool {
        let round = self.signals.round.load(Ordering::Relaxed);
        self.stopped |= self.round.is_some_and(|begun| begun != round);
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

    /// Searches below a position until its numbers reach `limits` or the search is stopped. Returns
    /// its numbers and its [`Successor::depends_on`].
    fn expand(
        &mut self,
        node: Successor<G::Position>,
        attacks: bool,
        limits: ProofNumbers,
    ) -> (ProofNumbers, usize) {
        let (depth, before) = (self.path.len(), self.expansions);
        self.count_expansion();
        let keys = self.successor_keys(node.position, !attacks);
        let here = TableKey::of(node.position, attacks);
        self.path.push(here);
        let mut candidates: Vec<_> = keys.iter().map(|&key| self.successor(key)).collect();
        let numbers = loop {
            let choice = MostProving::among(&candidates, limits);
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
            if self.shared.paths.is_none() {
                continue;
            }
            if let Some(numbers) = self.decided_by_others(here).filter(|_| depth > 0) {
                self.path.pop();
                return (numbers, PATH_INDEPENDENT);
            }
            self.look_again(&mut candidates, &keys);
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

    /// Returns the keys of all successors. Their buckets are fetched into the cache together.
    fn successor_keys(
        &mut self,
        position: G::Position,
        attacks: bool,
    ) -> Vec<TableKey<G::Position>> {
        self.successors.clear();
        self.game.successors(position, &mut self.successors);
        let keyed = self.successors.iter().map(|&successor| {
            let key = TableKey::of(self.game.canonical(successor), attacks);
            self.table.prefetch(key.hash);
            key
        });
        keyed.collect()
    }

    /// Returns the numbers of a position that another worker has decided on all paths.
    fn decided_by_others(&self, here: TableKey<G::Position>) -> Option<ProofNumbers> {
        let entry = self.table.get(here)?;
        (entry.numbers.is_known() && !entry.path_dependent).then_some(entry.numbers)
    }

    /// Takes what other workers have found about the successors that they were or are below.
    fn look_again(
        &self,
        candidates: &mut [Successor<G::Position>],
        keys: &[TableKey<G::Position>],
    ) {
        for (candidate, &key) in candidates.iter_mut().zip(keys) {
            let was_busy = candidate.is_busy;
            candidate.is_busy = self.path.is_busy(key);
            if !(was_busy || candidate.is_busy) || candidate.numbers.is_known() {
                continue;
            }
            if let Some(entry) = self.table.get(key) {
                candidate.numbers = entry.numbers;
                candidate.depends_on = dependency(entry);
            }
        }
    }

    /// Counts an expansion, and checks the stop flag from time to time.
    fn count_expansion(&mut self) {
        self.expansions += 1;
        self.table.refresh();
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
            is_busy: false,
        };
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| entry.numbers.is_known()) {
            return candidate(entry.numbers, dependency(entry));
        }
        // A repetition is no win: the attacker could have won from the position before.
        let before = self.path.find(key);
        let too_deep = (self.path.len() >= MAX_DEPTH).then_some(PATH_DEPENDENT);
        if let Some(depends) = before.map(|i| i + 1).or(too_deep) {
            return candidate(ProofNumbers::known(!attacks), depends);
        }
        let numbers = entry.map(|entry| entry.numbers);
        let numbers = numbers.unwrap_or_else(|| self.first_numbers(position, attacks));
        Successor {
            is_busy: self.path.is_busy(key),
            ..candidate(numbers, PATH_INDEPENDENT)
        }
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
