//! Solves that end before they are done.

use hindsight_core::{PackedGame, Value, Wdl};
use hindsight_engine::{Error, Limits, Monitor, NoMonitor, Progress};
use hindsight_solve::forward::{self, ForwardVariant, MoveOrder};
use hindsight_solve::graph;

use crate::game;
use crate::number_game::NumberGame;

#[test]
fn limits_end_a_solve_with_what_was_reached() {
    let game = game("onitama:3x4:boar");
    let attempt = |limits, monitor: &mut dyn Monitor| {
        let graph = graph::solve(&game, limits, monitor).err();
        let forward = forward::solve(&game, ForwardVariant::ThesisProgram, limits, monitor).err();
        [graph, forward]
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

/// The start has `count` moves. Each leads to a position that wins in three plies.
fn fan(count: u32) -> PackedGame {
    PackedGame::new(NumberGame {
        start: 0,
        terminal: Box::new(move |position| (position == count + 3).then_some(Wdl::Loss)),
        moves: Box::new(move |position| match position {
            0 => (1..=count).collect(),
            _ => vec![(position + 1).max(count + 1)],
        }),
    })
}

#[test]
fn moves_of_a_position_are_counted_or_refused() {
    let by_graph = |moves| {
        let solved = graph::solve(&fan(moves), Limits::default(), &mut NoMonitor);
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
            let solved = forward::solve(&fan(moves), way, Limits::default(), &mut NoMonitor);
            solved.map(|solved| solved.start())
        };
        assert_eq!(forward(65_535).expect("a value"), Wdl::Loss);
        let refused = forward(65_536).expect_err("too many moves");
        assert!(matches!(refused, Error::TooManyMoves(65_535)), "{refused}");
    }
}
