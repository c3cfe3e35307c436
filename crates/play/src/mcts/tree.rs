use std::ops::Range;

use game::{Game, Wdl};

use super::Mcts;
use crate::agent::outcome;
use crate::pure::worth;
use crate::random::Seeded;

/// The children of a node lie together, so that a choice among them reads a few lines of memory.
pub(super) struct Tree<'a, G: Game> {
    game: &'a G,
    agent: &'a Mcts,
    positions: Vec<G::Position>,
    /// Playouts through a node, and what they were worth to the one who moved there. Visits as numbers that
    /// the formula needs no conversion of.
    visits: Vec<f32>,
    points: Vec<f32>,
    links: Vec<Link>,
    /// From the root to the leaf of this cycle.
    path: Vec<usize>,
    options: usize,
}

/// What a node has beside its counts.
#[derive(Clone, Copy, Default)]
struct Link {
    /// The first child; 0 if there are none yet.
    first: u32,
    children: u16,
    /// Children that were visited: the first so many.
    tried: u16,
    /// For the one who moved there, where the tree proves it.
    proven: Option<Wdl>,
}

/// What a cycle says of its leaf, for the one who moved there and for the other.
struct Result {
    points: [f32; 2],
    proven: Option<Wdl>,
}

const ROOT: usize = 0;

/// A larger tree gets no new nodes, some 40 bytes each: leaves are played from again.
const MOST_NODES: usize = 1 << 24;

impl<'a, G: Game> Tree<'a, G> {
    pub(super) fn new(game: &'a G, agent: &'a Mcts, position: G::Position) -> Self {
        let mut tree = Self {
            game,
            agent,
            positions: vec![position],
            visits: vec![0.0],
            points: vec![0.0],
            links: vec![Link::default()],
            path: Vec::new(),
            options: 0,
        };
        tree.add_children(ROOT);
        tree.options = tree.children(ROOT).len();
        tree
    }

    fn children(&self, node: usize) -> Range<usize> {
        let Link {
            first, children, ..
        } = self.links[node];
        first as usize..first as usize + usize::from(children)
    }

    fn add_children(&mut self, node: usize) {
        let first = self.positions.len();
        self.game
            .successors(self.positions[node], &mut self.positions);
        let all = self.positions.len();
        self.visits.resize(all, 0.0);
        self.points.resize(all, 0.0);
        self.links.resize(all, Link::default());
        let link = &mut self.links[node];
        link.first = u32::try_from(first).expect("fewer than 2^32 nodes");
        link.children = u16::try_from(all - first).expect("fewer than 65,536 moves");
    }

    /// One node cycle; the playouts it made.
    pub(super) fn cycle(&mut self, random: &mut Seeded) -> u64 {
        self.path.clear();
        self.path.push(ROOT);
        let mut node = ROOT;
        let leaf = loop {
            if self.links[node].proven.is_some() {
                break node;
            }
            let Link {
                first,
                children,
                tried,
                ..
            } = self.links[node];
            if tried < children {
                self.links[node].tried += 1;
                break first as usize + usize::from(tried);
            }
            if children == 0 {
                let full = self.positions.len() > MOST_NODES;
                if full || self.game.terminal(self.positions[node]).is_some() {
                    break node;
                }
                self.add_children(node);
                continue;
            }
            node = self.select(node);
            self.path.push(node);
        };
        if self.path.last() != Some(&leaf) {
            self.path.push(leaf);
        }
        let result = self.simulate(leaf, random);
        self.tell(&result);
        u64::from(self.agent.rollouts)
    }

    /// The child that formula (1) prefers, the first of equals.
    fn select(&self, node: usize) -> usize {
        let children = self.children(node);
        let first = children.start;
        let visits = &self.visits[children.clone()];
        let points = &self.points[children];
        let c = self.agent.c as f32 * self.visits[node].ln().sqrt();
        let mut best = (0, f32::NEG_INFINITY);
        for (i, (&points, &visits)) in points.iter().zip(visits).enumerate() {
            let value = points / visits + c / visits.sqrt();
            if value > best.1 {
                best = (i, value);
            }
        }
        first + best.0
    }

