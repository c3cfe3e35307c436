//! Three numbers per position, against a solve of every state on its own.

use std::cell::RefCell;
use std::collections::HashSet;
use std::time::Duration;

use hindsight_core::{
    Answer, ForbiddenMove, Game, Notation, Packed, PackedGame, Probe, Ranked, States, Symmetry,
    Tiers, Value,
};
use hindsight_engine::checkpoint::{Blobs, Checkpoint, MemoryBlobs};
use hindsight_engine::{
    Error, FinishedTier, Histogram, Layer, Limits, Monitor, NoMonitor, Progress, StateSource,
    StateTierStore, StoreError, Summary,
};
use hindsight_solve::distance::{self, NextStates};
use hindsight_solve::forbidden_move::{
    self, ForbiddenMoveSolution, SolvedStateTier, SolvedStates, StateDictionary,
};
use hindsight_solve::graph;
use hindsight_testkit::reference_states;

use crate::game_with;
use crate::stopped::{StopAfter, check_damaged};

const SMALL: [&str; 6] = [
    "ostle:3x3:1:0",
    "ostle:3x3:2:0",
    "ostle:3x3:2:1",
    "ostle:3x3:3:0",
    "ostle:3x3:3:1",
    "ostle:4x4:2:1",
];

/// Ends of specs that differ in a rule.
const RULE8: [&str; 2] = ["", ":rule8=paper"];

fn solved(game: &PackedGame) -> (ForbiddenMoveSolution, SolvedStates) {
    let mut states = SolvedStates::default();
    let outcome = forbidden_move::solve(game, Limits::default(), &mut NoMonitor, &mut |solved| {
        states.0.push(solved);
    });
    (outcome.expect("a small game"), states)
}

/// Every state that some move leads to and that is not terminal, each once.
fn possible_states(game: &PackedGame) -> HashSet<Packed> {
    let base = game.base();
    let mut found = HashSet::new();
    for tier in (0..base.layers()).map(u64::from) {
        for rank in 0..base.tier_len(tier) {
            let position = base.unrank(tier, rank).expect("no holes");
            let mut next = Vec::new();
            game.successors(game.encode(position, None), &mut next);
            let next = next.into_iter().filter(|&state| game.terminal(state).is_none());
            found.extend(next.map(|state| game.canonical(state)));
        }
    }
    found
}

#[test]
fn every_state_has_its_value() {
    for board in SMALL {
        for rule8 in RULE8 {
            let game = game_with(Symmetry::All, &[board, rule8].concat());
            let (outcome, states) = solved(&game);
            let slow = reference_states(&game);
            let reader = states.with(&game);
            for (&(tier, rank, way), &value) in &slow {
                let solved = states.0.iter().find(|solved| solved.tier == tier);
                let ours = solved.and_then(|solved| solved.state(rank, way));
                assert_eq!(ours, Some(value), "{} {tier} {rank} {way}", game.spec());
            }
            let mut all = Histogram::default();
            let mut nontrivial = Histogram::default();
            for state in possible_states(&game) {
                let (tier, rank, way) = game.rank_state(state).expect("not over");
                let value = slow[&(tier, rank, way)];
                assert_eq!(reader.probe(state), Ok(Answer::Exact(value)));
                all.add(value, 1);
                if slow[&(tier, rank, 0)] != Value::Win(1) {
                    nontrivial.add(value, 1);
                }
            }
            assert_eq!(outcome.states, all, "{}", game.spec());
            assert_eq!(outcome.nontrivial, nontrivial, "{}", game.spec());
        }
    }
}

#[test]
fn the_state_graph_agrees() {
    for board in ["ostle:3x3:2:0", "ostle:3x3:3:1", "ostle:4x4:2:1"] {
        for rule8 in RULE8 {
            let game = game_with(Symmetry::All, &[board, rule8].concat());
            let (outcome, states) = solved(&game);
            let graph = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("a graph");
            let reader = states.with(&game);
            for (number, state) in graph.positions().enumerate() {
                let expected = Answer::Exact(graph.value(number));
                assert_eq!(reader.probe(state), Ok(expected), "{}", game.format(state));
            }
            assert_eq!(outcome.start, graph.value(0));
        }
    }
}

#[test]
fn a_dictionary_has_the_states_that_moves_lead_to() {
    for spec in ["ostle:3x3:3:1", "ostle:3x3:3:1:rule8=paper"] {
        let game = game_with(Symmetry::All, spec);
        let (outcome, states) = solved(&game);
        let all: Vec<StateDictionary> =
            states.0.iter().map(|tier| StateDictionary::new(&game, tier)).collect();
        let sum: u64 = all.iter().map(StateDictionary::states).sum();
        assert_eq!(sum, outcome.nontrivial.positions());
        for state in possible_states(&game) {
            let (tier, rank, way) = game.rank_state(state).expect("not over");
            let i = states.0.iter().position(|solved| solved.tier == tier);
            let i = i.expect("a tier of the game");
            let expected = states.0[i].state(rank, way);
            let is_trivial = states.0[i].value(rank) == Some(Value::Win(1));
            let kept = all[i].state_value(&game, rank, way);
            assert_eq!(kept, expected.filter(|_| !is_trivial), "{}", game.format(state));
        }
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let game = game_with(Symmetry::All, "ostle:4x4:3:1");
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| solved(&game))
    };
    let ((one, states_of_one), (many, states_of_many)) = (with(1), with(5));
    assert_eq!(one, many);
    for (one, many) in states_of_one.0.iter().zip(&states_of_many.0) {
        for rank in 0..one.ranks() {
            assert_eq!(one.value(rank), many.value(rank));
            assert_eq!(one.exception(rank), many.exception(rank));
        }
    }
}

