//! Subgames have the values of the whole game, position by position.

use std::time::Duration;

use hindsight_core::{Answer, Game, Notation, Packed, PackedGame, Probe, Ranked, Subgames, Tiers};
use hindsight_engine::{Error, Limits, MemoryStore, Monitor, NoMonitor, Progress};
use hindsight_solve::graph;
use hindsight_solve::pawn_pairs::{self, SolvedSubgame, SubgamePlan};
use hindsight_solve::tiered::TierPlan;
use hindsight_testkit::{every_position, random_positions};

use crate::game;

fn plan(game: &PackedGame, position: Packed) -> SubgamePlan {
    SubgamePlan::new(game, position, u64::MAX).expect("tiers with numbers of 64 bits")
}

fn solve(game: &PackedGame, position: Packed) -> SolvedSubgame {
    let solved = plan(game, position).solve(Limits::default(), &mut NoMonitor);
    solved.expect("a solve without limits")
}

fn probe(solved: &SolvedSubgame, position: Packed) -> Answer {
    let Ok(answer) = solved.probe(position);
    answer
}

/// Number of fences in hand, from the text of a position such as `c2 c4 1,1 a1h,b3v white`.
fn fences_in_hand(position: &str) -> u8 {
    let hands = position.split(' ').nth(2).expect("hands").split(',');
    hands.map(|hand| hand.parse::<u8>().expect("a number of fences")).sum()
}

/// A position of random games with a number of fences in hand that is not terminal.
fn late_position(game: &PackedGame, in_hand: u8, seed: u64) -> Packed {
    let mut positions = random_positions(game, 10_000, seed).into_iter();
    let is_late = |&position: &Packed| {
        fences_in_hand(&game.format(position)) == in_hand && game.terminal(position).is_none()
    };
    positions.find(is_late).expect("a late position")
}

