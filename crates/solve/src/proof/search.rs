//! Search for the wins of one side, the attacker.

use std::sync::atomic::Ordering;

use hindsight_core::{Expansion, Game, Look, Packed, PackedGame, Value, Wdl};

use super::candidates::{
    Combination, MostProving, PATH_DEPENDENT, PATH_INDEPENDENT, Successor, best_successor,
    dependency, path_dependency, plies_of_win,
};
use super::problem::{Oracle, OracleValue, ProofProblem};
use super::search_path::SearchPath;
use super::shared_search::{SearchEnd, SearchSignals, SharedSearch};
use super::table::{ANY_PLIES, IMPOSSIBLE, ProofNumbers, TableEntry, TableKey, TranspositionTable};
use crate::position_table::{MOST_ROW_WORDS, TableRow, hash_of};

/// Length of the search path, in plies, beyond which nothing counts as won.
const MAX_DEPTH: usize = 1000;
/// Expansions between two looks at the signals, unless a call of the rules takes long.
const EXPANSIONS_PER_CHECK: u64 = 1 << 10;

/// First move, with what is known of it on all paths.
pub(super) struct FirstMoveResult {
    /// Position after the move, up to symmetry.
    pub(super) to: Packed,
    /// True if the attacker wins from there; `None` if that is not known.
    pub(super) wins: Option<bool>,
    /// Most plies of the win of the attacker, or of the defender. Without a bound it is not known
    /// if the defender wins.
    pub(super) plies: Option<u16>,
    /// Play from there on to the end of that win, as far as the table tells it.
    pub(super) line: Vec<Packed>,
}

/// Returns plies of the table if they are a bound.
fn known_plies(plies: u16) -> Option<u16> {
    (plies != ANY_PLIES).then_some(plies)
}

/// A position of a search for the wins of one side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchNode {
    pub(super) position: Packed,
    /// True if the attacker is to move.
    pub(super) attacks: bool,
}

impl TableRow for SearchNode {
    const MORE_WORDS: usize = 1;

    fn to_words(self, position_words: usize) -> [u32; MOST_ROW_WORDS] {
        let mut row = self.position.to_words(position_words);
        row[position_words] = self.attacks.into();
        row
    }

    fn from_words(row: &[u32]) -> Self {
        let (attacks, position) = row.split_last().expect("a word for the side");
        Self { position: Packed::from_words(position), attacks: *attacks != 0 }
    }

    fn hash(&self, position_words: usize) -> u64 {
        hash_of(&self.position, position_words) ^ u64::from(self.attacks) << 63
    }
}

/// Search for the wins of one side, the attacker, by one of its workers. The defender wants
/// anything else.
pub(super) struct ProofSearch<'a> {
    pub(super) game: &'a PackedGame,
    oracle: Oracle<'a>,
    signals: SearchSignals<'a>,
    shared: &'a SharedSearch,
    table: TranspositionTable<'a>,
    /// Bytes allowed for [`ProofSearch::verify_defence`].
    pub(super) defence_bytes: u64,
    path: SearchPath<'a>,
    /// Round in which the search began; `None` if it goes on through all rounds.
    round: Option<u32>,
    expansions: u64,
    /// Number of expansions added to the shared counter.
    reported: u64,
    stopped: bool,
    successors: Vec<Packed>,
    /// Successor of the root by which its side to move reaches its goal, once it is known.
    pub(super) best: Option<Packed>,
}

