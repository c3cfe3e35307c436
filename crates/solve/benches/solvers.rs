//! `cargo bench -p solve`: the two solvers on boards of the thesis. Every bench checks its answer.

use divan::Bencher;
use hindsight_core::{Game, Notation, Symmetry, Value, Wdl};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_solve::forward::{ForwardVariant, MoveOrder};
use hindsight_solve::{Limits, NoMonitor, forward, graph};

fn main() {
    divan::main();
}

struct Graph<'a, 'b>(Bencher<'a, 'b>, u64, Value);

impl Visitor for Graph<'_, '_> {
    type Output = ();

    fn visit<G: Game + Notation>(self, game: G) {
        let Self(bencher, positions, value) = self;
        bencher.bench_local(|| {
            let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("no limit");
            assert_eq!(
                (solved.summary().positions, solved.value(0)),
                (positions, value)
            );
        });
    }
}

#[divan::bench(args = [("onitama:3x3:boar", 59_666, Value::Loss(6)), ("onitama:3x4:boar", 431_793, Value::Win(21))])]
fn graph_solver(bencher: Bencher<'_, '_>, (spec, positions, value): (&str, u64, Value)) {
    by_name(spec, &Setup::default(), Graph(bencher, positions, value)).expect("a spec");
}

struct Forward<'a, 'b>(Bencher<'a, 'b>, u64, Wdl);

impl Visitor for Forward<'_, '_> {
    type Output = ();

    fn visit<G: Game + Notation>(self, game: G) {
        let Self(bencher, positions, wdl) = self;
        bencher.bench_local(|| {
            let way = ForwardVariant::Best(MoveOrder::FewestReplies);
            let solved =
                forward::solve(&game, way, Limits::default(), &mut NoMonitor).expect("no limit");
            assert_eq!(
                (solved.summary().positions, solved.start()),
                (positions, wdl)
            );
        });
    }
}

#[divan::bench(args = [("onitama:4x3:boar", 798, Wdl::Loss), ("onitama:3x4:boar", 23_926, Wdl::Win)])]
fn forward_solver(bencher: Bencher<'_, '_>, (spec, positions, wdl): (&str, u64, Wdl)) {
    let setup = Setup {
        symmetry: Symmetry::Swap,
        ..Setup::default()
    };
    by_name(spec, &setup, Forward(bencher, positions, wdl)).expect("a spec");
}