/// Compares subgames from some tiers of each layer with the solve of every position. Returns the
/// number of positions compared.
fn compare_with_whole_game(spec: &str, per_layer: usize) -> usize {
    let game = game(spec);
    let mut kept = MemoryStore::default();
    let plan = TierPlan::new(&game);
    pawn_pairs::solve(&game, &plan, &mut kept, Limits::default(), &mut NoMonitor)
        .expect("a solve without limits");
    let whole = kept.with(&game);
    let mut compared = 0;
    for layer in 0..game.layers() {
        let tiers = plan.tiers(layer);
        for tier in tiers.iter().step_by(tiers.len().div_ceil(per_layer)) {
            let mut positions = Vec::new();
            game.unrank_range(*tier, 0..game.tier_len(*tier), &mut positions);
            let Some(&(_, position)) = positions.get(positions.len() / 2) else {
                continue;
            };
            let plan = SubgamePlan::new(&game, position, u64::MAX).expect("few tiers");
            let memory = plan.peak();
            for memory in [memory, u64::MAX] {
                let limits = Limits { memory, time: None };
                let solved = plan.clone().solve(limits, &mut NoMonitor);
                let solved = solved.expect("enough memory");
                for position in every_position(solved.subgame()) {
                    let Ok(expected) = whole.probe(position);
                    let found = probe(&solved, position);
                    assert_eq!(found, expected, "{spec}: {}", game.format(position));
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn subgames_agree_with_the_whole_game() {
    for (spec, per_layer) in [
        ("quoridor:2x2:1", 4),
        ("quoridor:2x5:1,2", 8),
        ("quoridor:3x3:0", 1),
        ("quoridor:3x3:1", 8),
        ("quoridor:3x3:1:edge=open", 8),
        ("quoridor:3x3:2", 8),
        ("quoridor:3x3:9", 8),
        ("quoridor:4x3:2,1", 6),
        ("quoridor:4x3:1:edge=open:start=point", 8),
        ("quoridor:4x4:1", 8),
    ] {
        assert!(compare_with_whole_game(spec, per_layer) > 0, "{spec}");
    }
}

/// Compares a subgame with the graph of all positions that follow its first one.
fn compare_with_graph(spec: &str, in_hand: u8, seed: u64) {
    let game = game(spec);
    let position = late_position(&game, in_hand, seed);
    let solved = solve(&game, position);
    let graph = graph::solve_from(&game, position, Limits::default(), &mut NoMonitor);
    let graph = graph.expect("a solve without limits");
    for (number, position) in graph.positions().enumerate() {
        let found = probe(&solved, position);
        let expected = Answer::Exact(graph.value(number));
        assert_eq!(found, expected, "{spec}: {}", game.format(position));
    }
}

#[test]
fn subgames_agree_with_graphs_on_boards_of_every_width_of_rows() {
    for (spec, in_hand, seed) in [
        ("quoridor:4x4:2", 2, 1),
        ("quoridor:5x5:6", 1, 2),
        ("quoridor:5x5:6:edge=open", 2, 3),
        ("quoridor:7x7:8", 1, 4),
        ("quoridor:9x9:10", 0, 5),
        ("quoridor:9x9:10", 1, 6),
    ] {
        compare_with_graph(spec, in_hand, seed);
    }
}

#[test]
fn symmetric_positions_are_known_and_others_are_not() {
    let game = game("quoridor:5x5:2");
    let parse = |text: &str| game.parse(text).expect("a position");
    let first = parse("c2 c4 1,1 a1h,b3v white");
    let solved = solve(&game, first);
    let value = probe(&solved, first);
    assert_ne!(value, Answer::Unknown);
    for image in ["c2 c4 1,1 d1h,c3v white", "c2 c4 1,1 d4h,c2v black", "c2 c4 1,1 a4h,b2v black"] {
        assert_eq!(probe(&solved, parse(image)), value, "{image}");
    }
    for other in ["c2 c4 2,1 a1h white", "c2 c4 1,1 a1h,b3h white", "c2 c4 0,1 a1h,b2v,d4h white"] {
        assert_eq!(probe(&solved, parse(other)), Answer::Unknown, "{other}");
    }
}

#[test]
fn large_subgames_are_refused_by_their_number_of_ranks() {
    let game = game("quoridor:9x9:10");
    assert!(SubgamePlan::new(&game, game.start(), u64::MAX).is_none());
    let early = late_position(&game, 13, 1);
    assert!(game.subgame(early).is_some());
    assert!(SubgamePlan::new(&game, early, 1 << 40).is_none());
    let late = late_position(&game, 1, 1);
    let ranks = plan(&game, late).ranks();
    let tier_len = 2 * 81 * 81;
    assert!((2..=129).contains(&(ranks / tier_len)), "{ranks}");
    assert!(ranks.is_multiple_of(tier_len), "{ranks}");
    assert!(SubgamePlan::new(&game, late, ranks).is_some());
    assert!(SubgamePlan::new(&game, late, ranks - 1).is_none());
}

struct Stop;

impl Monitor for Stop {
    fn report(&mut self, _: Progress) -> bool {
        false
    }
}

#[test]
fn limits_and_the_monitor_stop_a_subgame() {
    let game = game("quoridor:9x9:10");
    let position = late_position(&game, 2, 1);
    let solve = |limits, monitor: &mut dyn Monitor| plan(&game, position).solve(limits, monitor);
    let memory = plan(&game, position).peak();
    let within = |memory| Limits { memory, time: None };
    assert!(solve(within(memory), &mut NoMonitor).is_ok());
    let refused = solve(within(memory - 1), &mut NoMonitor);
    assert!(matches!(refused, Err(Error::TooLarge { needed, .. }) if needed == memory));
    let stopped = solve(Limits::default(), &mut Stop);
    assert!(matches!(stopped, Err(Error::Stopped)));
    let no_time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let late = solve(no_time, &mut NoMonitor);
    assert!(matches!(late, Err(Error::Time { .. })));
}
