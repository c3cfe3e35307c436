//! Monte Carlo tree search (R. Arntzenius, "Agents for the Strategy Game Onitama", 2021, section 4.3).

mod node_arena;
mod search_tree;

use std::time::Duration;

use hindsight_core::Game;

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::pure_monte_carlo::{MoveBudget, PlayoutSettings};
use crate::resources::{AgentResources, Deadline};
use crate::seeded_random::SeededRandom;
use search_tree::SearchTree;
pub(crate) use search_tree::least_memory;

/// When options that can no longer become the most visited one are dropped.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PruneInterval {
    /// After so many node cycles each time.
    Cycles(u64),
    /// After each such part of the playouts, in per cent; of playouts, not of time.
    Percent(f64),
}

/// Monte Carlo tree search. A node cycle walks from the root by formula (1) to a leaf, adds a child to it, plays
/// from there at random, and tells all nodes on the way. The most visited move is played, the first of
/// those with as many visits.
///
/// By itself it takes as much memory as it needs, some 40 bytes a node, at most 2^24 nodes; with a limit it is
/// made by [`AgentSpec::agent`](crate::AgentSpec::agent).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mcts {
    /// For a move.
    pub budget: MoveBudget,
    /// The exploration parameter of formula (1).
    pub exploration: f64,
    /// Playouts in a node cycle, at least one.
    pub playouts_per_cycle: u32,
    /// Drops options (section 4.3.1), and ends the search when one is left.
    pub prune: Option<PruneInterval>,
    /// A win counts this much less for each ply that it is away from the root: its points are multiplied by
    /// `depth` as often; 1 for none.
    pub depth_discount: f64,
    /// Whether positions whose value the tree proves are searched no further.
    pub prove_values: bool,
    /// What playouts are worth.
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

/// Visits are counted exactly in 24 bits.
pub(crate) const MAX_PLAYOUTS: u64 = 1 << 24;

/// Tree search within limits of memory.
pub(crate) struct LimitedMcts<'a> {
    pub(crate) agent: Mcts,
    pub(crate) resources: AgentResources<'a>,
}

impl<G: Game> Agent<G> for Mcts {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let mut limited = LimitedMcts {
            agent: *self,
            resources: AgentResources::default(),
        };
        limited.choose(game, position, random)
    }
}

impl<G: Game> Agent<G> for LimitedMcts<'_> {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let mut clock = BudgetClock::new(&self.agent);
        let moves = legal_moves(game, position);
        if let [only] = *moves {
            return Ok(ChosenMove::new(only, 0));
        }
        let mut tree = SearchTree::new(game, &self.agent, position, self.resources)?;
        let mut pruned = Vec::new();
        while clock.next_cycle_allowed() && !tree.is_proven() {
            clock.done += tree.cycle(random, &mut clock.deadline);
            if clock.pruning_is_due() {
                let left = clock.playouts_left();
                let dropped = tree.prune(left);
                pruned.extend(std::iter::repeat_n(left, dropped));
                if tree.open_moves() == 1 {
                    break;
                }
            }
        }
        if tree.is_full() {
            self.resources.report_exhausted();
        }
        Ok(ChosenMove {
            mv: moves[tree.move_to_play()],
            work: clock.done,
            pruned,
        })
    }
}

/// What is left of the budget of a move.
struct BudgetClock {
    deadline: Deadline,
    time: Option<Duration>,
    /// Playouts allowed and done, and the cycles that this took.
    allowed: u64,
    done: u64,
    cycles: u64,
    /// Cycles between two prunings.
    prune_interval: Option<u64>,
}

impl BudgetClock {
    fn new(agent: &Mcts) -> Self {
        let (all, time) = match agent.budget {
            MoveBudget::Playouts(all) => (all.min(MAX_PLAYOUTS), None),
            MoveBudget::Time(time) => (MAX_PLAYOUTS, Some(time)),
        };
        let cycles = all / u64::from(agent.playouts_per_cycle);
        let interval = agent.prune.map(|prune| match prune {
            PruneInterval::Cycles(interval) => interval,
            PruneInterval::Percent(percent) => (cycles as f64 * percent / 100.0) as u64,
        });
        Self {
            deadline: Deadline::new(time),
            time,
            allowed: all,
            done: 0,
            cycles: 0,
            prune_interval: interval.map(|interval| interval.max(1)),
        }
    }

    /// Whether there is time or are playouts for another cycle; the first is always done.
    fn next_cycle_allowed(&mut self) -> bool {
        self.cycles += 1;
        self.cycles == 1 || self.done < self.allowed && !self.deadline.step_is_late()
    }

    fn pruning_is_due(&self) -> bool {
        let due = |interval| self.cycles.is_multiple_of(interval);
        self.prune_interval.is_some_and(due)
    }

    /// Playouts that can still be made; of a time, as many as are likely by those made so far.
    fn playouts_left(&self) -> u64 {
        let Some((time, left)) = self.time.zip(self.deadline.remaining()) else {
            return self.allowed - self.done.min(self.allowed);
        };
        let spent = time.saturating_sub(left).as_secs_f64().max(1e-9);
        (self.done as f64 * left.as_secs_f64() / spent) as u64
    }
}
