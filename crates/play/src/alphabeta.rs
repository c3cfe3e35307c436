//! Alpha-beta search with iterative deepening and a transposition table.

use std::hash::BuildHasher;
use std::time::Duration;

use foldhash::fast::FixedState;
use hindsight_core::{Game, Packed, PackedGame, Random, Wdl};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::resources::{AgentResources, Deadline};
use crate::seeded_random::SeededRandom;

/// Limits of an alpha-beta search for a move; the first one reached ends the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaBeta {
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of positions searched.
    pub nodes: Option<u64>,
    /// Maximum time.
    pub time: Option<Duration>,
}

/// Maximum depth of any search, in plies.
pub(crate) const MAX_DEPTH: u32 = 200;

impl Default for AlphaBeta {
    /// 100,000 positions for each move, no other limit.
    fn default() -> Self {
        Self { nodes: Some(100_000), ..Self::UNLIMITED }
    }
}

impl AlphaBeta {
    pub(crate) const UNLIMITED: Self = Self { depth: None, nodes: None, time: None };
}

/// Value of a win at the root; a win `n` plies below the root has the value `WIN - n`.
const WIN: i32 = 1_000_000;

/// Threshold of decided values: above it are proven wins, below `-DECIDED` proven losses.
pub(crate) const DECIDED: i32 = WIN - 10_000;

/// Maximum number of entries of the table, a power of two.
const MAX_ENTRIES: usize = 1 << 17;

/// Minimum number of entries of the table.
const MIN_ENTRIES: usize = 1 << 10;

/// Minimum memory of a search, in bytes.
pub(crate) fn least_memory() -> u64 {
    AgentResources::bytes_for(MIN_ENTRIES, size_of::<Option<TranspositionEntry>>())
}

/// Relation of a stored value to the true value of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueBound {
    Exact,
    AtLeast,
    AtMost,
}

/// Result of an earlier search of a position.
#[derive(Clone, Copy)]
struct TranspositionEntry {
    position: Packed,
    /// Depth of that search in plies, at most [`MAX_DEPTH`].
    depth: u8,
    /// Value with the plies of a win counted from this position.
    value: i32,
    bound: ValueBound,
    /// Index of the best move.
    best_move: u16,
}

/// An agent that plays by alpha-beta search. Its table lasts from move to move.
pub(crate) struct AlphaBetaAgent<'a> {
    limits: AlphaBeta,
    resources: AgentResources<'a>,
    /// Transposition table; its length is a power of two.
    table: Vec<Option<TranspositionEntry>>,
    hasher: FixedState,
}

impl<'a> AlphaBetaAgent<'a> {
    /// Returns an agent whose table fits in the memory, which must be at least [`least_memory`].
    pub(crate) fn new(limits: AlphaBeta, resources: AgentResources<'a>) -> Self {
        let entries = resources.max_items(size_of::<Option<TranspositionEntry>>());
        let entries = entries.clamp(MIN_ENTRIES, MAX_ENTRIES);
        Self {
            limits,
            resources,
            table: vec![None; 1 << entries.ilog2()],
            hasher: FixedState::with_seed(0),
        }
    }
}

impl AlphaBetaAgent<'_> {
    /// Searches each move by itself, deeper and deeper until the deadline or the limits.
    ///
    /// Returns the values for the side that makes the move, at the two greatest depths at which all
    /// moves were searched, the greater one first, and the number of positions searched. At depth 0
    /// the values are those of the evaluation.
    ///
    /// With a margin, the search ends as soon as a move wins, and only values that are worse than
    /// the best by the margin at most are exact. Of any other move only this is known: it is worse.
    pub(crate) fn values_of_moves(
        &mut self,
        game: &PackedGame,
        position: Packed,
        margin: Option<i32>,
        deadline: Deadline<'_>,
    ) -> ([Vec<i32>; 2], u64) {
        let mut next = Vec::new();
        game.successors(position, &mut next);
        let mut search = AlphaBetaSearch::new(game, self, position, deadline);
        let mut values: Vec<i32> = next.iter().map(|&to| -search.static_value(to)).collect();
        let mut before = values.clone();
        let mut order: Vec<usize> = (0..next.len()).collect();
        for depth in 1..MAX_DEPTH {
            order.sort_by_key(|&number| -values[number]);
            let (mut deeper, mut best) = (values.clone(), -WIN);
            for &number in &order {
                let alpha = margin.map_or(-WIN, |margin| (best - margin - 1).max(-WIN));
                let window = Window { alpha, beta: WIN };
                deeper[number] = -search.search(next[number], depth, window.negated(), 1);
                best = best.max(deeper[number]);
            }
            if search.stopped {
                break;
            }
            before = std::mem::replace(&mut values, deeper);
            let is_won = margin.is_some() && best > DECIDED;
            if is_won || values.iter().all(|value| value.abs() > DECIDED) {
                break;
            }
        }
        ([values, before], search.nodes)
    }
}