impl<'a> ProofSearch<'a> {
    /// Creates a worker of a search.
    pub(super) fn new(
        problem: ProofProblem<'a>,
        shared: &'a SharedSearch,
        signals: SearchSignals<'a>,
    ) -> Self {
        Self {
            shared,
            table: shared.table.access(signals.stop),
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
    pub(super) fn run(&mut self, position: Packed, attacks: bool) -> SearchEnd {
        let root = self.game.canonical(position);
        let shared = self.shared;
        let mut verification = None;
        loop {
            let Some(entry) = self.search_root(root, attacks) else {
                return SearchEnd::Interrupted;
            };
            let attacker_wins = (entry.numbers.proof == 0) == attacks;
            let decided = SearchEnd::Decided { attacker_wins, plies: known_plies(entry.plies) };
            if !entry.path_dependent {
                return decided;
            }
            if verification.is_none() {
                let Ok(free) = shared.verification.try_lock() else {
                    return SearchEnd::Interrupted;
                };
                verification = Some(free);
                self.round = None;
            }
            match self.verify_defence(root, attacks, None) {
                Some(true) => return decided,
                Some(false) => self.forget_path_dependent(),
                None if self.stopped => return SearchEnd::Interrupted,
                None => return SearchEnd::OutOfMemory,
            }
        }
    }

    /// Returns the proof number of "the attacker wins from a position", as far as it was searched.
    pub(super) fn attackers_number(&self, position: Packed, attacks: bool) -> u32 {
        let key = self.table.key(self.game.canonical(position), attacks);
        let numbers = self.table.get(key).map(|entry| entry.numbers);
        let ProofNumbers { proof, disproof } = numbers.unwrap_or(ProofNumbers::UNKNOWN);
        if attacks { proof } else { disproof }
    }

    /// Returns the successors of a position up to symmetry, with what is known of them on all
    /// paths.
    pub(super) fn decided_moves(&self, position: Packed, attacks: bool) -> Vec<FirstMoveResult> {
        let successors = self.canonical_successors(position).into_iter();
        let decided = |to| {
            let found = self.successor(self.table.key(to, !attacks));
            let is_proved = found.numbers.is_known() && found.depends_on == PATH_INDEPENDENT;
            let attacker_wins = (found.numbers.proof == 0) != attacks;
            let winner_moves = attacks != attacker_wins;
            let plies = known_plies(found.plies).filter(|_| is_proved);
            let has_winner = is_proved && attacker_wins || plies.is_some();
            FirstMoveResult {
                to,
                wins: is_proved.then_some(attacker_wins),
                plies,
                line: if has_winner {
                    self.winning_line(to, !attacks, winner_moves, found.plies)
                } else {
                    Vec::new()
                },
            }
        };
        successors.map(decided).collect()
    }

    /// Returns play from a position that is won in at most `plies`, up to symmetry: the move with
    /// the least bound for the winner, that with the greatest for the loser. It ends where the
    /// table tells no more.
    fn winning_line(
        &self,
        mut position: Packed,
        mut attacks: bool,
        mut winner_moves: bool,
        mut plies: u16,
    ) -> Vec<Packed> {
        let mut line = Vec::new();
        loop {
            let successors = self.canonical_successors(position).into_iter();
            let moves: Vec<_> =
                successors.map(|to| self.successor(self.table.key(to, !attacks))).collect();
            let is_won = |found: &Successor| {
                if winner_moves { found.numbers.disproof == 0 } else { found.numbers.proof == 0 }
            };
            let best = if winner_moves {
                moves.iter().filter(|found| is_won(found)).min_by_key(|found| found.plies)
            } else if moves.iter().all(is_won) {
                moves.iter().max_by_key(|found| found.plies)
            } else {
                None
            };
            // Each step needs a lesser bound, so the line ends.
            let Some(best) = best.filter(|best| best.plies < plies) else {
                return line;
            };
            (position, plies) = (best.position, best.plies);
            (attacks, winner_moves) = (!attacks, !winner_moves);
            line.push(position);
        }
    }

    /// Searches from a position until its result is known; `None` if the search was stopped.
    pub(super) fn search_root(&mut self, position: Packed, attacks: bool) -> Option<TableEntry> {
        let limits = ProofNumbers { proof: IMPOSSIBLE - 1, disproof: IMPOSSIBLE - 1 };
        let mut root = Successor {
            position,
            numbers: ProofNumbers::UNKNOWN,
            depends_on: PATH_INDEPENDENT,
            plies: ANY_PLIES,
            is_busy: false,
        };
        while !root.numbers.is_known() {
            if self.stopped {
                return None;
            }
            root = self.expand(root, attacks, limits);
        }
        Some(TableEntry {
            numbers: root.numbers,
            path_dependent: root.depends_on == PATH_DEPENDENT,
            plies: root.plies,
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

    /// Returns the key of a position in the table.
    pub(super) fn key(&self, position: Packed, attacks: bool) -> TableKey {
        self.table.key(position, attacks)
    }

    /// Forgets the result of a position.
    pub(super) fn forget(&mut self, key: TableKey) {
        self.table.forget(key);
    }

    /// Searches below a position until its numbers reach `limits` or the search is stopped. Returns
    /// it with all that was found.
    fn expand(&mut self, node: Successor, attacks: bool, limits: ProofNumbers) -> Successor {
        let (depth, before) = (self.path.len(), self.expansions);
        self.count_expansion();
        let keys = self.successor_keys(node.position, !attacks);
        let here = self.table.key(node.position, attacks);
        self.path.push(here);
        let mut candidates: Vec<_> = keys.iter().map(|&key| self.successor(key)).collect();
        let numbers = loop {
            let combination = self.combination();
            let choice = MostProving::among(&candidates, limits, combination);
            let numbers = choice.numbers;
            let enough = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if enough || numbers.is_known() || self.stopped {
                break numbers;
            }
            let candidate = candidates[choice.best];
            let successor_limits = choice.successor_limits(limits);
            candidates[choice.best] = self.expand(candidate, !attacks, successor_limits);
            if self.shared.paths.is_none() {
                continue;
            }
            if let Some(entry) = self.decided_by_others(here).filter(|_| depth > 0) {
                self.path.pop();
                return Successor {
                    numbers: entry.numbers,
                    depends_on: PATH_INDEPENDENT,
                    plies: entry.plies,
                    ..node
                };
            }
            self.look_again(&mut candidates, &keys);
        };
        self.path.pop();
        if depth == 0 {
            self.best = best_successor(&candidates);
        }
        let failed = if attacks { numbers.disproof == 0 } else { numbers.proof == 0 };
        let depends = if failed { path_dependency(&candidates, attacks) } else { PATH_INDEPENDENT };
        let plies = if numbers.is_known() {
            plies_of_win(&candidates, attacks != failed)
        } else {
            ANY_PLIES
        };
        if numbers.is_known() {
            let reaches_goal = numbers.proof == 0;
            self.shared.leaf_numbers.learn(self.game, node.position, reaches_goal);
        }
        // A result that rests on earlier plies of the path may be wrong on other paths.
        let path_dependent = depends <= depth;
        let entry = TableEntry { numbers, path_dependent, plies };
        self.table.put(here, entry, self.expansions - before);
        Successor {
            numbers,
            depends_on: if path_dependent { depends } else { PATH_INDEPENDENT },
            plies,
            ..node
        }
    }

    /// Leaves of rules that live outside do not tell which moves lose at once. In a draw, or where
    /// play may go around, sums would grow without end.
    fn combination(&self) -> Combination {
        if self.game.is_outside() && !self.shared.has_draws() {
            Combination::Sum
        } else {
            Combination::Greatest
        }
    }

    /// Returns the keys of all successors. Their buckets are fetched into the cache together.
    fn successor_keys(&mut self, position: Packed, attacks: bool) -> Vec<TableKey> {
        self.successors.clear();
        if self.game.is_outside() {
            let mut expansion = Expansion::default();
            self.game.expand(&[position], usize::MAX, &mut expansion);
            self.successors = expansion.successors;
        } else {
            self.game.successors(position, &mut self.successors);
            self.game.canonicalize(&mut self.successors);
        }
        let keyed = self.successors.iter().map(|&successor| {
            let key = self.table.key(successor, attacks);
            self.table.prefetch(key.hash);
            key
        });
        let keys: Vec<TableKey> = keyed.collect();
        if self.game.is_outside() {
            let is_new = |key: &&TableKey| self.table.get(**key).is_none();
            let new: Vec<Packed> = keys.iter().filter(is_new).map(|key| key.position).collect();
            self.game.announce(&new);
        }
        keys
    }

    /// Returns the entry of a position that another worker has decided on all paths.
    fn decided_by_others(&self, here: TableKey) -> Option<TableEntry> {
        let entry = self.table.get(here)?;
        (entry.numbers.is_known() && !entry.path_dependent).then_some(entry)
    }

    /// Takes what other workers have found about the successors that they were or are below.
    fn look_again(&self, candidates: &mut [Successor], keys: &[TableKey]) {
        for (candidate, &key) in candidates.iter_mut().zip(keys) {
            let was_busy = candidate.is_busy;
            candidate.is_busy = self.path.is_busy(key);
            if !(was_busy || candidate.is_busy) || candidate.numbers.is_known() {
                continue;
            }
            if let Some(entry) = self.table.get(key) {
                candidate.numbers = entry.numbers;
                candidate.depends_on = dependency(entry);
                candidate.plies = entry.plies;
            }
        }
    }

    /// Counts an expansion, and checks the stop flag from time to time.
    fn count_expansion(&mut self) {
        self.expansions += 1;
        self.table.refresh();
        if self.game.is_outside() || self.expansions.is_multiple_of(EXPANSIONS_PER_CHECK) {
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
    pub(super) fn successor(&self, key: TableKey) -> Successor {
        let TableKey { position, attacks, .. } = key;
        let candidate = |numbers, depends| Successor {
            position,
            numbers,
            depends_on: depends,
            plies: ANY_PLIES,
            is_busy: false,
        };
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| entry.numbers.is_known()) {
            return Successor { plies: entry.plies, ..candidate(entry.numbers, dependency(entry)) };
        }
        // A repetition is no win: the attacker could have won from the position before.
        let before = self.path.find(key);
        let too_deep = (self.path.len() >= MAX_DEPTH).then_some(PATH_DEPENDENT);
        if let Some(depends) = before.map(|i| i + 1).or(too_deep) {
            self.shared.note_draw();
            return candidate(ProofNumbers::known(!attacks), depends);
        }
        let is_busy = self.path.is_busy(key);
        if let Some(entry) = entry {
            return Successor { is_busy, ..candidate(entry.numbers, PATH_INDEPENDENT) };
        }
        let look = self.game.look(position);
        let known = match look {
            Look::Over(wdl) => Some(OracleValue::from(Value::terminal(wdl))),
            _ => (self.oracle)(position),
        };
        let numbers = match known.map(|known| known.wdl) {
            Some(Wdl::Draw) => {
                self.shared.note_draw();
                // A draw is a success for the defender.
                ProofNumbers::known(!attacks)
            }
            Some(wdl) => ProofNumbers::known(wdl == Wdl::Win),
            None => self.shared.leaf_numbers.numbers(self.game, position, look),
        };
        Successor {
            is_busy,
            plies: known.and_then(|known| known.plies).unwrap_or(ANY_PLIES),
            ..candidate(numbers, PATH_INDEPENDENT)
        }
    }
}
