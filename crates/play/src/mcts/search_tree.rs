use std::ops::Range;

use hindsight_core::{Game, Wdl};

use super::Mcts;
use super::node_arena::{NodeArena, NodeStats};
use crate::agent::{AgentError, playout_result};
use crate::pure_monte_carlo::points;
use crate::resources::{AgentResources, Deadline};
use crate::seeded_random::SeededRandom;

/// The children of a node lie together, so that a choice among them reads a few lines of memory.
pub(super) struct SearchTree<'a, G: Game> {
    game: &'a G,
    agent: &'a Mcts,
    nodes: NodeArena<G::Position>,
    /// Successors of the node that gets children.
    successors: Vec<G::Position>,
    /// From the root to the leaf of this cycle.
    path: Vec<usize>,
    open_moves: usize,
    full: bool,
}

/// What a cycle says of its leaf, for the one who moved there and for the other.
struct LeafResult {
    /// Playouts, or those that a known leaf stands for.
    playouts: u32,
    points: [f32; 2],
    proven: Option<Wdl>,
}

const ROOT: usize = 0;

/// A larger tree gets no new nodes: leaves are played from again.
const MAX_NODES: usize = 1 << 24;

/// Nodes without which nothing is searched.
const MIN_NODES: usize = 1 << 10;

/// The least memory that a tree can do with, in bytes.
pub(crate) fn least_memory<G: Game>() -> u64 {
    AgentResources::bytes_for(MIN_NODES, NodeArena::<G::Position>::SIZE)
}

impl<'a, G: Game> SearchTree<'a, G> {
    /// The tree of a position and its successors, which must fit in the memory.
    pub(super) fn new(
        game: &'a G,
        agent: &'a Mcts,
        position: G::Position,
        resources: AgentResources<'_>,
    ) -> std::result::Result<Self, AgentError> {
        let size = NodeArena::<G::Position>::SIZE;
        let mut nodes = NodeArena::with_capacity(resources.max_items(size));
        let root = nodes.add(&[position]);
        let mut tree = Self {
            game,
            agent,
            nodes,
            successors: Vec::new(),
            path: Vec::new(),
            open_moves: 0,
            full: false,
        };
        if root.is_none() || !tree.add_children(ROOT) {
            // The root's chunk, and one for its children.
            let nodes = MIN_NODES + tree.successors.len();
            return Err(AgentError::Memory {
                agent: "mcts",
                least: AgentResources::bytes_for(nodes, size),
                memory: resources.memory_bytes,
            });
        }
        tree.open_moves = tree.children(ROOT).len();
        Ok(tree)
    }

