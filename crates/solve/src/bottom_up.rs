//! Every position of a game from its reduced versions up: the direction of S. Ikeda et al., "An analysis
//! of Quoridor by reusing results from the reduced version" (2024).
//!
//! The set S_k is the last k + 1 layers of the numbering; in Quoridor, the positions with at most k
//! fences on the board. The layer S'_k that it adds is solved in itself, since its moves lead out of S_k.
//! Then for j = k - 1 down to 0 the tiers of S'_j whose exits, the moves out of the tier, changed their
//! worth are solved again, and what they change is counted; the values of all others are kept. In S_k a
//! move out of S_k does not count; a position with no other move is a draw.
//!
//! The last set is the whole game, so its values are those of [`crate::tiered::solve`], which begins
//! at the other end and solves every tier once. This solver does more work and keeps every layer, a byte
//! a rank, with a copy of the one or two that are compared. It is here for what it counts.

use hindsight_core::{PawnPairs, Ranked, Retro, Value};
use hindsight_run::{Budget, Error, Histogram, Layer, Limits, Monitor, Palette, Progress};
use rayon::prelude::*;

use crate::pawn_pairs;
use crate::solve_layer::SolveLayer;
use crate::tiered::{TierByTier, TierPlan};

/// The solutions of all sets S_k.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BottomUpSolution {
    /// The layers of the whole game: S'_0 first.
    pub layers: Vec<Layer>,
    /// The sets, S_0 first.
    pub sets: Vec<BottomUpSet>,
}

/// What was found when a layer S'_k was added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BottomUpSet {
    /// The value of the start in S_k; `None` if it is no position of S_k.
    pub start: Option<Value>,
    /// What was solved to add S'_k.
    pub added: TierTotals,
    /// Its positions by their value in S_k, with every copy of a tier.
    pub histogram: Histogram,
    /// What changed in S'_j from the solution of S_(k-1) to that of S_k: S'_0 first.
    pub changes: Vec<LayerChange>,
}

/// A part of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TierTotals {
    /// Tiers, one for all of its copies.
    pub tiers: u64,
    /// Their positions, with every copy.
    pub positions: u64,
}

/// What the next set changed in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerChange {
    /// The layer.
    pub total: TierTotals,
    /// The tiers that were solved again: the value of an exit had changed, at a position that is not
    /// over or won in one ply. [`solve`] looks closer than [`solve_pairs`] and may solve fewer.
    pub solved_again: TierTotals,
    /// Positions whose win, draw or loss changed.
    pub wdl_changed: u64,
    /// Positions whose value changed, remoteness included.
    pub value_changed: u64,
}

