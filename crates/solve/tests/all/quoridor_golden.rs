//! Every position of Quoridor: a second program's counts by fences on the board, value and plies.

use std::collections::BTreeMap;

use hindsight_core::{PackedGame, Tiers, Value};
use hindsight_engine::{
    Error, Histogram, Limits, MemoryStore, Monitor, NoMonitor, Store, StrongSolution,
};
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{pawn_pairs, tiered};
use hindsight_testkit::golden;

use crate::game;

/// Positions of each value by fences on the board, and the value of the start.
type CountsByFences = (BTreeMap<u32, Vec<(Value, u64)>>, Value);

const SECOND_PROGRAM: &str = include_str!("../../../../golden/quoridor_second_program.csv");
const TWO_WIDE: &str = include_str!("../../../../golden/quoridor_two_wide.csv");

/// Counts of the second program by spec.
fn second_program(text: &str) -> BTreeMap<String, CountsByFences> {
    let mut histograms: BTreeMap<String, BTreeMap<u32, Histogram>> = BTreeMap::new();
    let mut starts = BTreeMap::new();
    for row in golden(text).expect("a golden file") {
        let plies = || row[3].parse().expect("plies");
        let value = match row[2] {
            "win" => Value::Win(plies()),
            "loss" => Value::Loss(plies()),
            _ => Value::Draw,
        };
        let spec = row[0].to_string();
        if row[1] == "start" {
            starts.insert(spec, value);
        } else {
            let layers = histograms.entry(spec).or_default();
            let layer = layers.entry(row[1].parse().expect("a number of fences"));
            let positions = row[4].parse().expect("a number of positions");
            layer.or_default().add(value, positions);
        }
    }
    let rows = |layers: BTreeMap<u32, Histogram>| {
        let rows = layers.into_iter();
        rows.map(|(placed, histogram)| (placed, histogram.rows())).collect()
    };
    let specs = histograms.into_iter();
    specs
        .map(|(spec, layers)| {
            let start = starts[&spec];
            (spec, (rows(layers), start))
        })
        .collect()
}

/// Solver of every position: [`pawn_pairs::solve`] or [`tiered::solve`].
type Solver = fn(
    &PackedGame,
    &TierPlan,
    &mut dyn Store,
    Limits,
    &mut dyn Monitor,
) -> Result<StrongSolution, Error>;

fn counts(spec: &str, solve: Solver) -> CountsByFences {
    let game = game(spec);
    let plan = TierPlan::new(&game);
    let mut kept = MemoryStore::default();
    let solved = solve(&game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
    let start = solved.expect("a solve without limits").start;
    let last = game.layers() - 1;
    let layers = kept.0.iter();
    let counts = layers.map(|layer| (last - layer.layer, layer.histogram(&game).rows()));
    (counts.collect(), start)
}

fn agrees(solve: Solver, most: u64) {
    let theirs = second_program(SECOND_PROGRAM).into_iter();
    for (spec, theirs) in theirs.chain(second_program(TWO_WIDE)) {
        let layers = theirs.0.values().flatten();
        if layers.map(|(_, positions)| positions).sum::<u64>() <= most {
            assert_eq!(counts(&spec, solve), theirs, "{spec}");
        }
    }
}

#[test]
fn pairs_count_as_a_second_program() {
    agrees(pawn_pairs::solve, u64::MAX);
}

#[test]
fn tiers_count_as_a_second_program() {
    agrees(tiered::solve, 600_000);
}