impl Agent for AlphaBetaAgent<'_> {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let deadline = self.resources.deadline(self.limits.time);
        let moves = legal_moves(game, position);
        if let [only] = *moves {
            return Ok(ChosenMove::new(only, 0));
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        for i in (1..order.len()).rev() {
            // The shuffle decides between moves of equal value.
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        let next: Vec<Packed> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let mut search = AlphaBetaSearch::new(game, self, position, deadline);
        let best = search.iterative_deepening(&next, order);
        Ok(ChosenMove::new(moves[best], search.nodes))
    }
}

/// A search for one move.
struct AlphaBetaSearch<'a, 'r> {
    game: &'a PackedGame,
    agent: &'a mut AlphaBetaAgent<'r>,
    deadline: Deadline<'a>,
    /// Positions searched.
    nodes: u64,
    /// True once a limit was reached; values found since then are meaningless.
    stopped: bool,
    /// Positions from the root to the current one.
    path: Vec<Packed>,
}

/// Search window: values at most `alpha` or at least `beta` need not be exact.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// Returns the window of the opponent.
    fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A successor in the order of a search.
struct OrderedMove {
    /// Value at depth 0 for the side that makes the move.
    static_value: i32,
    /// Index of the move in the game's order.
    number: u16,
    /// The position after the move.
    next: Packed,
}

impl<'a, 'r> AlphaBetaSearch<'a, 'r> {
    fn new(
        game: &'a PackedGame,
        agent: &'a mut AlphaBetaAgent<'r>,
        position: Packed,
        deadline: Deadline<'a>,
    ) -> Self {
        Self { game, agent, deadline, nodes: 0, stopped: false, path: vec![position] }
    }

    /// Searches the root deeper and deeper; returns the index of the best move.
    ///
    /// `next` holds the successors of the root, `order` their indices in the order of search.
    fn iterative_deepening(&mut self, next: &[Packed], mut order: Vec<usize>) -> usize {
        let max_depth = self.agent.limits.depth.unwrap_or(MAX_DEPTH);
        for depth in 1..=max_depth {
            let (mut best, mut alpha) = (None, -WIN);
            for &number in &order {
                let window = Window { alpha, beta: WIN };
                let value = self.value_after_move(next[number], depth - 1, window, 1);
                if self.stopped {
                    break;
                }
                if best.is_none() || value > alpha {
                    (best, alpha) = (Some(number), value);
                }
            }
            if let Some(best) = best {
                order.retain(|&number| number != best);
                order.insert(0, best);
            }
            if self.stopped || order.len() == 1 || alpha.abs() > DECIDED {
                break;
            }
        }
        order[0]
    }

    /// Returns the value of a move to `next` for the side that makes it.
    ///
    /// A search with the null window `(alpha, alpha + 1)` comes first, since most moves are no
    /// better than the best so far.
    fn value_after_move(&mut self, next: Packed, depth: u32, window: Window, ply: i32) -> i32 {
        let Window { alpha, beta } = window;
        if alpha > -WIN {
            let null_window = Window { alpha, beta: alpha + 1 };
            let value = -self.search(next, depth, null_window.negated(), ply);
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
        }
        -self.search(next, depth, window.negated(), ply)
    }

    /// Returns the value of a position for the side to move, exact inside the window.
    ///
    /// `depth` is the number of plies to search, `ply` the distance from the root. A repetition of
    /// a position on the path counts as a draw.
    fn search(&mut self, position: Packed, depth: u32, window: Window, ply: i32) -> i32 {
        let Window { mut alpha, beta } = window;
        if !self.count_node() {
            return 0;
        }
        if let Some(wdl) = self.game.terminal(position) {
            return terminal_value(wdl, ply);
        }
        if self.path.contains(&position) {
            return 0;
        }
        if depth == 0 {
            return self.heuristic_value(position);
        }
        let slot = self.agent.hasher.hash_one(position) as usize & (self.agent.table.len() - 1);
        let known = self.agent.table[slot].filter(|entry| entry.position == position);
        if let Some(entry) = known.filter(|entry| u32::from(entry.depth) >= depth) {
            let value = shift_plies(entry.value, -ply);
            let sufficient = match entry.bound {
                ValueBound::Exact => true,
                ValueBound::AtLeast => value >= beta,
                ValueBound::AtMost => value <= alpha,
            };
            if sufficient {
                return value;
            }
        }
        let moves = self.ordered_moves(position, known.map(|entry| entry.best_move), ply);
        let (mut best_value, mut best_move) = (-WIN, 0);
        self.path.push(position);
        for mv in moves {
            // The static value of a move is the value of a search of depth 0.
            let value = if depth == 1 || mv.static_value.abs() > DECIDED {
                mv.static_value
            } else {
                self.value_after_move(mv.next, depth - 1, Window { alpha, beta }, ply + 1)
            };
            if value > best_value {
                (best_value, best_move) = (value, mv.number);
            }
            alpha = alpha.max(value);
            if alpha >= beta || self.stopped {
                break;
            }
        }
        self.path.pop();
        if !self.stopped {
            let bound = match best_value {
                value if value <= window.alpha => ValueBound::AtMost,
                value if value >= beta => ValueBound::AtLeast,
                _ => ValueBound::Exact,
            };
            self.agent.table[slot] = Some(TranspositionEntry {
                position,
                depth: depth as u8,
                value: shift_plies(best_value, ply),
                bound,
                best_move,
            });
        }
        best_value
    }

