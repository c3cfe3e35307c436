use std::ops::Range;

use hindsight_core::{Game, MOST_WORDS, Packed, PackedGame, Wdl};

use super::Mcts;
use super::node_arena::NodeArena;
use super::selection::Selection;
use crate::agent::{AgentError, playout_result};
use crate::pure_monte_carlo::points_for_result;
use crate::resources::{AgentResources, Deadline};
use crate::seeded_random::SeededRandom;

/// Points of some playouts, for the side that makes a move.
#[derive(Clone, Copy, Default)]
struct PlayoutSum {
    points: f32,
    playouts: f32,
}

/// The tree of a search. Children of a node are adjacent, so a selection reads few cache lines.
pub(crate) struct SearchTree<'a> {
    game: &'a PackedGame,
    agent: &'a Mcts,
    nodes: NodeArena,
    selection: Selection,
    /// Successors of the node that gets children; kept to reuse the allocation.
    successors: Vec<Packed>,
    /// Nodes from the root to the leaf of the current cycle.
    path: Vec<usize>,
    /// Points of each move of the root, from leaves at even and at odd depths, if these are told
    /// apart.
    by_depth: Vec<[PlayoutSum; 2]>,
    /// Number of moves of the root neither pruned nor proven lost.
    open_moves: usize,
    full: bool,
}

/// Result of a cycle at its leaf.
struct LeafResult {
    /// Playouts made, or the number that a known result stands for.
    playouts: u32,
    /// Points of the side that moved to the leaf, and of the other.
    points: [f32; 2],
    /// Value of the leaf for the side that moved to it, if proven; `None` unless
    /// [`Mcts::prove_values`] is set.
    proven: Option<Wdl>,
}

const ROOT: usize = 0;

/// Threshold of growth: a tree with more nodes gets no further children, and playouts start from
/// its existing leaves.
const MAX_NODES: usize = 1 << 24;

/// Minimum number of nodes of a search.
const MIN_NODES: usize = 1 << 10;

/// Minimum memory of a tree of any game, in bytes.
pub(crate) fn least_memory() -> u64 {
    AgentResources::bytes_for(MIN_NODES, NodeArena::node_bytes(MOST_WORDS))
}

impl<'a> SearchTree<'a> {
    /// Returns the tree of a position and its successors.
    ///
    /// # Errors
    /// The root and its successors do not fit in the memory.
    pub(crate) fn new(
        game: &'a PackedGame,
        agent: &'a Mcts,
        position: Packed,
        resources: AgentResources<'_>,
    ) -> Result<Self, AgentError> {
        let node_bytes = NodeArena::node_bytes(game.words());
        let mut nodes = NodeArena::with_capacity(resources.max_items(node_bytes), game.words());
        let root = nodes.add(&[position]);
        let mut tree = Self {
            game,
            agent,
            nodes,
            selection: Selection::new(agent.exploration),
            successors: Vec::new(),
            path: Vec::new(),
            by_depth: Vec::new(),
            open_moves: 0,
            full: false,
        };
        if root.is_none() || !tree.add_children(ROOT) {
            // The chunk of the root, and a chunk for its children.
            let nodes = MIN_NODES + tree.successors.len();
            return Err(AgentError::Memory {
                agent: "mcts",
                least: AgentResources::bytes_for(nodes, node_bytes),
                memory: resources.memory_bytes,
            });
        }
        tree.open_moves = tree.children(ROOT).len();
        Ok(tree)
    }

    /// Keeps the points of leaves at even and at odd depths apart, for
    /// [`SearchTree::points_of_moves`]. Takes 16 bytes a move.
    pub(crate) fn tell_depths_apart(&mut self) {
        self.by_depth = vec![[PlayoutSum::default(); 2]; self.children(ROOT).len()];
    }