    /// Plays from a leaf, or says how it ended there.
    fn simulate(&self, leaf: usize, random: &mut Seeded) -> Result {
        let position = self.positions[leaf];
        let depth = self.path.len() as u32 - 1;
        let mut result = Result {
            points: [0.0; 2],
            proven: self.links[leaf].proven,
        };
        let known = result.proven.or_else(|| {
            let over = self.game.terminal(position)?.before();
            if self.agent.proven {
                result.proven = Some(over);
            }
            Some(over)
        });
        let rollouts = self.agent.rollouts as f32;
        if let Some(wdl) = known {
            let points = self.points_for(Some(wdl), depth);
            result.points = points.map(|points| points * rollouts);
            return result;
        }
        for _ in 0..self.agent.rollouts {
            let (wdl, plies) = outcome(self.game, position, self.agent.playouts.length, random);
            let points = self.points_for(wdl.map(Wdl::before), depth + plies);
            result.points[0] += points[0];
            result.points[1] += points[1];
        }
        result
    }

    /// For the one with this result and for the other.
    fn points_for(&self, wdl: Option<Wdl>, plies: u32) -> [f32; 2] {
        let Some(wdl) = wdl else {
            return [self.agent.playouts.cutoff as f32; 2];
        };
        let less = if self.agent.depth < 1.0 && wdl != Wdl::Draw {
            self.agent.depth.powi(plies as i32)
        } else {
            1.0
        };
        [wdl, wdl.before()].map(|wdl| (worth(wdl) * less) as f32)
    }

    /// Tells the nodes of the path, each from the view of the one who moved there.
    fn tell(&mut self, result: &Result) {
        let rollouts = self.agent.rollouts as f32;
        for (i, &node) in self.path.iter().rev().enumerate() {
            self.visits[node] += rollouts;
            self.points[node] += result.points[i % 2];
        }
        if let Some(wdl) = result.proven {
            self.prove(wdl);
        }
    }

    /// Passes a proven value of the leaf up the path as far as it proves more.
    fn prove(&mut self, leaf: Wdl) {
        let mut proven = leaf;
        for i in (0..self.path.len()).rev() {
            let node = self.path[i];
            if self.links[node].proven.is_none() {
                self.links[node].proven = Some(proven);
            }
            if i == 0 {
                return;
            }
            let parent = self.path[i - 1];
            // Worth for the one who moves at the parent: a win is enough, else all must be known.
            if proven != Wdl::Win {
                let children = self.children(parent);
                let known = self.links[children].iter().map(|link| link.proven);
                let Some(best) = known.collect::<Option<Vec<Wdl>>>() else {
                    if proven == Wdl::Loss {
                        self.avoid(node, parent);
                    }
                    return;
                };
                proven = best.into_iter().max().unwrap_or(proven);
            }
            proven = proven.before();
        }
    }

    /// A move that is known to lose is not looked at again.
    fn avoid(&mut self, node: usize, parent: usize) {
        if self.is_open(node) {
            self.points[node] = f32::NEG_INFINITY;
            self.options -= usize::from(parent == ROOT);
        }
    }

    /// Whether a node was neither dropped nor proven lost.
    fn is_open(&self, node: usize) -> bool {
        self.points[node] > f32::NEG_INFINITY
    }

    /// Whether the root is proven.
    pub(super) fn is_decided(&self) -> bool {
        self.links[ROOT].proven.is_some()
    }

    /// Options that were neither pruned nor proven lost.
    pub(super) fn options(&self) -> usize {
        self.options
    }

    /// Drops options that can no longer become the most visited one, with so many playouts left
    /// (expression 2); how many were dropped.
    pub(super) fn prune(&mut self, left: u64) -> usize {
        let children = self.children(ROOT);
        let open = children.clone().filter(|&node| self.is_open(node));
        let most = open.map(|node| self.visits[node]).fold(0.0, f32::max);
        let mut dropped = 0;
        for node in children {
            if self.is_open(node) && left as f32 + self.visits[node] < most {
                self.points[node] = f32::NEG_INFINITY;
                dropped += 1;
            }
        }
        self.options -= dropped;
        dropped
    }

    /// The number of the move to play: one that is proven to win, else the most visited of those that are
    /// not proven to lose, or of all if they are.
    pub(super) fn most_visited(&self) -> usize {
        let key = |node: usize| {
            let rank = match self.links[node].proven {
                Some(Wdl::Win) => 2,
                Some(Wdl::Loss) => 0,
                _ => 1,
            };
            (rank, self.visits[node])
        };
        let children = self.children(ROOT);
        let first = children.start;
        let better = |best: usize, node: usize| if key(node) > key(best) { node } else { best };
        children.fold(first, better) - first
    }
}