#[test]
fn too_little_memory_is_refused_with_the_figure() {
    let game = game_with(Symmetry::All, "ostle:4x4:3:1");
    let needed = forbidden_move::peak(&game);
    let solve = |memory| {
        let limits = Limits { memory, ..Limits::default() };
        forbidden_move::solve(&game, limits, &mut NoMonitor, &mut |_| ())
            .map(|outcome| outcome.start)
    };
    assert!(
        matches!(solve(needed - 1), Err(Error::TooLarge { needed: said, .. }) if said == needed)
    );
    assert!(solve(needed).is_ok());
}

#[test]
fn a_solve_can_be_stopped() {
    let game = game_with(Symmetry::All, "ostle:3x3:3:1");
    for reports in [1, 2, 5, 9] {
        let outcome =
            forbidden_move::solve(&game, Limits::default(), &mut StopAfter(reports), &mut |_| ());
        assert!(matches!(outcome, Err(Error::Stopped)));
    }
}

/// Keeps finished tiers in memory, as files would.
struct MemoryTierStore<'a> {
    game: &'a PackedGame,
    tiers: &'a RefCell<Vec<SolvedStateTier>>,
}

impl StateTierStore for MemoryTierStore<'_> {
    fn put(&mut self, _: &dyn StateSource) -> Result<(), Error> {
        Ok(())
    }

    fn finished(&mut self, layer: u32) -> Result<Option<FinishedTier>, StoreError> {
        let tiers = self.tiers.borrow();
        let solved = tiers.iter().find(|solved| solved.layer == layer);
        Ok(solved.map(|solved| solved.results(self.game)))
    }

    fn unrestricted_layer(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let tiers = self.tiers.borrow();
        let solved = tiers.iter().find(|solved| solved.layer == layer);
        Ok(solved.ok_or("it is kept")?.unrestricted_layer(self.game)?)
    }
}

#[test]
fn a_stopped_solve_goes_on() {
    for spec in ["ostle:4x4:3:1", "ostle:4x4:2:0:rule8=paper"] {
        let game = game_with(Symmetry::All, spec);
        let (outcome, states) = solved(&game);
        for (reports, interval) in [(12, Duration::ZERO), (25, Duration::MAX), (60, Duration::MAX)]
        {
            let tiers = RefCell::default();
            let mut kept = MemoryTierStore { game: &game, tiers: &tiers };
            let take = &mut |solved| tiers.borrow_mut().push(solved);
            let blobs = MemoryBlobs::default();
            let mut stops = 0;
            let found = loop {
                let checkpoint = Checkpoint::new(&blobs, interval);
                let (limits, monitor) = (Limits::default(), &mut StopAfter(reports));
                let checkpoint = Some(&checkpoint);
                let kept = &mut kept;
                match forbidden_move::solve_from(&game, kept, checkpoint, limits, monitor, take) {
                    Ok(found) => break found,
                    Err(Error::Stopped) => stops += 1,
                    Err(error) => panic!("{error}"),
                }
            };
            assert!(stops > 0 && found == outcome, "{reports}");
            assert!(blobs.keys().expect("keys").is_empty());
            let tiers = tiers.into_inner();
            assert_eq!(states.0.len(), tiers.len());
            for (one, other) in states.0.iter().zip(&tiers) {
                for rank in 0..one.ranks() {
                    assert_eq!(one.value(rank), other.value(rank));
                    assert_eq!(one.exception(rank), other.exception(rank));
                }
            }
        }
    }
}

#[test]
fn a_damaged_tier_is_refused() {
    let game = game_with(Symmetry::All, "ostle:3x3:2:1");
    check_damaged(|blobs, monitor| {
        let tiers = RefCell::default();
        let mut kept = MemoryTierStore { game: &game, tiers: &tiers };
        let take = &mut |solved| tiers.borrow_mut().push(solved);
        let checkpoint = Checkpoint::new(blobs, Duration::MAX);
        let limits = Limits::default();
        forbidden_move::solve_from(&game, &mut kept, Some(&checkpoint), limits, monitor, take)
    });
}

#[test]
#[ignore = "slow: 160,900,185 positions, seven minutes of CPU, 0.8 GB; needs an optimised build"]
fn four_against_four_of_the_official_game() {
    let game = game_with(Symmetry::All, "ostle:5x5:4:3");
    let solved = forbidden_move::solve(&game, Limits::default(), &mut NoMonitor, &mut |_| ());
    let solved = solved.expect("it fits");
    let summary = Summary::of(&solved.positions);
    let signature = summary.signature(Some(&solved.positions));
    assert_eq!(signature, "160900185-157986812-e0869283436f9371");
}

/// Monitor that stops the work at its first report, and keeps the phase of that.
struct StopAtOnce(&'static str);

impl Monitor for StopAtOnce {
    fn report(&mut self, progress: Progress) -> bool {
        self.0 = progress.phase;
        false
    }
}

#[test]
fn a_solve_hears_of_a_stop_and_of_the_clock_while_it_lays_out_memory() {
    let game = game_with(Symmetry::All, "ostle:4x4:3:1");
    let none = &mut |_| ();
    let mut monitor = StopAtOnce("");
    let stopped = forbidden_move::solve(&game, Limits::default(), &mut monitor, none);
    assert!(matches!(stopped, Err(Error::Stopped)));
    assert_eq!(monitor.0, "laying out");
    let mut monitor = StopAtOnce("");
    let stopped = distance::solve(&game, NextStates::Allowed, Limits::default(), &mut monitor);
    assert!(matches!(stopped, Err(Error::Stopped)));
    assert_eq!(monitor.0, "laying out");
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let late = forbidden_move::solve(&game, limits, &mut NoMonitor, none);
    assert!(matches!(late, Err(Error::Time { .. })));
}
