use std::time::Instant;

use hindsight_engine::NullStore;
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{graph, pawn_pairs, tiered};

use super::partitions::{all_positions, at_once_by_fences};
use super::sets::positions_solved;
use super::study::QuoridorStudy;
use super::table::{QuoridorPaperTable, TableCells};
use crate::step_monitor::{StepFn, StepMonitor};
use hindsight_study::{Cell, game_of};

/// Cost of solving the game in one way. Fields are `None` if the solve was not run or reached a
/// limit.
#[derive(Default)]
struct SolveCost {
    /// Positions held at the same time.
    at_once: Option<u64>,
    /// Positions solved; each further solve of a position counts again.
    solved: Option<u64>,
    /// Memory in bytes.
    bytes: Option<u64>,
    /// Run time in seconds.
    seconds: Option<f64>,
}

pub(super) fn cells(study: &QuoridorStudy<'_>, on_step: &mut StepFn<'_>) -> Vec<Cell> {
    let rows = [
        ("one piece: graph", graph_cost(study, on_step)),
        ("one piece: ranks", ranks_cost(study)),
        ("split, down: tiers", top_down_cost(study, on_step, TopDownSolver::Tiers)),
        ("split, down: pairs", top_down_cost(study, on_step, TopDownSolver::PawnPairs)),
        ("split, up: pairs", bottom_up_cost(study)),
    ];
    let mut cells = TableCells::new(QuoridorPaperTable::Cost);
    for (row, cost) in rows {
        cells.add(row, "at once", cost.at_once);
        cells.add(row, "solved", cost.solved);
        cells.add(row, "bytes", cost.bytes);
        if row != "one piece: ranks" {
            cells.add(row, "seconds", cost.seconds.map(|s| format!("{s:.4}")));
        }
    }
    cells.cells
}

/// Returns the cost of a graph of the reachable positions.
fn graph_cost(study: &QuoridorStudy<'_>, on_step: &mut StepFn<'_>) -> SolveCost {
    let begin = Instant::now();
    if !on_step("one piece, as a graph") {
        return SolveCost::default();
    }
    let Ok(solved) =
        graph::solve(&game_of(&study.setup.spec()), study.limits, &mut StepMonitor::new(on_step))
    else {
        return SolveCost::default();
    };
    let seconds = begin.elapsed().as_secs_f64();
    let bottom_up_start = study.bottom_up.as_ref().and_then(|o| o.sets.last()?.start);
    assert!(
        bottom_up_start.is_none_or(|start| start == solved.value(0)),
        "solvers agree on {}",
        study.setup.spec()
    );
    let positions = solved.summary().positions;
    SolveCost {
        at_once: Some(positions),
        solved: Some(positions),
        bytes: Some(solved.peak()),
        seconds: Some(seconds),
    }
}

/// Returns the cost of all ranks as one tier, at two bytes per rank: the value and the number of
/// moves. The solve is not run.
fn ranks_cost(study: &QuoridorStudy<'_>) -> SolveCost {
    let all = all_positions(study);
    SolveCost {
        at_once: all,
        solved: all,
        bytes: study.plan.as_ref().map(|plan| 2 * plan.ranks()),
        seconds: None,
    }
}

/// Solver from the large sets down.
#[derive(Clone, Copy)]
enum TopDownSolver {
    Tiers,
    PawnPairs,
}

/// Returns the cost of solving every tier once, from the most fences down.
fn top_down_cost(
    study: &QuoridorStudy<'_>,
    on_step: &mut StepFn<'_>,
    solver: TopDownSolver,
) -> SolveCost {
    let step = match solver {
        TopDownSolver::Tiers => "from the large sets down, tier by tier",
        TopDownSolver::PawnPairs => "from the large sets down, in rows of bits",
    };
    let Some(plan) = study.plan.as_ref().filter(|_| on_step(step)) else {
        return SolveCost::default();
    };
    let (game, limits) = (&game_of(&study.setup.spec()), study.limits);
    let begin = Instant::now();
    let mut monitor = StepMonitor::new(on_step);
    let solved = match solver {
        TopDownSolver::Tiers => tiered::solve(game, plan, &mut NullStore, limits, &mut monitor),
        TopDownSolver::PawnPairs => {
            pawn_pairs::solve(game, plan, &mut NullStore, limits, &mut monitor)
        }
    };
    let Ok(solved) = solved else {
        return SolveCost::default();
    };
    SolveCost {
        at_once: at_once_by_fences(study),
        solved: Some(solved.summary.positions),
        bytes: Some(plan.peak()),
        seconds: Some(begin.elapsed().as_secs_f64()),
    }
}

/// Returns the cost of solving from the fewest fences up, with every layer kept.
fn bottom_up_cost(study: &QuoridorStudy<'_>) -> SolveCost {
    let bottom_up = study.bottom_up.as_ref();
    let plan = study.plan.as_ref().filter(|_| bottom_up.is_some());
    SolveCost {
        at_once: all_positions(study),
        solved: bottom_up.map(|bottom_up| positions_solved(&bottom_up.sets)),
        bytes: plan.map(TierPlan::peak_bottom_up),
        seconds: study.bottom_up_seconds.filter(|_| bottom_up.is_some()),
    }
}