    /// Returns the successors, `best_move` first, then by static value.
    ///
    /// Once a limit is reached the rest is left out.
    fn ordered_moves(
        &mut self,
        position: Packed,
        best_move: Option<u16>,
        ply: i32,
    ) -> Vec<OrderedMove> {
        let mut next = Vec::new();
        self.game.successors(position, &mut next);
        let mut moves = Vec::with_capacity(next.len());
        for (number, next) in (0..).zip(next) {
            if !self.count_node() {
                break;
            }
            let value = match self.game.terminal(next) {
                Some(wdl) => terminal_value(wdl, ply + 1),
                None if self.path.contains(&next) => 0,
                None => self.heuristic_value(next),
            };
            moves.push(OrderedMove { static_value: -value, number, next });
        }
        moves.sort_by_key(|mv| (Some(mv.number) != best_move, -mv.static_value));
        moves
    }

    /// Returns the value of a successor of the root for its side to move, without a search.
    fn static_value(&self, position: Packed) -> i32 {
        match self.game.terminal(position) {
            Some(wdl) => terminal_value(wdl, 1),
            None => self.heuristic_value(position),
        }
    }

    /// Returns the game's evaluation for the side to move, or the number of legal moves.
    fn heuristic_value(&self, position: Packed) -> i32 {
        self.game
            .heuristics()
            .and_then(|heuristics| heuristics.evaluate(position))
            .unwrap_or_else(|| legal_moves(self.game, position).len() as i32)
    }

    /// Counts a position; returns false, without counting, once a limit is reached.
    fn count_node(&mut self) -> bool {
        let max_nodes = self.agent.limits.nodes;
        self.stopped |= max_nodes.is_some_and(|max| self.nodes >= max) || self.deadline.tick();
        self.nodes += u64::from(!self.stopped);
        !self.stopped
    }
}

/// Returns the value of a terminal position `ply` plies below the root.
fn terminal_value(wdl: Wdl, ply: i32) -> i32 {
    match wdl {
        Wdl::Win => WIN - ply,
        Wdl::Draw => 0,
        Wdl::Loss => ply - WIN,
    }
}

/// Points of a win at once, twice the limit of evaluations.
const WIN_POINTS: i32 = 20_000;

/// Points that a ply of a decided result counts.
const PLY_POINTS: i32 = 20;

/// Returns the value of a move in points of the evaluation. Wins and losses are beyond all
/// evaluations, the nearer the further.
pub(crate) fn points_of_value(value: i32) -> f64 {
    let points = match value {
        value if value > DECIDED => WIN_POINTS - PLY_POINTS * (WIN - value),
        value if value < -DECIDED => PLY_POINTS * (WIN + value) - WIN_POINTS,
        value => value,
    };
    f64::from(points)
}

/// Returns a value with the plies of a decided result counted from another position.
///
/// `plies = d` moves the origin from the root to a position `d` plies below it, `-d` moves it back.
fn shift_plies(value: i32, plies: i32) -> i32 {
    match value {
        value if value > DECIDED => value + plies,
        value if value < -DECIDED => value - plies,
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, WIN, points_of_value};

    #[test]
    fn points_are_in_the_order_of_values() {
        let deepest = MAX_DEPTH as i32;
        let losses = (1..=deepest).map(|ply| ply - WIN);
        let evaluations = [-9_999, -2_000, -1_001, -1_000, -1, 0, 1, 1_000, 1_001, 9_999];
        let wins = (1..=deepest).rev().map(|ply| WIN - ply);
        let points = losses.chain(evaluations).chain(wins).map(points_of_value);
        assert!(points.collect::<Vec<f64>>().is_sorted_by(|a, b| a < b));
    }
}
