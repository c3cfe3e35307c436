//! `cargo bench -p hindsight-solve`: two solvers on boards of the thesis. Every bench checks its
//! answer.

use std::fmt;

use divan::Bencher;
use hindsight_core::{Symmetry, Value, Wdl};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::forward::{ForwardVariant, MoveOrder};
use hindsight_solve::{forward, graph};

fn main() {
    divan::main();
}

/// A game with the result that the graph solver must find.
#[derive(Debug)]
struct GraphCase {
    spec: &'static str,
    positions: u64,
    value: Value,
}

const GRAPH_CASES: [GraphCase; 2] = [
    GraphCase { spec: "onitama:3x3:boar", positions: 59_666, value: Value::Loss(6) },
    GraphCase { spec: "onitama:3x4:boar", positions: 431_793, value: Value::Win(21) },
];

impl fmt::Display for GraphCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec)
    }
}

#[divan::bench(args = &GRAPH_CASES)]
fn graph_solver(bencher: Bencher<'_, '_>, case: &GraphCase) {
    let game = by_name(case.spec, &Setup::default()).expect("a spec");
    bencher.bench_local(|| {
        let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("no limit");
        assert_eq!((solved.summary().positions, solved.value(0)), (case.positions, case.value));
    });
}

/// A game with the result that the forward solver must find.
#[derive(Debug)]
struct ForwardCase {
    spec: &'static str,
    positions: u64,
    wdl: Wdl,
}

const FORWARD_CASES: [ForwardCase; 2] = [
    ForwardCase { spec: "onitama:4x3:boar", positions: 798, wdl: Wdl::Loss },
    ForwardCase { spec: "onitama:3x4:boar", positions: 23_926, wdl: Wdl::Win },
];

impl fmt::Display for ForwardCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec)
    }
}

#[divan::bench(args = &FORWARD_CASES)]
fn forward_solver(bencher: Bencher<'_, '_>, case: &ForwardCase) {
    let setup = Setup { symmetry: Symmetry::Swap, ..Setup::default() };
    let game = by_name(case.spec, &setup).expect("a spec");
    bencher.bench_local(|| {
        let variant = ForwardVariant::Best(MoveOrder::FewestReplies);
        let solved =
            forward::solve(&game, variant, Limits::default(), &mut NoMonitor).expect("no limit");
        assert_eq!((solved.summary().positions, solved.start()), (case.positions, case.wdl));
    });
}