/// Solves the sets S_0, S_1, .. of any game, to the values of [`crate::tiered::solve`].
///
/// # Errors
/// As there.
pub fn solve<G: Retro>(
    game: &G,
    plan: &TierPlan,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<BottomUpSolution, Error> {
    let solver = TierByTier::new(game, true);
    solve_sets(game, plan, &solver, limits, monitor)
}

/// The same with the solver of [`crate::pairs`], many times faster.
///
/// # Errors
/// As there.
pub fn solve_pawn_pairs<G: PawnPairs>(
    game: &G,
    plan: &TierPlan,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<BottomUpSolution, Error> {
    let symmetries = game.symmetries();
    let solver = pawn_pairs::layer_solver(game, &symmetries);
    solve_sets(game, plan, &*solver, limits, monitor)
}

fn solve_sets<G: Ranked>(
    game: &G,
    plan: &TierPlan,
    solver: &dyn SolveLayer,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<BottomUpSolution, Error> {
    plan.check_bottom_up(limits.memory)?;
    let mut sets = BottomUpRun {
        game,
        plan,
        solver,
        budget: Budget::new(limits, monitor),
        start: game.rank(game.start()).expect("the start has a rank"),
        layers: Vec::new(),
        done: 0,
    };
    let found = (0..game.layers()).rev().map(|layer| sets.add_layer(layer));
    Ok(BottomUpSolution {
        sets: found.collect::<Result<_, _>>()?,
        layers: sets.layers,
    })
}

/// The solution of the set so far.
struct BottomUpRun<'a, G> {
    game: &'a G,
    plan: &'a TierPlan,
    solver: &'a dyn SolveLayer,
    budget: Budget<'a>,
    start: (u64, u64),
    /// S'_0 first.
    layers: Vec<Layer>,
    /// Ranks of these.
    done: u64,
}

impl<G: Ranked> BottomUpRun<'_, G> {
    /// Adds a layer and passes on what it changes.
    fn add_layer(&mut self, layer: u32) -> Result<BottomUpSet, Error> {
        let mut added = Layer::unsolved(self.game, layer, self.plan.tiers(layer));
        let all = self.solve_layer(&mut added, None, &[])?;
        let histogram = added.histogram(self.game);
        let added_size = totals(self.game, &added, &all);
        self.done += added.codes.len() as u64;
        self.layers.push(added);
        let mut changes = self.solve_changed(layer)?;
        changes.reverse();
        let (tier, rank) = self.start;
        Ok(BottomUpSet {
            start: self.layers.iter().find_map(|l| l.value(tier, rank)),
            added: added_size,
            histogram,
            changes,
        })
    }

    /// Solves again what changed by the layer that was added last; the layers nearest to it first.
    fn solve_changed(&mut self, added: u32) -> Result<Vec<LayerChange>, Error> {
        let mut changes = Vec::new();
        // Layers as they were before, as long as others look them up.
        let mut then: Vec<Layer> = Vec::new();
        let mut changed = vec![added];
        let mut layers = std::mem::take(&mut self.layers);
        for j in (0..layers.len() - 1).rev() {
            let (own, now) = layers.split_at_mut(j + 1);
            let layer = &mut own[j];
            let looks_up = self.game.layer_successors(layer.layer);
            let earlier = layer.clone();
            let again = if looks_up.iter().any(|layer| changed.contains(layer)) {
                self.solve_layer(layer, Some(&then), now)?
            } else {
                vec![false; layer.tiers.len()]
            };
            let change = count_changes(self.game, &earlier, layer, &again);
            if change.value_changed > 0 {
                changed.push(layer.layer);
            }
            changes.push(change);
            then.push(earlier);
            then.retain(|kept| self.plan.last_use(kept.layer) > layer.layer);
        }
        self.layers = layers;
        Ok(changes)
    }

    fn solve_layer(
        &mut self,
        layer: &mut Layer,
        then: Option<&[Layer]>,
        now: &[Layer],
    ) -> Result<Vec<bool>, Error> {
        let done = self.done;
        let total = Some(self.plan.ranks());
        let phase = if then.is_some() {
            "passing on"
        } else {
            "solving"
        };
        self.solver.solve(layer, then, now, &mut |_, part| {
            let done = if then.is_some() { done } else { done + part };
            self.budget
                .check(Progress { phase, done, total }, done, 0, 0)
        })
    }
}

/// The positions of a tier of a layer, every copy counted, whose code is `wanted`.
fn count_ranks<G: Ranked>(
    game: &G,
    layer: &Layer,
    i: usize,
    wanted: impl Fn(usize) -> bool,
) -> u64 {
    let from = layer.starts[i] as usize..layer.starts[i + 1] as usize;
    game.tier_orbit_size(layer.tiers[i]) * from.filter(|&at| wanted(at)).count() as u64
}

fn is_position(layer: &Layer, at: usize) -> bool {
    layer.palette[usize::from(layer.codes[at])].is_some()
}

/// The size of the tiers that are marked.
fn totals<G: Ranked>(game: &G, layer: &Layer, marked: &[bool]) -> TierTotals {
    let tiers = (0..marked.len()).into_par_iter().filter(|&i| marked[i]);
    TierTotals {
        tiers: tiers.clone().count() as u64,
        positions: tiers
            .map(|i| count_ranks(game, layer, i, |at| is_position(layer, at)))
            .sum(),
    }
}

fn count_changes<G: Ranked>(game: &G, then: &Layer, now: &Layer, again: &[bool]) -> LayerChange {
    let marked = (0..again.len()).into_par_iter().filter(|&i| again[i]);
    // Palettes only grow, so that of `now` has the meaning of all codes.
    let differ = |palette: &Palette, at: usize, by: fn(Value) -> Value| {
        let [then, now] = [then.codes[at], now.codes[at]].map(|code| palette[usize::from(code)]);
        then.map(by) != now.map(by)
    };
    let counted = |by: fn(Value) -> Value| {
        let each = marked.clone();
        each.map(|i| count_ranks(game, now, i, |at| differ(&now.palette, at, by)))
            .sum()
    };
    LayerChange {
        total: totals(game, now, &vec![true; again.len()]),
        solved_again: totals(game, now, again),
        wdl_changed: counted(|value| Value::terminal(value.wdl())),
        value_changed: counted(|value| value),
    }
}
