//! Games that take long to solve, against published counts and second programs.

use std::collections::BTreeMap;

use hindsight_core::{Game, Packed, PackedGame, Ranked, Symmetry, Tiers, Value, Wdl};
use hindsight_engine::{Limits, MemoryStore, NoMonitor, StrongSolution};
use hindsight_solve::graph;
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_testkit::golden;
use hindsight_testkit::golden_histogram;

use crate::{game, game_with};

/// Solves every position, and keeps the values.
fn solved(game: &PackedGame) -> (StrongSolution, MemoryStore) {
    let (plan, mut kept) = (TierPlan::new(game), MemoryStore::default());
    let solution = tiered::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
    (solution.expect("a solve without limits"), kept)
}

#[test]
#[ignore = "slow: half a minute"]
fn every_position_of_quixo_on_4x4() {
    let (solution, _) = solved(&game("quixo:4x4"));
    let csv = include_str!("../../../../golden/quixo.csv");
    let expected = golden_histogram(csv, &["quixo:4x4", "all"]);
    let found: BTreeMap<Value, u64> = solution.histogram.rows().into_iter().collect();
    assert_eq!(found, expected);
    assert_eq!(found.values().sum::<u64>(), 3_u64.pow(16));
    assert_eq!(solution.start, Value::Win(21));
}

/// End of a game by the lion that reaches the last row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Try {
    /// A position in which it can be reached safely is over.
    BeforeTheStep,
    /// A position in which it has been reached safely is over, as T. Tanaka (2009) counts.
    AfterTheStep,
}

/// Numbers of lost, drawn and won positions among those that a game reaches, up to symmetry. A
/// position in which the lion can be taken is over.
fn reached_counts(game: &PackedGame, kept: &MemoryStore, end: Try) -> [u64; 3] {
    let is_over = |position| match end {
        Try::BeforeTheStep => {
            game.terminal(position).is_some() || game.immediate_value(position).is_some()
        }
        Try::AfterTheStep => can_take_lion(game, position),
    };
    let start = game.canonical(game.start());
    let (_, rank) = game.rank(start).expect("a rank");
    let mut is_reached = vec![false; game.tier_len(0) as usize];
    is_reached[rank as usize] = true;
    let (mut todo, mut counts, mut successors) = (vec![(start, rank)], [0; 3], Vec::new());
    while let Some((position, rank)) = todo.pop() {
        let value = kept.0[0].value(0, rank).expect("no hole");
        counts[value.wdl() as usize] += 1;
        successors.clear();
        game.successors(position, &mut successors);
        for &next in &successors {
            let next = game.canonical(next);
            // A position without a rank is over by either end.
            if let Some((_, rank)) = game.rank(next)
                && !std::mem::replace(&mut is_reached[rank as usize], true)
                && !is_over(next)
            {
                todo.push((next, rank));
            }
        }
    }
    counts
}

fn can_take_lion(game: &PackedGame, position: Packed) -> bool {
    let material = game.material().expect("a game with captures");
    let mut successors = Vec::new();
    game.successors(position, &mut successors);
    // Pieces that are taken come into a hand, but no lion does.
    let has_both_lions = |&next: &Packed| material.piece_counts(next).iter().sum::<u32>() == 8;
    !successors.iter().all(has_both_lions)
}

#[test]
#[ignore = "slow: eleven minutes, 2 GB"]
fn every_position_of_dobutsu_shogi() {
    let game = game_with(Symmetry::All, "dobutsu");
    let (solution, kept) = solved(&game);
    let histogram: BTreeMap<Value, u64> = solution.histogram.rows().into_iter().collect();
    let of = |wdl: Wdl| {
        let counts = histogram.iter().filter(move |(value, _)| value.wdl() == wdl);
        counts.map(|(_, count)| count).sum::<u64>()
    };
    let rows = golden(include_str!("../../../../golden/dobutsu.csv")).expect("a golden file");
    for row in &rows {
        let found = match row[0] {
            "win" => histogram[&Value::Win(row[1].parse().expect("a remoteness"))],
            "loss" => of(Wdl::Loss),
            _ => of(Wdl::Draw),
        };
        assert_eq!(found.to_string(), row[2], "{row:?}");
    }
    assert_eq!(of(Wdl::Win), 188_377_024);
    assert_eq!(histogram.keys().max_by_key(|value| value.remoteness()), Some(&Value::Win(173)));
    assert_eq!(solution.start, Value::Loss(78));
    // As many draws as B. Liou counts, who does not go on from a position won at once either.
    assert_eq!(
        reached_counts(&game, &kept, Try::BeforeTheStep),
        [37_228_827, 2_674_649, 46_927_577]
    );
    // Counted by T. Tanaka (2009).
    assert_eq!(
        reached_counts(&game, &kept, Try::AfterTheStep),
        [40_328_395, 2_682_700, 56_474_473]
    );
}

/// Counts by J. Boeck, J. Tromp and OEIS A212693.
#[test]
#[ignore = "slow: two minutes, 8 GB"]
fn reachable_positions_of_four_in_a_row() {
    for (spec, positions, start) in [
        ("four:5x4", 3_945_711, Value::Draw),
        ("four:5x5", 69_763_700, Value::Draw),
        ("four:6x4", 94_910_577, Value::Loss(24)),
    ] {
        let solved = graph::solve(&game(spec), Limits::default(), &mut NoMonitor).expect("memory");
        assert_eq!(solved.summary().positions, positions, "{spec}");
        assert_eq!(solved.value(0), start, "{spec}");
    }
}
