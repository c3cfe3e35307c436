//! Every position of a game from its reduced versions up, as S. Ikeda et al., "An analysis of
//! Quoridor by reusing results from the reduced version" (2024), suggest.
//!
//! Set S_k holds the last k + 1 layers of the numbering; in Quoridor, the positions with at most k
//! fences on the board. S_k consists of S_(k-1) and one more layer, S'_k. S'_k is solved by itself,
//! since its exits lead out of S_k. Then, for j = k - 1 down to 0, tiers of S'_j are solved again
//! if values of their exits changed. The changes are counted, and all other values are kept. In S_k
//! a move out of S_k does not count; a position without any other move is a draw.
//!
//! The last set is the whole game, so its values are those of [`tiered::solve`]. That solver
//! begins at the other end and solves every tier once. This solver works more and keeps every
//! layer, one byte per rank, with copies of the layers it compares. Its purpose is the counts of
//! changes.

use hindsight_core::{Game, PackedGame, Ranked, Tiers, Value, orbit_runs};
use hindsight_engine::{Budget, Error, Histogram, Layer, Limits, Monitor, Palette, Progress};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_solve::{SolveLayer, pawn_pairs};
use rayon::prelude::*;

/// Solutions of all sets S_k.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BottomUpSolution {
    /// Layers of the whole game, S'_0 first.
    pub layers: Vec<Layer>,
    /// Results for the sets, S_0 first.
    pub sets: Vec<BottomUpSet>,
}

/// Result of the step that adds layer S'_k.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BottomUpSet {
    /// Value of the start in S_k; `None` if the start is not in S_k.
    pub start: Option<Value>,
    /// Tiers solved to add S'_k.
    pub added: TierTotals,
    /// Positions of S'_k by their value in S_k, with every copy of a tier.
    pub histogram: Histogram,
    /// Changes from S_(k-1) to S_k in each earlier layer, S'_0 first.
    pub changes: Vec<LayerChange>,
}

/// Number of tiers and of their positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TierTotals {
    /// Tiers, where symmetric copies count once.
    pub tiers: u64,
    /// Positions, where every copy of a tier counts.
    pub positions: u64,
}

/// Changes in a layer made by the next set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerChange {
    /// The whole layer.
    pub total: TierTotals,
    /// Tiers that were solved again: an exit of an unsettled position has changed its value.
    /// Positions that are terminal or won in one ply are settled. [`solve`] compares more closely
    /// than [`solve_pawn_pairs`] and may solve fewer tiers again.
    pub solved_again: TierTotals,
    /// Positions whose win, draw or loss changed.
    pub wdl_changed: u64,
    /// Positions whose value changed, remoteness included.
    pub value_changed: u64,
}

