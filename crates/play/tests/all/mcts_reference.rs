//! Monte Carlo tree search compared with a slow reference.

use hindsight_core::{Game, Notation, Packed, PackedGame, Random, Wdl};
use hindsight_play::{Mcts, MoveBudget, PlayoutSettings, PruneInterval, SeededRandom};

use crate::{SPECS, choose, named};

/// Reference search: the algorithm of the thesis, node by node, without optimisation.
struct ReferenceMcts<'a> {
    game: &'a PackedGame,
    agent: Mcts,
}

struct ReferenceNode {
    position: Packed,
    visits: f32,
    points: f32,
    children: Vec<ReferenceNode>,
    pruned: bool,
}

impl ReferenceMcts<'_> {
    fn choose(
        &self,
        at: Packed,
        playouts: u64,
        interval: u64,
        random: &mut SeededRandom,
    ) -> (usize, u64) {
        let mut root = self.node(at);
        let mut next = Vec::new();
        self.game.successors(at, &mut next);
        let options = next.len();
        let (mut done, mut cycles) = (0, 0);
        while done < playouts {
            self.cycle(&mut root, &next, 0, random);
            done += u64::from(self.agent.playouts_per_cycle);
            cycles += 1;
            if self.agent.prune.is_some() && cycles % interval == 0 {
                let left = playouts.saturating_sub(done) as f32;
                let most_visits = root.children.iter().map(|node| node.visits).fold(0.0, f32::max);
                let mut kept = options - root.children.len();
                for node in &mut root.children {
                    node.pruned |= left + node.visits < most_visits;
                    kept += usize::from(!node.pruned);
                }
                // Moves never visited cannot become the most visited one either.
                if most_visits > left {
                    kept -= options - root.children.len();
                }
                if kept == 1 {
                    break;
                }
            }
        }
        let most_visits = root.children.iter().map(|node| node.visits).fold(0.0, f32::max);
        let first = root.children.iter().position(|node| node.visits == most_visits);
        (first.unwrap(), done)
    }

    fn node(&self, position: Packed) -> ReferenceNode {
        ReferenceNode { position, visits: 0.0, points: 0.0, children: Vec::new(), pruned: false }
    }

    /// Makes a cycle from a node.
    ///
    /// Returns the points of the side that moved to the node, and of the other.
    fn cycle(
        &self,
        node: &mut ReferenceNode,
        next: &[Packed],
        depth: i32,
        random: &mut SeededRandom,
    ) -> [f32; 2] {
        let points = if next.is_empty() {
            let wdl = self.game.terminal(node.position).unwrap();
            self.points(Some(wdl.before()), depth)
                .map(|points| points * self.agent.playouts_per_cycle as f32)
        } else {
            let number = if node.children.len() < next.len() {
                node.children.push(self.node(next[node.children.len()]));
                node.children.len() - 1
            } else {
                self.select(node)
            };
            let child = &mut node.children[number];
            let [theirs, mine] = if child.visits == 0.0 {
                let points = self.simulate(child.position, depth + 1, random);
                child.visits += self.agent.playouts_per_cycle as f32;
                child.points += points[0];
                points
            } else {
                let mut after = Vec::new();
                self.game.successors(child.position, &mut after);
                self.cycle(child, &after, depth + 1, random)
            };
            [mine, theirs]
        };
        node.visits += self.agent.playouts_per_cycle as f32;
        node.points += points[0];
        points
    }

    fn select(&self, node: &ReferenceNode) -> usize {
        let value = |child: &ReferenceNode| {
            if child.pruned {
                return f32::NEG_INFINITY;
            }
            child.points / child.visits
                + self.agent.exploration as f32 * node.visits.ln().sqrt() / child.visits.sqrt()
        };
        let best = node.children.iter().map(value).fold(f32::NEG_INFINITY, f32::max);
        node.children.iter().position(|child| value(child) == best).unwrap()
    }

    fn simulate(&self, position: Packed, depth: i32, random: &mut SeededRandom) -> [f32; 2] {
        let playouts = self.agent.playouts_per_cycle as f32;
        if let Some(wdl) = self.game.terminal(position) {
            return self.points(Some(wdl.before()), depth).map(|points| points * playouts);
        }
        let mut sum = [0.0; 2];
        for _ in 0..self.agent.playouts_per_cycle {
            let (mut at, mut plies) = (position, 0);
            let (last, played) = self.game.random_playout(at, self.agent.playout.max_plies, random);
            (at, plies) = (last, plies + played);
            let wdl = self.game.terminal(at);
            let for_mover = wdl.map(|wdl| if plies % 2 == 0 { wdl.before() } else { wdl });
            let points = self.points(for_mover, depth + plies as i32);
            sum = [sum[0] + points[0], sum[1] + points[1]];
        }
        sum
    }

    fn points(&self, wdl: Option<Wdl>, plies: i32) -> [f32; 2] {
        let discount = self.agent.depth_discount.powi(plies);
        match wdl {
            None => [self.agent.playout.cutoff_points as f32; 2],
            Some(Wdl::Draw) => [0.5; 2],
            Some(Wdl::Win) => [discount as f32, 0.0],
            Some(Wdl::Loss) => [0.0, discount as f32],
        }
    }
}

fn compare_with_reference(game: &PackedGame) {
    let mut random = SeededRandom::new(&[17]);
    for number in 0..30 {
        let (at, _) = game.random_playout(game.start(), random.below(6), &mut random);
        if game.terminal(at).is_some() {
            continue;
        }
        let agent = Mcts {
            budget: MoveBudget::Playouts(240),
            exploration: [0.0, 0.2, 0.4, 1.4][number % 4],
            playouts_per_cycle: [1, 3][number / 4 % 2],
            prune: [None, Some(PruneInterval::Cycles(7)), Some(PruneInterval::Percent(10.0))]
                [number % 3],
            depth_discount: [1.0, 0.9][number / 8 % 2],
            playout: PlayoutSettings { max_plies: 40, cutoff_points: -0.05 },
            prove_values: false,
        };
        let interval = match agent.prune {
            Some(PruneInterval::Cycles(n)) => n,
            _ => 240 / u64::from(agent.playouts_per_cycle) / 10,
        };
        let reference = ReferenceMcts { game, agent };
        let (expected, work) =
            reference.choose(at, 240, interval, &mut SeededRandom::new(&[number as u64]));
        let chosen = choose(game, agent, at, number as u64);
        let mut moves = Vec::new();
        game.moves(at, &mut moves);
        if moves.len() > 1 {
            assert_eq!(
                (chosen.mv, chosen.work),
                (moves[expected], work),
                "{} {agent:?}",
                game.spec()
            );
        }
    }
}

#[test]
fn the_tree_agrees_with_the_reference() {
    for spec in SPECS.into_iter().chain(["onitama:5x5:boar,ox,elephant,horse,crab"]) {
        compare_with_reference(&named(spec));
    }
}
