use std::time::{Duration, Instant};

use hindsight_core::{Symmetry, Value, Wdl};
use hindsight_engine::Limits;
use hindsight_rules::onitama::{Onitama, OnitamaSetup};
use hindsight_rules::{Setup, in_published_order};
use hindsight_solve::forward::{self, ForwardVariant};
use hindsight_solve::graph;

use super::table::ThesisTable;
use super::theorem::boards_reached;
use crate::step_monitor::{StepFn, StepMonitor};
use hindsight_study::{game_of, solve_starts};

/// Solutions of a board of `n` x `m` squares. A solve that was not needed, or reached a limit, is
/// `None`.
pub(super) struct BoardResults {
    pub(super) n: u8,
    pub(super) m: u8,
    pub(super) graph: Option<GraphResult>,
    /// Search in the move order of the thesis's program, without symmetry.
    pub(super) forward: Option<ForwardResult>,
    /// Search in the same move order, with player-swap symmetry.
    pub(super) symmetric: Option<ForwardResult>,
    /// Value of the start, by planes of all positions.
    pub(super) planes: Option<Value>,
}

/// Solution of the state graph.
pub(super) struct GraphResult {
    pub(super) states: u64,
    pub(super) edges: u64,
    pub(super) value: Value,
    pub(super) seconds: f64,
    pub(super) retrograde_seconds: f64,
    /// Text "reached of counted" for the boards of Theorem 1; `None` if not asked for, or if the
    /// theorem does not cover the board.
    pub(super) theorem: Option<String>,
}

/// Result of a forward-looking search.
pub(super) struct ForwardResult {
    pub(super) states: u64,
    pub(super) start: Wdl,
    pub(super) seconds: f64,
}

impl BoardResults {
    /// Returns the value of the start, if a solve that finds it finished.
    ///
    /// # Panics
    /// If two solvers disagree.
    pub(super) fn value(&self) -> Option<Value> {
        let by_graph = self.graph.as_ref().map(|graph| graph.value);
        if let (Some(graph), Some(planes)) = (by_graph, self.planes) {
            assert_eq!(graph, planes, "solvers agree on {}x{}", self.n, self.m);
        }
        by_graph.or(self.planes)
    }

    /// Returns the winner, if any solve finished. Red begins, since all cards are boars.
    ///
    /// # Panics
    /// If two solvers disagree.
    pub(super) fn winner(&self) -> Option<String> {
        let winners = [
            self.graph.as_ref().map(|graph| graph.value.wdl()),
            self.forward.as_ref().map(|search| search.start),
            self.symmetric.as_ref().map(|search| search.start),
            self.planes.map(Value::wdl),
        ];
        let mut winners = winners.into_iter().flatten();
        let wdl = winners.next()?;
        assert!(winners.all(|other| other == wdl), "solvers agree on {}x{}", self.n, self.m);
        let name = match wdl {
            Wdl::Win => "Red",
            Wdl::Loss => "Blue",
            Wdl::Draw => "Draw",
        };
        Some(name.to_string())
    }
}

/// Solves that the selected tables need.
pub(super) struct SolvesNeeded {
    graph: bool,
    forward: bool,
    symmetric: bool,
    planes: bool,
    theorem: bool,
}

impl SolvesNeeded {
    pub(super) fn for_tables(tables: &[ThesisTable]) -> Self {
        let any =
            |candidates: &[ThesisTable]| candidates.iter().any(|table| tables.contains(table));
        Self {
            graph: any(&[
                ThesisTable::GraphTime,
                ThesisTable::RetrogradeTime,
                ThesisTable::States,
                ThesisTable::Edges,
                ThesisTable::Theorem1,
                ThesisTable::Remoteness,
            ]),
            forward: any(&[ThesisTable::ForwardTime, ThesisTable::ForwardStates]),
            symmetric: any(&[ThesisTable::SymmetricTime, ThesisTable::SymmetricStates]),
            planes: any(&[ThesisTable::Winner, ThesisTable::Remoteness]),
            theorem: any(&[ThesisTable::Theorem1]),
        }
    }
}

/// Runs the solves that are needed for the boards up to 5 x 5, row by row.
pub(super) fn solve_all(
    needs: &SolvesNeeded,
    limits: Limits,
    on_step: &mut StepFn<'_>,
) -> Vec<BoardResults> {
    let mut boards = Vec::new();
    for m in 2..=5 {
        for n in 1..=5 {
            let spec = format!("onitama:{n}x{m}:boar");
            let mut board =
                BoardResults { n, m, graph: None, forward: None, symmetric: None, planes: None };
            if needs.graph && on_step(&format!("{spec}, state graph")) {
                let theorem = needs.theorem.then_some([n, m].map(usize::from));
                board.graph = solve_graph(&spec, theorem, limits, on_step);
            }
            if needs.forward && on_step(&format!("{spec}, forward")) {
                board.forward = solve_forward(
                    &spec,
                    Symmetry::None,
                    ForwardVariant::ThesisProgram,
                    limits,
                    on_step,
                );
            }
            if needs.symmetric && on_step(&format!("{spec}, forward with symmetry")) {
                board.symmetric = solve_forward(
                    &spec,
                    Symmetry::Swap,
                    ForwardVariant::ThesisProgram,
                    limits,
                    on_step,
                );
            }
            if needs.planes && on_step(&format!("{spec}, planes")) {
                board.planes = solve_by_planes(&spec, limits, on_step);
            }
            boards.push(board);
        }
    }
    boards
}

/// Solves by the graph; `theorem` has the files and ranks of the board whose boards of Theorem 1
/// are counted. A solve that reaches a limit leaves its cells "not computed".
fn solve_graph(
    spec: &str,
    theorem: Option<[usize; 2]>,
    limits: Limits,
    on_step: &mut StepFn<'_>,
) -> Option<GraphResult> {
    let game = game_of(spec);
    let solved = graph::solve(&game, limits, &mut StepMonitor::new(on_step)).ok()?;
    let summary = solved.summary();
    let times = solved.times();
    Some(GraphResult {
        states: summary.positions,
        edges: summary.edges,
        value: solved.value(0),
        seconds: (times.explore + times.retrograde).as_secs_f64(),
        retrograde_seconds: times.retrograde.as_secs_f64(),
        theorem: theorem.and_then(|size| boards_reached(&game, &solved, size)),
    })
}

/// Returns the value of the start. `None` if the planes do not fit the limits.
fn solve_by_planes(spec: &str, limits: Limits, on_step: &mut StepFn<'_>) -> Option<Value> {
    let setup: OnitamaSetup = spec.parse().expect("a spec of this study");
    let game = Onitama::<u32>::new(setup, Symmetry::None);
    let monitor = &mut StepMonitor::new(on_step);
    let solved = solve_starts(&game, limits, monitor).ok()?;
    solved.values.first().copied()
}

fn solve_forward(
    spec: &str,
    symmetry: Symmetry,
    variant: ForwardVariant,
    limits: Limits,
    on_step: &mut StepFn<'_>,
) -> Option<ForwardResult> {
    let setup = Setup { symmetry, ..Setup::default() };
    let ordered = in_published_order(spec, &setup).expect("a spec of this study")?;
    let begin = Instant::now();
    let monitor = &mut StepMonitor::new(on_step);
    let solved = forward::solve(&ordered, variant, limits, monitor).ok()?;
    let seconds = begin.elapsed().max(Duration::from_nanos(100)).as_secs_f64();
    Some(ForwardResult { states: solved.summary().positions, start: solved.start(), seconds })
}
