//! Solves from the large sets down, with all layers kept.

use hindsight_core::{Symmetry, Tiers};
use hindsight_engine::{Limits, MemoryStore, StrongSolution};
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};
use hindsight_solve::pawn_pairs;
use hindsight_solve::tiered::TierPlan;

use crate::step_monitor::{StepFn, StepMonitor};
use hindsight_study::game_of;

/// Game with the values of all its positions.
pub(super) struct TopDownSolution {
    pub(super) game: Quoridor,
    pub(super) solution: StrongSolution,
    pub(super) layers: MemoryStore,
}

/// Returns the plan of tiers. `None` if listing the tiers may exceed the time limit, or if 64 bits
/// cannot number all tiers.
pub(super) fn plan_within_limits(game: &Quoridor, limits: Limits) -> Option<TierPlan> {
    /// Approximate number of sets of fences listed per second.
    const SETS_PER_SECOND: f64 = 5e7;
    if !game.ranks_fit() {
        return None;
    }
    let setup = game.setup();
    let anchors = u64::from(setup.width - 1) * u64::from(setup.height - 1);
    let sets = (0..game.layers())
        .map(|placed| hindsight_core::combinatorics::binomial(2 * anchors, placed.into()));
    let sets: f64 = sets.map(|n| n.map_or(f64::INFINITY, |n| n as f64)).sum();
    let seconds = limits.time.map_or(f64::INFINITY, |time| time.as_secs_f64());
    (sets / SETS_PER_SECOND <= seconds).then(|| TierPlan::new(&game_of(&setup.spec())))
}

/// Solves a game from the large sets down. Returns `None` if a limit was reached, or the study was
/// stopped.
pub(super) fn solve_top_down(
    setup: QuoridorSetup,
    limits: Limits,
    on_step: &mut StepFn<'_>,
) -> Option<TopDownSolution> {
    if !on_step(&setup.spec()) {
        return None;
    }
    let game = Quoridor::new(setup, Symmetry::None);
    let plan = plan_within_limits(&game, limits)?;
    // A byte per rank for the layers, which are all kept.
    if plan.ranks() + plan.peak() > limits.memory {
        return None;
    }
    let mut layers = MemoryStore::default();
    let mut monitor = StepMonitor::new(on_step);
    let solution =
        pawn_pairs::solve(&game_of(&setup.spec()), &plan, &mut layers, limits, &mut monitor)
            .ok()?;
    Some(TopDownSolution { game, solution, layers })
}
