//! Alpha-beta search, deeper and deeper, with a table of positions that were met before.

use std::hash::BuildHasher;
use std::time::Duration;

use foldhash::fast::FixedState;
use hindsight_core::{Game, Random, Wdl};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::resources::{AgentResources, Deadline};
use crate::seeded_random::SeededRandom;

/// What a search may take for a move; the first limit that is reached ends it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaBeta {
    /// Plies ahead.
    pub depth: Option<u32>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

/// No game is searched deeper.
pub(crate) const MAX_DEPTH: u32 = 200;

impl Default for AlphaBeta {
    /// A hundred thousand positions a move.
    fn default() -> Self {
        Self {
            nodes: Some(100_000),
            ..Self::UNLIMITED
        }
    }
}

impl AlphaBeta {
    pub(crate) const UNLIMITED: Self = Self {
        depth: None,
        nodes: None,
        time: None,
    };
}

/// What a win at once is worth; one ply later it is worth one less.
const WIN_NOW: i32 = 1_000_000;

/// Values beyond this are wins and losses that were seen to the end.
const DECIDED: i32 = WIN_NOW - 10_000;

/// Most positions in the table, a power of two.
const MAX_ENTRIES: usize = 1 << 17;

/// Least positions in it.
const MIN_ENTRIES: usize = 1 << 10;

/// The least memory that a search can do with, in bytes.
pub(crate) fn least_memory<P>() -> u64 {
    AgentResources::bytes_for(MIN_ENTRIES, size_of::<Option<TranspositionEntry<P>>>())
}

/// Whether a value is exact, or only not exceeded, or only reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueBound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found of a position.
#[derive(Clone, Copy)]
struct TranspositionEntry<P> {
    position: P,
    depth: u32,
    /// Wins counted from here.
    value: i32,
    bound: ValueBound,
    /// The number of the best move.
    best_move: u16,
}

/// An agent that searches; it remembers positions from move to move.
pub(crate) struct AlphaBetaAgent<P> {
    limits: AlphaBeta,
    /// A power of two of places.
    table: Vec<Option<TranspositionEntry<P>>>,
    hasher: FixedState,
}

impl<P: Copy> AlphaBetaAgent<P> {
    /// A search whose table fits in the memory, which is at least [`least_memory`].
    pub(crate) fn new(limits: AlphaBeta, resources: AgentResources<'_>) -> Self {
        let most = resources.max_items(size_of::<Option<TranspositionEntry<P>>>());
        let most = most.clamp(MIN_ENTRIES, MAX_ENTRIES);
        Self {
            limits,
            table: vec![None; 1 << most.ilog2()],
            hasher: FixedState::with_seed(0),
        }
    }
}

impl<G: Game> Agent<G> for AlphaBetaAgent<G::Position> {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let deadline = Deadline::new(self.limits.time);
        let moves = legal_moves(game, position);
        if let [only] = *moves {
            return Ok(ChosenMove::new(only, 0));
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        for i in (1..order.len()).rev() {
            // Moves of equal value are played by chance.
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let mut search = AlphaBetaSearch {
            game,
            agent: self,
            deadline,
            nodes: 0,
            stopped: false,
            path: vec![position],
        };
        let best = search.iterative_deepening(&next, order);
        Ok(ChosenMove::new(moves[best], search.nodes))
    }
}

/// A search for one move.
struct AlphaBetaSearch<'a, G: Game> {
    game: &'a G,
    agent: &'a mut AlphaBetaAgent<G::Position>,
    deadline: Deadline,
    nodes: u64,
    /// Whether a limit was reached: values are worth nothing then.
    stopped: bool,
    /// From the root to the position that is looked at.
    path: Vec<G::Position>,
}

/// A successor: what it seems to be worth to the one who moves there, its number, and itself.
type Seeming<P> = (i32, u16, P);

