//! The bottom-up solver ends with the values of the tiered solver, and finds the same changes as a
//! second program.

use hindsight_core::{Notation, PackedGame, Structure};
use hindsight_engine::{Layer, Limits, MemoryStore, NoMonitor};
use hindsight_papers::bottom_up::{self, BottomUpSet, BottomUpSolution, TierTotals};
use hindsight_solve::tiered;
use hindsight_solve::tiered::TierPlan;
use hindsight_testkit::golden;

use crate::game;

/// Solves tier by tier, and compares the values with those of the tiered solver.
fn solve_ranked(game: &PackedGame) -> BottomUpSolution {
    let plan = TierPlan::new(game);
    let outcome = bottom_up::solve(game, &plan, Limits::default(), &mut NoMonitor);
    let outcome = outcome.expect("a solve without limits");
    let mut kept = MemoryStore::default();
    let expected = tiered::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
    let expected = expected.expect("a solve without limits");
    same_values(&game.spec(), &outcome, &kept.0);
    assert_eq!(outcome.sets.last().unwrap().start, Some(expected.start));
    outcome
}

fn solve_pairs(game: &PackedGame) -> BottomUpSolution {
    let plan = TierPlan::new(game);
    let outcome = bottom_up::solve_pawn_pairs(game, &plan, Limits::default(), &mut NoMonitor);
    outcome.expect("a solve without limits")
}

/// Solves with each bottom-up solver that the game has, and compares their results.
fn solve_by_all(spec: &str) -> BottomUpSolution {
    let game = game(spec);
    let ranked = solve_ranked(&game);
    if game.structure() != Structure::PawnPairs {
        return ranked;
    }
    let outcome = solve_pairs(&game);
    same_values(spec, &outcome, &ranked.layers);
    assert_eq!(comparable_sets(&outcome), comparable_sets(&ranked), "{spec}");
    outcome
}

/// Results that both solvers must agree on. They may differ in the tiers solved again.
fn comparable_sets(outcome: &BottomUpSolution) -> Vec<BottomUpSet> {
    let mut sets = outcome.sets.clone();
    for change in sets.iter_mut().flat_map(|set| &mut set.changes) {
        change.solved_again = TierTotals::default();
    }
    sets
}

/// Compares values position by position.
fn same_values(spec: &str, outcome: &BottomUpSolution, layers: &[Layer]) {
    assert_eq!(outcome.layers.len(), layers.len());
    for layer in &outcome.layers {
        let other = layers.iter().find(|other| other.layer == layer.layer);
        let other = other.expect("every layer");
        assert_eq!(layer.tiers, other.tiers);
        let values = |layer: &Layer, at: usize| layer.palette[usize::from(layer.codes[at])];
        for at in 0..layer.codes.len() {
            let [ours, theirs] = [layer, other].map(|layer| values(layer, at));
            assert_eq!(ours, theirs, "{spec}, layer {}, {at}", layer.layer);
        }
    }
}

#[test]
fn the_last_set_is_the_whole_game() {
    for spec in [
        "quoridor:2x2:1",
        "quoridor:2x3:1:edge=open",
        "quoridor:2x5:2,1:start=point",
        "quoridor:3x2:2",
        "quoridor:4x2:1",
        "quoridor:5x2:1",
        "quoridor:3x3:0",
        "quoridor:3x3:2,1",
        "quoridor:3x3:0,2",
        "quoridor:3x3:2:edge=open",
        "quoridor:4x3:2",
        "quoridor:4x4:1,2",
        "quoridor:4x4:1:start=point",
        "quoridor:5x5:1,0",
        "onitama:3x3:boar",
        "onitama:3x3:tiger,crab,monkey,crane,dragon:students=1",
        "onitama:2x3:boar,ox,horse:hand=1",
    ] {
        let outcome = solve_by_all(spec);
        assert!(outcome.sets[0].changes.is_empty());
        for (k, set) in outcome.sets.iter().enumerate() {
            assert_eq!(set.changes.len(), k, "{spec}");
            for change in &set.changes {
                assert!(change.wdl_changed <= change.value_changed, "{spec}");
                assert!(change.value_changed <= change.solved_again.positions, "{spec}");
                assert!(change.solved_again.positions <= change.total.positions, "{spec}");
            }
        }
    }
}

/// Columns: spec, k, j, positions, `changed_wdl`, `changed_value`.
fn second_program() -> Vec<(String, [u64; 5])> {
    let text = include_str!("../../../golden/quoridor_bottom_up_second_program.csv");
    let rows = golden(text).expect("a golden file").into_iter();
    rows.map(|row| {
        let number = |i: usize| row[i].parse().expect("a number");
        (row[0].to_string(), [1, 2, 3, 4, 5].map(number))
    })
    .collect()
}

fn check_against_second_program(wanted: impl Fn(&str) -> bool) {
    let rows = second_program();
    let mut specs: Vec<&str> = rows.iter().map(|(spec, _)| spec.as_str()).collect();
    specs.dedup();
    for spec in specs.into_iter().filter(|spec| wanted(spec)) {
        let outcome = solve_pairs(&game(spec));
        let theirs: Vec<[u64; 5]> =
            rows.iter().filter(|row| row.0 == spec).map(|row| row.1).collect();
        let sets = (0..).zip(&outcome.sets);
        let ours = sets.flat_map(|(k, set)| {
            let changes = (0..).zip(&set.changes);
            changes.map(move |(j, c)| [k, j, c.total.positions, c.wdl_changed, c.value_changed])
        });
        assert_eq!(ours.collect::<Vec<_>>(), theirs, "{spec}");
    }
}

#[test]
fn a_second_program_finds_the_same_changes() {
    check_against_second_program(|_| true);
}

/// The paper's game. Own numbers beside those of the second program.
#[test]
fn one_fence_each_on_five_by_five() {
    let outcome = solve_by_all("quoridor:5x5:1");
    let starts: Vec<String> = outcome
        .sets
        .iter()
        .map(|set| set.start.expect("the start has no fences").to_string())
        .collect();
    assert_eq!(starts, ["loss in 8", "win in 9", "loss in 12"]);
    let positions: Vec<u64> = outcome.sets.iter().map(|set| set.added.positions).collect();
    assert_eq!(positions, [960, 61_440, 436_364]);
}

#[test]
fn a_plan_that_does_not_fit_is_refused() {
    let game = game("quoridor:3x3:1");
    let plan = TierPlan::new(&game);
    let is_refused = |memory| {
        let limits = Limits { memory, time: None };
        bottom_up::solve_pawn_pairs(&game, &plan, limits, &mut NoMonitor).is_err()
    };
    assert!(!is_refused(plan.peak_bottom_up()));
    assert!(is_refused(plan.peak_bottom_up() - 1));
}