    /// True if it had no room for nodes that it wanted.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    fn children(&self, node: usize) -> Range<usize> {
        self.nodes.links(node).child_range()
    }

    /// Gives a node its children; `false` if there is no room for them.
    fn add_children(&mut self, node: usize) -> bool {
        if self.full {
            return false;
        }
        self.successors.clear();
        let position = self.nodes.position(node);
        self.game.successors(position, &mut self.successors);
        let first = if self.nodes.len() > MAX_NODES {
            None
        } else {
            self.nodes.add(&self.successors)
        };
        let Some(first) = first else {
            self.full = true;
            return false;
        };
        let link = self.nodes.links_mut(node);
        link.first_child = u32::try_from(first).expect("fewer than 2^32 nodes");
        link.children = u16::try_from(self.successors.len()).expect("fewer than 65,536 moves");
        true
    }

    /// One node cycle; the playouts it made, at least one.
    pub(super) fn cycle(&mut self, random: &mut SeededRandom, deadline: &mut Deadline) -> u64 {
        self.path.clear();
        self.path.push(ROOT);
        let mut node = ROOT;
        let leaf = loop {
            let (link, counts) = self.nodes.links_and_stats(node);
            if link.proven.is_some() {
                break node;
            }
            if link.tried_children < link.children {
                self.nodes.links_mut(node).tried_children += 1;
                break link.first_child as usize + usize::from(link.tried_children);
            }
            if link.children == 0 {
                let over = self.game.terminal(self.nodes.position(node)).is_some();
                if over || !self.add_children(node) {
                    break node;
                }
                continue;
            }
            node = self.select(link.child_range(), counts.visits);
            self.path.push(node);
        };
        if self.path.last() != Some(&leaf) {
            self.path.push(leaf);
        }
        let result = self.simulate(leaf, random, deadline);
        self.backpropagate(&result);
        u64::from(result.playouts)
    }

    /// The child that formula (1) prefers, the first of equals; their parent has so many visits.
    fn select(&self, children: Range<usize>, visits: f32) -> usize {
        let first = children.start;
        let c = self.agent.exploration as f32 * visits.ln().sqrt();
        let mut best = (0, f32::NEG_INFINITY);
        for (i, NodeStats { visits, points }) in self.nodes.stats_of(children).iter().enumerate() {
            let value = points / visits + c / visits.sqrt();
            if value > best.1 {
                best = (i, value);
            }
        }
        first + best.0
    }

    /// Plays from a leaf until the deadline, at least once, or says how it ended there.
    fn simulate(
        &self,
        leaf: usize,
        random: &mut SeededRandom,
        deadline: &mut Deadline,
    ) -> LeafResult {
        let position = self.nodes.position(leaf);
        let depth = self.path.len() as u32 - 1;
        let mut result = LeafResult {
            playouts: self.agent.playouts_per_cycle,
            points: [0.0; 2],
            proven: self.nodes.links(leaf).proven,
        };
        let known = result.proven.or_else(|| {
            let over = self.game.terminal(position)?.before();
            if self.agent.prove_values {
                result.proven = Some(over);
            }
            Some(over)
        });
        if let Some(wdl) = known {
            let points = self.points_for(Some(wdl), depth);
            result.points = points.map(|points| points * self.agent.playouts_per_cycle as f32);
            return result;
        }
        for done in 0..self.agent.playouts_per_cycle {
            if done > 0 && deadline.step_is_late() {
                result.playouts = done;
                break;
            }
            let (wdl, plies) =
                playout_result(self.game, position, self.agent.playout.max_plies, random);
            let points = self.points_for(wdl.map(Wdl::before), depth + plies);
            result.points[0] += points[0];
            result.points[1] += points[1];
        }
        result
    }

    /// For the one with this result and for the other.
    fn points_for(&self, wdl: Option<Wdl>, plies: u32) -> [f32; 2] {
        let Some(wdl) = wdl else {
            return [self.agent.playout.cutoff_points as f32; 2];
        };
        let less = if self.agent.depth_discount < 1.0 && wdl != Wdl::Draw {
            self.agent.depth_discount.powi(plies as i32)
        } else {
            1.0
        };
        [wdl, wdl.before()].map(|wdl| (points(wdl) * less) as f32)
    }

    /// Tells the nodes of the path, each from the view of the one who moved there.
    fn backpropagate(&mut self, result: &LeafResult) {
        for (i, &node) in self.path.iter().rev().enumerate() {
            let counts = self.nodes.stats_mut(node);
            counts.visits += result.playouts as f32;
            counts.points += result.points[i % 2];
        }
        if let Some(wdl) = result.proven {
            self.backpropagate_proof(wdl);
        }
    }

    /// Passes a proven value of the leaf up the path as far as it proves more.
    fn backpropagate_proof(&mut self, leaf: Wdl) {
        let mut proven = leaf;
        for i in (0..self.path.len()).rev() {
            let node = self.path[i];
            self.nodes.links_mut(node).proven.get_or_insert(proven);
            if i == 0 {
                return;
            }
            let parent = self.path[i - 1];
            // Worth for the one who moves at the parent: a win is enough, else all must be known.
            if proven != Wdl::Win {
                let children = self.children(parent);
                let known = children.map(|child| self.nodes.links(child).proven);
                let Some(best) = known.collect::<Option<Vec<Wdl>>>() else {
                    if proven == Wdl::Loss {
                        self.exclude_lost(node, parent);
                    }
                    return;
                };
                proven = best.into_iter().max().unwrap_or(proven);
            }
            proven = proven.before();
        }
    }

    /// A move that is known to lose is not looked at again.
    fn exclude_lost(&mut self, node: usize, parent: usize) {
        if self.is_open(node) {
            self.nodes.stats_mut(node).points = f32::NEG_INFINITY;
            self.open_moves -= usize::from(parent == ROOT);
        }
    }

    /// Whether a node was neither dropped nor proven lost.
    fn is_open(&self, node: usize) -> bool {
        self.nodes.stats(node).points > f32::NEG_INFINITY
    }

    /// Whether the root is proven.
    pub(super) fn is_proven(&self) -> bool {
        self.nodes.links(ROOT).proven.is_some()
    }

    /// Options that were neither pruned nor proven lost.
    pub(super) fn open_moves(&self) -> usize {
        self.open_moves
    }

    /// Drops options that can no longer become the most visited one, with so many playouts left
    /// (expression 2); how many were dropped.
    pub(super) fn prune(&mut self, left: u64) -> usize {
        let children = self.children(ROOT);
        let open = children.clone().filter(|&node| self.is_open(node));
        let most = open
            .map(|node| self.nodes.stats(node).visits)
            .fold(0.0, f32::max);
        let mut dropped = 0;
        for node in children {
            if self.is_open(node) && left as f32 + self.nodes.stats(node).visits < most {
                self.nodes.stats_mut(node).points = f32::NEG_INFINITY;
                dropped += 1;
            }
        }
        self.open_moves -= dropped;
        dropped
    }

    /// The number of the move to play: one that is proven to win, else the most visited of those that are
    /// not proven to lose, or of all if they are.
    pub(super) fn move_to_play(&self) -> usize {
        let key = |node: usize| {
            let rank = match self.nodes.links(node).proven {
                Some(Wdl::Win) => 2,
                Some(Wdl::Loss) => 0,
                _ => 1,
            };
            (rank, self.nodes.stats(node).visits)
        };
        let children = self.children(ROOT);
        let first = children.start;
        let better = |best: usize, node: usize| if key(node) > key(best) { node } else { best };
        children.fold(first, better) - first
    }
}