impl<G: Game> AlphaBetaSearch<'_, G> {
    /// The number of the best move.
    fn iterative_deepening(&mut self, next: &[G::Position], mut order: Vec<usize>) -> usize {
        let most = self.agent.limits.depth.unwrap_or(MAX_DEPTH);
        for depth in 1..=most {
            let (mut best, mut alpha) = (None, -WIN_NOW);
            for &number in &order {
                let value = self.value_after_move(next[number], depth - 1, (alpha, WIN_NOW), 1);
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

    /// What a move to a position is worth to the one who makes it; a window of one value first, since mostly
    /// it is not better than the best so far.
    fn value_after_move(
        &mut self,
        next: G::Position,
        depth: u32,
        (alpha, beta): (i32, i32),
        ply: i32,
    ) -> i32 {
        if alpha > -WIN_NOW {
            let value = -self.search(next, depth, (-alpha - 1, -alpha), ply);
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
        }
        -self.search(next, depth, (-beta, -alpha), ply)
    }

    /// What a position is worth to the side to move, as far as it lies in the window.
    fn search(
        &mut self,
        position: G::Position,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        ply: i32,
    ) -> i32 {
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
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            let value = rebase_plies(entry.value, -ply);
            let enough = match entry.bound {
                ValueBound::Exact => true,
                ValueBound::AtLeast => value >= beta,
                ValueBound::AtMost => value <= alpha,
            };
            if enough {
                return value;
            }
        }
        let options = self.ordered_moves(position, known.map(|entry| entry.best_move), ply);
        let (first, mut best) = (alpha, (-WIN_NOW, 0));
        self.path.push(position);
        for (seems, number, next) in options {
            // What a move seems to be worth is what a search of no depth would say.
            let value = if depth == 1 || seems.abs() > DECIDED {
                seems
            } else {
                self.value_after_move(next, depth - 1, (alpha, beta), ply + 1)
            };
            if value > best.0 {
                best = (value, number);
            }
            alpha = alpha.max(value);
            if alpha >= beta || self.stopped {
                break;
            }
        }
        self.path.pop();
        if !self.stopped {
            let bound = match best.0 {
                value if value <= first => ValueBound::AtMost,
                value if value >= beta => ValueBound::AtLeast,
                _ => ValueBound::Exact,
            };
            self.agent.table[slot] = Some(TranspositionEntry {
                position,
                depth,
                value: rebase_plies(best.0, ply),
                bound,
                best_move: best.1,
            });
        }
        best.0
    }

    /// The successors, the one that was best before first, then as they seem; when a limit is reached, those until
    /// then.
    fn ordered_moves(
        &mut self,
        position: G::Position,
        best: Option<u16>,
        ply: i32,
    ) -> Vec<Seeming<G::Position>> {
        let mut next = Vec::new();
        self.game.successors(position, &mut next);
        let mut options = Vec::with_capacity(next.len());
        for (number, next) in (0..).zip(next) {
            if !self.count_node() {
                break;
            }
            let value = match self.game.terminal(next) {
                Some(wdl) => terminal_value(wdl, ply + 1),
                None if self.path.contains(&next) => 0,
                None => self.heuristic_value(next),
            };
            options.push((-value, number, next));
        }
        options.sort_by_key(|&(seems, number, _)| (Some(number) != best, -seems));
        options
    }

    /// A guess for the side to move: the game's, or the number of moves.
    fn heuristic_value(&self, position: G::Position) -> i32 {
        self.game
            .evaluate(position)
            .unwrap_or_else(|| legal_moves(self.game, position).len() as i32)
    }

    /// Counts a position; `false` if a limit is reached, and it is not to be looked at.
    fn count_node(&mut self) -> bool {
        let most = self.agent.limits.nodes;
        self.stopped |= most.is_some_and(|most| self.nodes >= most) || self.deadline.step_is_late();
        self.nodes += u64::from(!self.stopped);
        !self.stopped
    }
}

/// The value of a finished game so many plies from the root.
fn terminal_value(wdl: Wdl, ply: i32) -> i32 {
    match wdl {
        Wdl::Win => WIN_NOW - ply,
        Wdl::Draw => 0,
        Wdl::Loss => ply - WIN_NOW,
    }
}

/// A value at a root as one counted from a position so many plies deep, or back with the sign changed.
fn rebase_plies(value: i32, plies: i32) -> i32 {
    match value {
        value if value > DECIDED => value + plies,
        value if value < -DECIDED => value - plies,
        value => value,
    }
}
