//! Monte Carlo tree search.
//!
//! Source of the formulas: R. Arntzenius, "Agents for the Strategy Game Onitama", 2021,
//! section 4.3.

mod node_arena;
pub(crate) mod search_tree;
mod selection;

use std::time::Duration;

use hindsight_core::{Packed, PackedGame};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::pure_monte_carlo::{MoveBudget, PlayoutSettings};
use crate::resources::{AgentResources, Deadline};
use crate::seeded_random::SeededRandom;
use search_tree::SearchTree;
pub(crate) use search_tree::least_memory;

/// Interval at which moves that can no longer become the most visited one are pruned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PruneInterval {
    /// Number of node cycles.
    Cycles(u64),
    /// Per cent of the playouts of a move; not of its time.
    Percent(f64),
}

/// Monte Carlo tree search.
///
/// A node cycle has four parts. It selects by formula (1) from the root down to a node with an
/// unvisited child, visits that child, plays from there at random, and backpropagates the result
/// along the path. The most visited move is played, the first of equals; with
/// [`Mcts::prove_values`] a proven win comes before it.
///
/// Memory has no limit here: a position and 20 bytes for each node, about 2^24 nodes. For a limit
/// use [`AgentSpec::agent`](crate::AgentSpec::agent).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mcts {
    /// Budget of a move.
    pub budget: MoveBudget,
    /// Exploration parameter `c` of formula (1).
    pub exploration: f64,
    /// Playouts in a node cycle, at least one.
    pub playouts_per_cycle: u32,
    /// Interval of pruning (section 4.3.1); the search ends once a single move is left.
    pub prune: Option<PruneInterval>,
    /// Factor on the points of a win for each ply from the root to the win; 1 for no discount.
    pub depth_discount: f64,
    /// True to search positions no further once the tree proves their value.
    pub prove_values: bool,
    /// Length and scoring of playouts.
    pub playout: PlayoutSettings,
}

impl Default for Mcts {
    /// The settings of the thesis, without pruning, and 1000 playouts.
    fn default() -> Self {
        Self {
            budget: MoveBudget::Playouts(1000),
            exploration: 0.4,
            playouts_per_cycle: 1,
            prune: None,
            depth_discount: 1.0,
            prove_values: false,
            playout: PlayoutSettings::default(),
        }
    }
}

/// Maximum number of playouts of a move: `f32` counts visits exactly up to 2^24.
pub(crate) const MAX_PLAYOUTS: u64 = 1 << 24;

/// Monte Carlo tree search with a memory limit.
pub(crate) struct LimitedMcts<'a> {
    pub(crate) agent: Mcts,
    pub(crate) resources: AgentResources<'a>,
}

impl Agent for Mcts {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let mut limited = LimitedMcts { agent: *self, resources: AgentResources::default() };
        limited.choose(game, position, random)
    }
}

impl Agent for LimitedMcts<'_> {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let mut clock = BudgetClock::new(&self.agent, self.resources);
        let moves = legal_moves(game, position);
        if let [only] = *moves {
            return Ok(ChosenMove::new(only, 0));
        }
        let mut tree = SearchTree::new(game, &self.agent, position, self.resources)?;
        let mut pruned = Vec::new();
        while clock.begin_cycle() && !tree.is_proven() {
            clock.playouts += tree.cycle(random, &mut clock.deadline);
            if clock.pruning_is_due() {
                let playouts_left = clock.playouts_left();
                let count = tree.prune(playouts_left);
                pruned.extend(std::iter::repeat_n(playouts_left, count));
                if tree.open_moves() == 1 {
                    break;
                }
            }
        }
        if tree.is_full() {
            self.resources.report_exhausted();
        }
        Ok(ChosenMove { mv: moves[tree.move_to_play()], work: clock.playouts, pruned })
    }
}

/// Use of the budget of a move.
struct BudgetClock<'a> {
    deadline: Deadline<'a>,
    /// Time of the budget, cut to that of the resources.
    time: Option<Duration>,
    max_playouts: u64,
    playouts: u64,
    /// Node cycles begun.
    cycles: u64,
    /// Node cycles between two prunings.
    prune_interval: Option<u64>,
}

impl<'a> BudgetClock<'a> {
    fn new(agent: &Mcts, resources: AgentResources<'a>) -> Self {
        let (max_playouts, time) = match agent.budget {
            MoveBudget::Playouts(total) => (total.min(MAX_PLAYOUTS), None),
            MoveBudget::Time(time) => (MAX_PLAYOUTS, Some(time)),
        };
        let max_cycles = max_playouts / u64::from(agent.playouts_per_cycle);
        let prune_interval = agent.prune.map(|prune| match prune {
            PruneInterval::Cycles(cycles) => cycles,
            PruneInterval::Percent(percent) => (max_cycles as f64 * percent / 100.0) as u64,
        });
        let deadline = resources.deadline(time);
        Self {
            time: time.and(deadline.remaining()),
            deadline,
            max_playouts,
            playouts: 0,
            cycles: 0,
            prune_interval: prune_interval.map(|cycles| cycles.max(1)),
        }
    }

    /// Counts a new cycle; returns false once the budget is used up, but not in the first cycle.
    fn begin_cycle(&mut self) -> bool {
        self.cycles += 1;
        self.cycles == 1 || self.playouts < self.max_playouts && !self.deadline.tick()
    }

    fn pruning_is_due(&self) -> bool {
        let due = |interval| self.cycles.is_multiple_of(interval);
        self.prune_interval.is_some_and(due)
    }

    /// Number of playouts left. With a time limit it is estimated from the playouts made so far.
    fn playouts_left(&self) -> u64 {
        let Some((time, left)) = self.time.zip(self.deadline.remaining()) else {
            return self.max_playouts - self.playouts.min(self.max_playouts);
        };
        let spent = time.saturating_sub(left).as_secs_f64().max(1e-9);
        (self.playouts as f64 * left.as_secs_f64() / spent) as u64
    }
}
