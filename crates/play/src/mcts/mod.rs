//! Monte Carlo tree search (R. Arntzenius, "Agents for the Strategy Game Onitama", 2021, section 4.3).

mod nodes;
mod tree;

use std::time::Duration;

use hindsight_core::Game;

use crate::agent::{Agent, Choice, Error, moves_of};
use crate::pure::{Budget, Playouts};
use crate::random::Seeded;
use crate::resources::{Deadline, Resources};
use tree::Tree;
pub(crate) use tree::least_memory;

/// When options that can no longer become the most visited one are dropped.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Prune {
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
    pub budget: Budget,
    /// The exploration parameter of formula (1).
    pub c: f64,
    /// Playouts in a node cycle, at least one.
    pub rollouts: u32,
    /// Drops options (section 4.3.1), and ends the search when one is left.
    pub prune: Option<Prune>,
    /// A win counts this much less for each ply that it is away from the root: its points are multiplied by
    /// `depth` as often; 1 for none.
    pub depth: f64,
    /// Whether positions whose value the tree proves are searched no further.
    pub proven: bool,
    /// What playouts are worth.
    pub playouts: Playouts,
}

impl Default for Mcts {
    /// The settings of the thesis, without pruning, and 1000 playouts.
    fn default() -> Self {
        Self {
            budget: Budget::Playouts(1000),
            c: 0.4,
            rollouts: 1,
            prune: None,
            depth: 1.0,
            proven: false,
            playouts: Playouts::default(),
        }
    }
}

/// Visits are counted exactly in 24 bits.
pub(crate) const MOST_PLAYOUTS: u64 = 1 << 24;

/// Tree search within limits of memory.
pub(crate) struct Limited<'a> {
    pub(crate) agent: Mcts,
    pub(crate) resources: Resources<'a>,
}

impl<G: Game> Agent<G> for Mcts {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut Seeded,
    ) -> Result<Choice<G::Move>, Error> {
        let mut limited = Limited {
            agent: *self,
            resources: Resources::default(),
        };
        limited.choose(game, position, random)
    }
}

impl<G: Game> Agent<G> for Limited<'_> {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut Seeded,
    ) -> Result<Choice<G::Move>, Error> {
        let mut clock = Clock::new(&self.agent);
        let moves = moves_of(game, position);
        if let [only] = *moves {
            return Ok(Choice::of(only, 0));
        }
        let mut tree = Tree::new(game, &self.agent, position, self.resources)?;
        let mut pruned = Vec::new();
        while clock.goes_on() && !tree.is_decided() {
            clock.done += tree.cycle(random, &mut clock.deadline);
            if clock.prunes() {
                let left = clock.left();
                let dropped = tree.prune(left);
                pruned.extend(std::iter::repeat_n(left, dropped));
                if tree.options() == 1 {
                    break;
                }
            }
        }
        if tree.is_full() {
            self.resources.tell_full();
        }
        Ok(Choice {
            mv: moves[tree.most_visited()],
            work: clock.done,
            pruned,
        })
    }
}

/// What is left of the budget of a move.
struct Clock {
    deadline: Deadline,
    time: Option<Duration>,
    /// Playouts allowed and done, and the cycles that this took.
    all: u64,
    done: u64,
    cycles: u64,
    /// Cycles between two prunings.
    interval: Option<u64>,
}

impl Clock {
    fn new(agent: &Mcts) -> Self {
        let (all, time) = match agent.budget {
            Budget::Playouts(all) => (all.min(MOST_PLAYOUTS), None),
            Budget::Time(time) => (MOST_PLAYOUTS, Some(time)),
        };
        let cycles = all / u64::from(agent.rollouts);
        let interval = agent.prune.map(|prune| match prune {
            Prune::Cycles(interval) => interval,
            Prune::Percent(percent) => (cycles as f64 * percent / 100.0) as u64,
        });
        Self {
            deadline: Deadline::new(time),
            time,
            all,
            done: 0,
            cycles: 0,
            interval: interval.map(|interval| interval.max(1)),
        }
    }

    /// Whether there is time or are playouts for another cycle; the first is always done.
    fn goes_on(&mut self) -> bool {
        self.cycles += 1;
        self.cycles == 1 || self.done < self.all && !self.deadline.step()
    }

    fn prunes(&self) -> bool {
        let due = |interval| self.cycles.is_multiple_of(interval);
        self.interval.is_some_and(due)
    }

    /// Playouts that can still be made; of a time, as many as are likely by those made so far.
    fn left(&self) -> u64 {
        let Some((time, left)) = self.time.zip(self.deadline.remaining()) else {
            return self.all - self.done.min(self.all);
        };
        let spent = time.saturating_sub(left).as_secs_f64().max(1e-9);
        (self.done as f64 * left.as_secs_f64() / spent) as u64
    }
}
