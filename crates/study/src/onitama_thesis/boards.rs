use std::time::{Duration, Instant};

use hindsight_core::{Game, Notation, Symmetry, Value, Wdl};
use hindsight_rules::{Setup, Visitor, onitama_by_name, onitama_in_published_order};
use hindsight_solve::forward::{self, ForwardVariant, MoveOrder};
use hindsight_solve::{Limits, graph};

use super::Table;
use super::theorem::boards_reached;
use crate::stop::Stop;

/// What was found for one board.
pub(super) struct Board {
    pub(super) n: u8,
    pub(super) m: u8,
    pub(super) graph: Option<Graph>,
    /// The program's search, without symmetry and with.
    pub(super) forward: Option<Search>,
    pub(super) symmetric: Option<Search>,
    /// Our search, where only who wins is wanted.
    best: Option<Wdl>,
}

/// The whole state graph, solved.
pub(super) struct Graph {
    pub(super) states: u64,
    pub(super) edges: u64,
    pub(super) value: Value,
    pub(super) seconds: f64,
    pub(super) retrograde_seconds: f64,
    /// For Theorem 1: boards it counts, and of these reached.
    pub(super) theorem: Option<String>,
}

/// A forward-looking search.
pub(super) struct Search {
    pub(super) states: u64,
    pub(super) start: Wdl,
    pub(super) seconds: f64,
}

impl Board {
    /// Red begins with boar cards. All solvers that finished must agree.
    pub(super) fn winner(&self) -> Option<String> {
        let found = [
            self.graph.as_ref().map(|graph| graph.value.wdl()),
            self.forward.as_ref().map(|search| search.start),
            self.symmetric.as_ref().map(|search| search.start),
            self.best,
        ];
        let mut found = found.into_iter().flatten();
        let wdl = found.next()?;
        assert!(
            found.all(|other| other == wdl),
            "solvers agree on {}x{}",
            self.n,
            self.m
        );
        let name = match wdl {
            Wdl::Win => "Red",
            Wdl::Loss => "Blue",
            Wdl::Draw => "Draw",
        };
        Some(name.to_string())
    }
}

/// Which solves the wanted tables need.
pub(super) struct Needs {
    graph: bool,
    forward: bool,
    symmetric: bool,
    best: bool,
    theorem: bool,
}

impl Needs {
    pub(super) fn of(tables: &[Table]) -> Self {
        let any = |wanted: &[Table]| wanted.iter().any(|table| tables.contains(table));
        Self {
            graph: any(&[
                Table::GraphTime,
                Table::RetrogradeTime,
                Table::States,
                Table::Edges,
                Table::Theorem1,
                Table::Remoteness,
            ]),
            forward: any(&[Table::ForwardTime, Table::ForwardStates]),
            symmetric: any(&[Table::SymmetricTime, Table::SymmetricStates]),
            best: any(&[Table::Winner]),
            theorem: any(&[Table::Theorem1]),
        }
    }
}

/// Solves the boards up to 5 x 5 in what ways are needed, row by row.
pub(super) fn solve_all(
    needs: &Needs,
    limits: Limits,
    watch: &mut dyn FnMut(&str) -> bool,
) -> Vec<Board> {
    let mut boards = Vec::new();
    for m in 2..=5 {
        for n in 1..=5 {
            let spec = format!("onitama:{n}x{m}:boar");
            let mut board = Board {
                n,
                m,
                graph: None,
                forward: None,
                symmetric: None,
                best: None,
            };
            if needs.graph && watch(&format!("{spec}, state graph")) {
                board.graph = solve_graph(&spec, needs.theorem, limits, watch);
            }
            if needs.forward && watch(&format!("{spec}, forward")) {
                board.forward = search(
                    &spec,
                    Symmetry::None,
                    ForwardVariant::ThesisProgram,
                    limits,
                    watch,
                );
            }
            if needs.symmetric && watch(&format!("{spec}, forward with symmetry")) {
                board.symmetric = search(
                    &spec,
                    Symmetry::Swap,
                    ForwardVariant::ThesisProgram,
                    limits,
                    watch,
                );
            }
            if needs.best && watch(&format!("{spec}, our forward search")) {
                let found = search(
                    &spec,
                    Symmetry::All,
                    ForwardVariant::Best(MoveOrder::FewestReplies),
                    limits,
                    watch,
                );
                board.best = found.map(|search| search.start);
            }
            boards.push(board);
        }
    }
    boards
}

struct GraphSolve<'a> {
    theorem: bool,
    limits: Limits,
    stop: Stop<'a>,
}

impl Visitor for GraphSolve<'_> {
    type Output = Option<Graph>;

    fn visit<G: Game + Notation>(mut self, game: G) -> Option<Graph> {
        // A limit that was reached leaves the cell open; there is nothing else to do about it.
        let solved = graph::solve(&game, self.limits, &mut self.stop).ok()?;
        let summary = solved.summary();
        let times = solved.times();
        Some(Graph {
            states: summary.positions,
            edges: summary.edges,
            value: solved.value(0),
            seconds: (times.explore + times.retrograde).as_secs_f64(),
            retrograde_seconds: times.retrograde.as_secs_f64(),
            theorem: self
                .theorem
                .then(|| boards_reached(&game, &solved))
                .flatten(),
        })
    }
}

fn solve_graph(
    spec: &str,
    theorem: bool,
    limits: Limits,
    watch: &mut dyn FnMut(&str) -> bool,
) -> Option<Graph> {
    let visitor = GraphSolve {
        theorem,
        limits,
        stop: Stop::new(watch),
    };
    onitama_by_name(spec, &Setup::default(), visitor).expect("a spec of this study")
}

struct ForwardSolve<'a> {
    way: ForwardVariant,
    limits: Limits,
    stop: Stop<'a>,
}

impl Visitor for ForwardSolve<'_> {
    type Output = Option<Search>;

    fn visit<G: Game + Notation>(mut self, game: G) -> Option<Search> {
        let begin = Instant::now();
        let solved = forward::solve(&game, self.way, self.limits, &mut self.stop).ok()?;
        let seconds = begin.elapsed().max(Duration::from_nanos(100)).as_secs_f64();
        Some(Search {
            states: solved.summary().positions,
            start: solved.start(),
            seconds,
        })
    }
}

fn search(
    spec: &str,
    symmetry: Symmetry,
    way: ForwardVariant,
    limits: Limits,
    watch: &mut dyn FnMut(&str) -> bool,
) -> Option<Search> {
    let visitor = ForwardSolve {
        way,
        limits,
        stop: Stop::new(watch),
    };
    let setup = Setup {
        symmetry,
        ..Setup::default()
    };
    onitama_in_published_order(spec, &setup, visitor).expect("a spec of this study")
}
