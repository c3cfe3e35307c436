use std::time::Instant;

use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{NullStore, graph, pawn_pairs, tiered};

use super::{Cells, Found, Table, Watch, partitions, sets};
use crate::report::Cell;
use crate::stop::Stop;

/// What a way to solve the game took.
#[derive(Default)]
struct Cost {
    at_once: Option<u64>,
    solved: Option<u64>,
    bytes: Option<u64>,
    seconds: Option<f64>,
}

pub(super) fn cells(found: &Found<'_>, watch: &mut Watch<'_>) -> Vec<Cell> {
    let rows = [
        ("one piece: graph", graph_cost(found, watch)),
        ("one piece: ranks", ranks_cost(found)),
        ("split, down: tiers", down(found, watch, Way::Tiers)),
        ("split, down: pairs", down(found, watch, Way::Pairs)),
        ("split, up: pairs", up(found)),
    ];
    let mut cells = Cells::new(Table::Cost);
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

/// Reachable positions only.
fn graph_cost(found: &Found<'_>, watch: &mut Watch<'_>) -> Cost {
    let begin = Instant::now();
    if !watch("one piece, as a graph") {
        return Cost::default();
    }
    let Ok(solved) = graph::solve(found.game, found.limits, &mut Stop::new(watch)) else {
        return Cost::default();
    };
    let seconds = begin.elapsed().as_secs_f64();
    let whole = found.outcome.as_ref().and_then(|o| o.sets.last()?.start);
    assert!(
        whole.is_none_or(|start| start == solved.value(0)),
        "solvers agree on {}",
        found.setup.spec()
    );
    let positions = solved.summary().positions;
    Cost {
        at_once: Some(positions),
        solved: Some(positions),
        bytes: Some(solved.peak()),
        seconds: Some(seconds),
    }
}

/// All ranks as one tier: the value and the count of moves, a byte each.
fn ranks_cost(found: &Found<'_>) -> Cost {
    let all = partitions::all(found);
    Cost {
        at_once: all,
        solved: all,
        bytes: found.plan.as_ref().map(|plan| 2 * plan.ranks()),
        seconds: None,
    }
}

#[derive(Clone, Copy)]
enum Way {
    Tiers,
    Pairs,
}

/// From the most fences down; every tier once.
fn down(found: &Found<'_>, watch: &mut Watch<'_>, way: Way) -> Cost {
    let doing = match way {
        Way::Tiers => "from the large sets down, tier by tier",
        Way::Pairs => "from the large sets down, in rows of bits",
    };
    let Some(plan) = found.plan.as_ref().filter(|_| watch(doing)) else {
        return Cost::default();
    };
    let (game, limits) = (found.game, found.limits);
    let begin = Instant::now();
    let mut stop = Stop::new(watch);
    let solved = match way {
        Way::Tiers => tiered::solve(game, plan, &mut NullStore, limits, &mut stop),
        Way::Pairs => pawn_pairs::solve(game, plan, &mut NullStore, limits, &mut stop),
    };
    let Ok(solved) = solved else {
        return Cost::default();
    };
    Cost {
        at_once: partitions::at_once_by_fences(found),
        solved: Some(solved.summary.positions),
        bytes: Some(plan.peak()),
        seconds: Some(begin.elapsed().as_secs_f64()),
    }
}

/// From the fewest fences up; every layer is kept.
fn up(found: &Found<'_>) -> Cost {
    let outcome = found.outcome.as_ref();
    let plan = found.plan.as_ref().filter(|_| outcome.is_some());
    Cost {
        at_once: partitions::all(found),
        solved: outcome.map(|outcome| sets::solved(&outcome.sets)),
        bytes: plan.map(TierPlan::peak_bottom_up),
        seconds: found.seconds.filter(|_| outcome.is_some()),
    }
}
