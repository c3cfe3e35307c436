//! Solves that end before they are done.

use hindsight_core::{Game, Notation, Value, Wdl};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::{Error, Limits, Monitor, NoMonitor, Progress};
use hindsight_solve::forward::{self, ForwardVariant, MoveOrder};
use hindsight_solve::graph;

struct SolveWithLimits<'a>(Limits, &'a mut dyn Monitor);

impl Visitor for SolveWithLimits<'_> {
    type Output = [Option<Error>; 2];

    fn visit<G: Notation>(self, game: G) -> Self::Output {
        let graph = graph::solve(&game, self.0, self.1).err();
        let forward = forward::solve(&game, ForwardVariant::ThesisProgram, self.0, self.1).err();
        [graph, forward]
    }
}

#[test]
fn limits_end_a_solve_with_what_was_reached() {
    let attempt = |limits, monitor: &mut dyn Monitor| {
        by_name("onitama:3x4:boar", &Setup::default(), SolveWithLimits(limits, monitor)).unwrap()
    };
    let limit = 4 << 20;
    for error in attempt(Limits { memory: limit, time: None }, &mut NoMonitor) {
        match error {
            Some(Error::Memory { positions, needed, limit: reported, .. }) => {
                assert!(positions > 1000 && needed > limit && reported == limit);
            }
            other => panic!("{other:?}"),
        }
    }
    for error in
        attempt(Limits { memory: u64::MAX, time: Some(std::time::Duration::ZERO) }, &mut NoMonitor)
    {
        assert!(matches!(error, Some(Error::Time { .. })), "{error:?}");
    }
    struct Never;
    impl Monitor for Never {
        fn report(&mut self, _: Progress) -> bool {
            false
        }
    }
    for error in attempt(Limits::default(), &mut Never) {
        assert!(matches!(error, Some(Error::Stopped)), "{error:?}");
    }
}

/// The start has `self.0` moves. Each leads to a position that wins in three plies.
struct Fan(u32);

impl Game for Fan {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn player_to_move(&self, _: u32) -> usize {
        0
    }

    fn terminal(&self, position: u32) -> Option<Wdl> {
        (position == self.0 + 3).then_some(Wdl::Loss)
    }

    fn moves(&self, position: u32, moves: &mut Vec<u32>) {
        match position {
            0 => moves.extend(1..=self.0),
            _ if position == self.0 + 3 => {}
            _ => moves.push((position + 1).max(self.0 + 1)),
        }
    }

    fn play(&self, _: u32, to: u32) -> u32 {
        to
    }
}

#[test]
fn moves_of_a_position_are_counted_or_refused() {
    let by_graph = |moves| {
        let solved = graph::solve(&Fan(moves), Limits::default(), &mut NoMonitor);
        solved.map(|solved| solved.value(0))
    };
    assert_eq!(by_graph(32_766).expect("a value"), Value::Loss(4));
    for moves in [32_767, 65_535, 65_536, 70_000] {
        let refused = by_graph(moves).expect_err("too many moves");
        assert!(matches!(refused, Error::TooManyMoves(32_766)), "{refused}");
    }
    for way in [
        ForwardVariant::Best(MoveOrder::AsListed),
        ForwardVariant::ThesisProgram,
        ForwardVariant::ThesisAlgorithm,
    ] {
        let forward = |moves| {
            let solved = forward::solve(&Fan(moves), way, Limits::default(), &mut NoMonitor);
            solved.map(|solved| solved.start())
        };
        assert_eq!(forward(65_535).expect("a value"), Wdl::Loss);
        let refused = forward(65_536).expect_err("too many moves");
        assert!(matches!(refused, Error::TooManyMoves(65_535)), "{refused}");
    }
}