/// Solves the sets S_0, S_1, .. of any game, to the values of [`tiered::solve`].
///
/// # Errors
/// Same as [`tiered::solve`].
pub fn solve(
    game: &PackedGame,
    plan: &TierPlan,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<BottomUpSolution, Error> {
    let solver = tiered::layer_solver(game);
    solve_sets(game, plan, &*solver, limits, monitor)
}

/// Same as [`solve`], with the solver of [`pawn_pairs`]: many times faster.
///
/// # Errors
/// Same as [`solve`].
pub fn solve_pawn_pairs(
    game: &PackedGame,
    plan: &TierPlan,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<BottomUpSolution, Error> {
    let solver = pawn_pairs::layer_solver(game);
    solve_sets(game, plan, &*solver, limits, monitor)
}

fn solve_sets(
    game: &PackedGame,
    plan: &TierPlan,
    solver: &dyn SolveLayer,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<BottomUpSolution, Error> {
    plan.check_peak(plan.peak_bottom_up(), limits.memory)?;
    let mut run = BottomUpRun {
        game,
        plan,
        solver,
        budget: Budget::new(limits, monitor),
        start: game.rank(game.start()).expect("the start has a rank"),
        layers: Vec::new(),
        done: 0,
    };
    let found = (0..game.layers()).rev().map(|layer| run.add_layer(layer));
    Ok(BottomUpSolution { sets: found.collect::<Result<_, _>>()?, layers: run.layers })
}

/// A bottom-up solve in progress, with the solution of the current set.
struct BottomUpRun<'a> {
    game: &'a PackedGame,
    plan: &'a TierPlan,
    solver: &'a dyn SolveLayer,
    budget: Budget<'a>,
    start: (u64, u64),
    /// Layers of the current set, S'_0 first.
    layers: Vec<Layer>,
    /// Ranks of `layers`, holes included.
    done: u64,
}

impl BottomUpRun<'_> {
    /// Adds a layer and propagates the changes.
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

    /// Solves changed tiers again after layer `added` was added. Goes from the nearest layer to
    /// S'_0 and returns the changes in that order.
    fn solve_changed(&mut self, added: u32) -> Result<Vec<LayerChange>, Error> {
        let mut changes = Vec::new();
        // Earlier values of layers, kept as long as other layers look them up.
        let mut previous: Vec<Layer> = Vec::new();
        let mut changed = vec![added];
        let mut layers = std::mem::take(&mut self.layers);
        for j in (0..layers.len() - 1).rev() {
            let (own, current) = layers.split_at_mut(j + 1);
            let layer = &mut own[j];
            let successors = self.game.layer_successors(layer.layer);
            let earlier = layer.clone();
            let again = if successors.iter().any(|layer| changed.contains(layer)) {
                self.solve_layer(layer, Some(&previous), current)?
            } else {
                vec![false; layer.tiers.len()]
            };
            let change = count_changes(self.game, &earlier, layer, &again);
            if change.value_changed > 0 {
                changed.push(layer.layer);
            }
            changes.push(change);
            previous.push(earlier);
            previous.retain(|kept| self.plan.last_use(kept.layer) > layer.layer);
        }
        self.layers = layers;
        Ok(changes)
    }

    fn solve_layer(
        &mut self,
        layer: &mut Layer,
        previous: Option<&[Layer]>,
        current: &[Layer],
    ) -> Result<Vec<bool>, Error> {
        let done = self.done;
        let total = Some(self.plan.ranks());
        let phase = if previous.is_some() { "passing on" } else { "solving" };
        self.solver.solve(layer, previous, current, &mut |_, layer_ranks| {
            let done = if previous.is_some() { done } else { done + layer_ranks };
            self.budget.check(Progress { phase, done, total }, done, 0, 0)
        })
    }
}

/// Counts the positions that some ranks of the `i`-th tier stand for: those whose index in the
/// layer's codes is `wanted`.
fn count_ranks(game: &PackedGame, layer: &Layer, i: usize, wanted: impl Fn(usize) -> bool) -> u64 {
    let start = layer.starts[i] as usize;
    let ranks = 0..layer.starts[i + 1] - layer.starts[i];
    let counted = orbit_runs(game, layer.tiers[i], ranks).map(|run| {
        let indices = start + run.ranks.start as usize..start + run.ranks.end as usize;
        run.orbit_size * indices.filter(|&index| wanted(index)).count() as u64
    });
    counted.sum()
}

fn is_position(layer: &Layer, index: usize) -> bool {
    layer.palette[usize::from(layer.codes[index])].is_some()
}

fn totals(game: &PackedGame, layer: &Layer, marked: &[bool]) -> TierTotals {
    let tiers = (0..marked.len()).into_par_iter().filter(|&i| marked[i]);
    TierTotals {
        tiers: tiers.clone().count() as u64,
        positions: tiers
            .map(|i| count_ranks(game, layer, i, |index| is_position(layer, index)))
            .sum(),
    }
}

fn count_changes(
    game: &PackedGame,
    previous: &Layer,
    current: &Layer,
    again: &[bool],
) -> LayerChange {
    let marked = (0..again.len()).into_par_iter().filter(|&i| again[i]);
    // Palettes only grow, so the palette of `current` explains the codes of both.
    let differ = |palette: &Palette, index: usize, by: fn(Value) -> Value| {
        let [previous, current] =
            [previous.codes[index], current.codes[index]].map(|code| palette[usize::from(code)]);
        previous.map(by) != current.map(by)
    };
    let counted = |by: fn(Value) -> Value| {
        let each = marked.clone();
        each.map(|i| count_ranks(game, current, i, |index| differ(&current.palette, index, by)))
            .sum()
    };
    LayerChange {
        total: totals(game, current, &vec![true; again.len()]),
        solved_again: totals(game, current, again),
        wdl_changed: counted(|value| Value::terminal(value.wdl())),
        value_changed: counted(|value| value),
    }
}