    /// Returns true if a node got no children for lack of room.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    fn children(&self, node: usize) -> Range<usize> {
        self.nodes.links(node).child_range()
    }

    /// Adds the children of a node; returns false if there is no room for them.
    fn add_children(&mut self, node: usize) -> bool {
        if self.full {
            return false;
        }
        self.successors.clear();
        let position = self.nodes.position(node);
        self.game.successors(position, &mut self.successors);
        let first =
            if self.nodes.len() > MAX_NODES { None } else { self.nodes.add(&self.successors) };
        let Some(first) = first else {
            self.full = true;
            return false;
        };
        let links = self.nodes.links_mut(node);
        links.first_child = u32::try_from(first).expect("fewer than 2^32 nodes");
        links.children = u16::try_from(self.successors.len()).expect("fewer than 65,536 moves");
        true
    }

    /// Makes a node cycle; returns the number of its playouts, at least one. A known result counts
    /// as the playouts that it replaces.
    pub(crate) fn cycle(&mut self, random: &mut SeededRandom, deadline: &mut Deadline<'_>) -> u64 {
        self.selection.add_term();
        self.path.clear();
        self.path.push(ROOT);
        let mut node = ROOT;
        let leaf = loop {
            let (links, stats) = self.nodes.links_and_stats(node);
            if links.proven.is_some() {
                break node;
            }
            if links.tried_children < links.children {
                self.nodes.links_mut(node).tried_children += 1;
                break links.first_child as usize + usize::from(links.tried_children);
            }
            if links.children == 0 {
                let terminal = self.game.terminal(self.nodes.position(node)).is_some();
                if terminal || !self.add_children(node) {
                    break node;
                }
                continue;
            }
            node = self.select(links.child_range(), stats.visits);
            self.path.push(node);
        };
        if self.path.last() != Some(&leaf) {
            self.path.push(leaf);
        }
        let result = self.simulate(leaf, random, deadline);
        self.backpropagate(&result);
        u64::from(result.playouts)
    }

    /// Returns the child with the greatest value of formula (1), the first of equals.
    ///
    /// `visits` is the number of visits of the parent.
    fn select(&mut self, children: Range<usize>, visits: f32) -> usize {
        let first = children.start;
        let stats = self.nodes.stats_of_range(children);
        first + self.selection.best_child(stats, visits)
    }

    /// Plays from a leaf until the deadline, at least once; takes a known result without playing.
    fn simulate(
        &self,
        leaf: usize,
        random: &mut SeededRandom,
        deadline: &mut Deadline<'_>,
    ) -> LeafResult {
        let position = self.nodes.position(leaf);
        let depth = self.path.len() as u32 - 1;
        let mut result = LeafResult {
            playouts: self.agent.playouts_per_cycle,
            points: [0.0; 2],
            proven: self.nodes.links(leaf).proven,
        };
        let known = result.proven.or_else(|| {
            let terminal = self.game.terminal(position)?.before();
            if self.agent.prove_values {
                result.proven = Some(terminal);
            }
            Some(terminal)
        });
        if let Some(wdl) = known {
            let points = self.points_of_both(Some(wdl), depth);
            result.points = points.map(|points| points * self.agent.playouts_per_cycle as f32);
            return result;
        }
        for done in 0..self.agent.playouts_per_cycle {
            if done > 0 && deadline.tick() {
                result.playouts = done;
                break;
            }
            let max_plies = self.agent.playout.max_plies;
            let (wdl, plies) = playout_result(self.game, position, max_plies, random);
            let points = self.points_of_both(wdl.map(Wdl::before), depth + plies);
            result.points[0] += points[0];
            result.points[1] += points[1];
        }
        result
    }

    /// Returns the points of the side with this result, and of the other.
    ///
    /// `plies` is the distance of the end from the root; `None` stands for a cut-off.
    fn points_of_both(&self, wdl: Option<Wdl>, plies: u32) -> [f32; 2] {
        let Some(wdl) = wdl else {
            return [self.agent.playout.cutoff_points as f32; 2];
        };
        let discount = if self.agent.depth_discount < 1.0 && wdl != Wdl::Draw {
            self.discount(plies)
        } else {
            1.0
        };
        [wdl, wdl.before()].map(|wdl| (points_for_result(wdl) * discount) as f32)
    }

    /// Factor on the points of a win. Not inlined, since it would be computed without need.
    #[inline(never)]
    fn discount(&self, plies: u32) -> f64 {
        self.agent.depth_discount.powi(plies as i32)
    }

    /// Adds a result to the nodes of the path, each from the view of the side that moved to it.
    fn backpropagate(&mut self, result: &LeafResult) {
        for (i, &node) in self.path.iter().rev().enumerate() {
            let stats = self.nodes.stats_mut(node);
            stats.visits += result.playouts as f32;
            stats.points += result.points[i % 2];
        }
        if let (Some(&child), false) = (self.path.get(1), self.by_depth.is_empty()) {
            let depth = self.path.len() - 1;
            let first = self.children(ROOT).start;
            let sum = &mut self.by_depth[child - first];
            sum[depth % 2].points += result.points[(depth - 1) % 2];
            sum[depth % 2].playouts += result.playouts as f32;
        }
        if let Some(wdl) = result.proven {
            self.backpropagate_proof(wdl);
        }
    }

    /// Passes the proven value of the leaf up the path as far as it proves further nodes.
    fn backpropagate_proof(&mut self, leaf: Wdl) {
        let mut proven = leaf;
        for i in (0..self.path.len()).rev() {
            let node = self.path[i];
            self.nodes.links_mut(node).proven.get_or_insert(proven);
            if i == 0 {
                return;
            }
            let parent = self.path[i - 1];
            // A winning move proves the parent by itself; otherwise all moves must be proven.
            if proven != Wdl::Win {
                let children = self.children(parent);
                let values = children.map(|child| self.nodes.links(child).proven);
                let Some(values) = values.collect::<Option<Vec<Wdl>>>() else {
                    if proven == Wdl::Loss {
                        self.exclude_lost(node, parent);
                    }
                    return;
                };
                proven = values.into_iter().max().unwrap_or(proven);
            }
            proven = proven.before();
        }
    }

    /// Excludes a move that is proven to lose from further selection.
    fn exclude_lost(&mut self, node: usize, parent: usize) {
        if self.is_open(node) {
            self.nodes.stats_mut(node).points = f32::NEG_INFINITY;
            self.open_moves -= usize::from(parent == ROOT);
        }
    }

    /// Returns true if a node was neither pruned nor excluded as lost.
    fn is_open(&self, node: usize) -> bool {
        self.nodes.stats(node).points > f32::NEG_INFINITY
    }

    /// Returns true if the value of the root is proven.
    pub(crate) fn is_proven(&self) -> bool {
        self.nodes.links(ROOT).proven.is_some()
    }

    /// Number of moves of the root neither pruned nor proven lost.
    pub(super) fn open_moves(&self) -> usize {
        self.open_moves
    }

    /// Prunes moves of the root that `playouts_left` cannot make the most visited one any more.
    ///
    /// Returns the number of moves pruned. Source: expression (2) of the thesis.
    pub(super) fn prune(&mut self, playouts_left: u64) -> usize {
        let children = self.children(ROOT);
        let open = children.clone().filter(|&node| self.is_open(node));
        let most_visits = open.map(|node| self.nodes.stats(node).visits).fold(0.0, f32::max);
        let mut pruned = 0;
        for node in children {
            let reachable_visits = playouts_left as f32 + self.nodes.stats(node).visits;
            if self.is_open(node) && reachable_visits < most_visits {
                self.nodes.stats_mut(node).points = f32::NEG_INFINITY;
                pruned += 1;
            }
        }
        self.open_moves -= pruned;
        pruned
    }

    /// Returns the points of each move of the root, for the side that makes it; one half for a move
    /// without a visit. They are the mean of those from leaves at odd and at even depths: who
    /// chooses last is better off by it.
    pub(crate) fn points_of_moves(&self) -> impl Iterator<Item = f64> + '_ {
        let stats = self.nodes.stats_of_range(self.children(ROOT)).iter();
        stats.zip(&self.by_depth).map(|(stats, by_depth)| {
            let mean = |sum: &PlayoutSum| f64::from(sum.points / sum.playouts);
            let points = match by_depth {
                _ if stats.points == f32::NEG_INFINITY => 0.0,
                [even, odd] if even.playouts > 0.0 && odd.playouts > 0.0 => {
                    mean(even).midpoint(mean(odd))
                }
                _ if stats.visits > 0.0 => f64::from(stats.points / stats.visits),
                _ => 0.5,
            };
            points.clamp(0.0, 1.0)
        })
    }

    /// Returns the logarithm of the visits of each move of the root. A proven win counts as if it
    /// had all visits, a proven loss as if it had a hundredth of one.
    pub(crate) fn preferences_of_moves(&self) -> impl Iterator<Item = f64> + '_ {
        let all = f64::from(self.nodes.stats(ROOT).visits);
        self.children(ROOT).map(move |node| {
            let visits = match self.nodes.links(node).proven {
                Some(Wdl::Win) => all,
                Some(Wdl::Loss) => 0.0,
                _ => f64::from(self.nodes.stats(node).visits),
            };
            visits.max(0.01).ln()
        })
    }

    /// Returns the index of the move to play: a proven win, else the most visited move.
    ///
    /// A move proven lost is played only if all are.
    pub(super) fn move_to_play(&self) -> usize {
        let key = |node: usize| {
            let preference = match self.nodes.links(node).proven {
                Some(Wdl::Win) => 2,
                Some(Wdl::Loss) => 0,
                _ => 1,
            };
            (preference, self.nodes.stats(node).visits)
        };
        let children = self.children(ROOT);
        let first = children.start;
        let better = |best: usize, node: usize| if key(node) > key(best) { node } else { best };
        children.fold(first, better) - first
    }
}
