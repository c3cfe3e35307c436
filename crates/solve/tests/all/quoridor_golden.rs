//! Every position of Quoridor: a second program's counts by fences on the board, value and plies.

use std::collections::BTreeMap;

use hindsight_core::{Notation, PawnPairs, Retro, Value};
use hindsight_report::golden;
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::{Histogram, Limits, MemoryStore, NoMonitor};
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{pawn_pairs, tiered};

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

#[derive(Clone, Copy)]
enum TestedSolver {
    Pairs,
    Tiered,
}

impl Visitor for TestedSolver {
    type Output = CountsByFences;

    fn visit<G: Notation>(self, game: G) -> CountsByFences {
        panic!("{} has no ranks", game.spec())
    }

    fn pawn_pairs<G: PawnPairs + Retro + Notation>(self, game: G) -> CountsByFences {
        let plan = TierPlan::new(&game);
        let mut kept = MemoryStore::default();
        let limits = Limits::default();
        let solved = match self {
            Self::Pairs => pawn_pairs::solve(&game, &plan, &mut kept, limits, &mut NoMonitor),
            Self::Tiered => tiered::solve(&game, &plan, &mut kept, limits, &mut NoMonitor),
        };
        let start = solved.expect("a solve without limits").start;
        let last = game.layers() - 1;
        let layers = kept.0.iter();
        let counts = layers.map(|layer| (last - layer.layer, layer.histogram(&game).rows()));
        (counts.collect(), start)
    }
}

fn agrees(solver: TestedSolver, most: u64) {
    let theirs = second_program(SECOND_PROGRAM).into_iter();
    for (spec, theirs) in theirs.chain(second_program(TWO_WIDE)) {
        let layers = theirs.0.values().flatten();
        if layers.map(|(_, positions)| positions).sum::<u64>() <= most {
            let ours = by_name(&spec, &Setup::default(), solver).expect("a spec");
            assert_eq!(ours, theirs, "{spec}");
        }
    }
}

#[test]
fn pairs_count_as_a_second_program() {
    agrees(TestedSolver::Pairs, u64::MAX);
}

#[test]
fn tiers_count_as_a_second_program() {
    agrees(TestedSolver::Tiered, 600_000);
}
