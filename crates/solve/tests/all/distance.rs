//! Distances from the start, against a breadth-first search state by state.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hindsight_core::{ForbiddenMove, Game, Notation, Packed, PackedGame, States, Symmetry, Tiers};
use hindsight_engine::checkpoint::{Checkpoint, MemoryBlobs};
use hindsight_engine::{Error, Limits, Monitor, NoMonitor};
use hindsight_solve::distance::{self, DistanceReader, Distances, NextStates};

use crate::game_with;
use crate::stopped::{StopAfter, check_damaged};

/// Ends of specs that differ in a rule.
const RULE8: [&str; 2] = ["", ":rule8=paper"];

/// Distances of canonical states that are not terminal.
fn search_distances(game: &PackedGame, next_states: NextStates) -> HashMap<Packed, u16> {
    let start = game.canonical(game.start());
    let mut found = HashMap::from([(start, 0)]);
    let mut expanded = HashMap::new();
    let mut level = vec![start];
    for distance in 1.. {
        let mut next = Vec::new();
        for state in level {
            let from = match next_states {
                NextStates::Allowed => state,
                NextStates::All => game.canonical(game.encode(game.decode(state).0, None)),
            };
            if expanded.insert(from, ()).is_some() {
                continue;
            }
            let mut successors = Vec::new();
            game.successors(from, &mut successors);
            for to in successors.into_iter().filter(|&to| game.terminal(to).is_none()) {
                let to = game.canonical(to);
                found.entry(to).or_insert_with(|| {
                    next.push(to);
                    distance
                });
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    found
}

#[test]
fn every_state_has_its_distance() {
    for board in
        ["ostle:3x3:1:0", "ostle:3x3:2:0", "ostle:3x3:2:1", "ostle:3x3:3:1", "ostle:4x4:2:1"]
    {
        for rule8 in RULE8 {
            for next_states in [NextStates::Allowed, NextStates::All] {
                let game = game_with(Symmetry::All, &[board, rule8].concat());
                let name = format!("{} {next_states:?}", game.spec());
                let distances =
                    distance::solve(&game, next_states, Limits::default(), &mut NoMonitor);
                let distances = distances.expect("a small game");
                let expected = search_distances(&game, next_states);
                let mut counts = vec![0; distances.states_by_distance().len()];
                let probe = |tier, rank| Ok::<_, Infallible>(distances.nearest(tier, rank));
                let reached = DistanceReader::new(&game, &probe).with_next_states(next_states);
                for (&state, &distance) in &expected {
                    assert_eq!(
                        reached.distance(state),
                        Ok(Some(distance)),
                        "{name} {}",
                        game.format(state)
                    );
                    counts[distance as usize] += 1;
                }
                assert_eq!(distances.states_by_distance(), counts, "{name}");
            }
        }
    }
}

#[test]
fn shortest_lines_lead_where_they_should() {
    for board in ["ostle:3x3:2:0", "ostle:3x3:3:1"] {
        for rule8 in RULE8 {
            let game = game_with(Symmetry::All, &[board, rule8].concat());
            let next_states = NextStates::Allowed;
            let distances = distance::solve(&game, next_states, Limits::default(), &mut NoMonitor);
            let distances = distances.expect("a small game");
            let probe = |tier, rank| Ok::<_, Infallible>(distances.nearest(tier, rank));
            let reached = DistanceReader::new(&game, &probe);
            for (state, distance) in search_distances(&game, next_states).into_iter().step_by(7) {
                let line = reached.shortest_line(state).unwrap_or_default().expect("a line");
                assert_eq!(line.len(), usize::from(distance) + 1, "{}", game.format(state));
                assert_eq!(line[0], (game.start(), None));
                for pair in line.windows(2) {
                    let (position, mv) = (pair[0].0, pair[1].1.expect("a move"));
                    let mut moves = Vec::new();
                    game.moves(position, &mut moves);
                    assert!(moves.contains(&mv), "{} {mv:?}", game.format(position));
                    assert_eq!(game.play(position, mv), pair[1].0);
                }
                let end = line.last().expect("the start").0;
                assert_eq!(game.rank_state(end), game.rank_state(state));
            }
        }
    }
}

fn solve_from(
    game: &PackedGame,
    blobs: &MemoryBlobs,
    interval: Duration,
    monitor: &mut dyn Monitor,
) -> Result<Arc<Distances>, Error> {
    let checkpoint = Checkpoint::new(blobs, interval);
    let (next_states, limits) = (NextStates::Allowed, Limits::default());
    distance::solve_from(game, next_states, Some(&checkpoint), limits, monitor)
}

#[test]
fn a_damaged_search_is_refused() {
    let game = game_with(Symmetry::All, "ostle:3x3:2:1");
    check_damaged(|blobs, monitor| solve_from(&game, blobs, Duration::MAX, monitor));
}

#[test]
fn stopped_again_and_again_it_comes_to_the_same() {
    for interval in [Duration::ZERO, Duration::MAX] {
        check_stopped_search(interval);
    }
}

/// Stops a search every few reports.
fn check_stopped_search(interval: Duration) {
    let game = game_with(Symmetry::All, "ostle:4x4:3:1");
    let whole = distance::solve(&game, NextStates::Allowed, Limits::default(), &mut NoMonitor);
    let whole = whole.expect("a small game");
    let blobs = MemoryBlobs::default();
    let mut stops = 0;
    let found = loop {
        match solve_from(&game, &blobs, interval, &mut StopAfter(3)) {
            Ok(found) => break found,
            Err(error) => assert!(matches!(error, Error::Stopped), "{error}"),
        }
        stops += 1;
    };
    assert!(stops > 0);
    assert_eq!(found.states_by_distance(), whole.states_by_distance());
    for layer in 0..game.base().layers() {
        for rank in 0..game.base().tier_len(layer.into()) {
            let tier = layer.into();
            assert_eq!(found.nearest(tier, rank), whole.nearest(tier, rank));
        }
    }
}

#[test]
fn the_first_plies_of_the_paper() {
    // A smaller game with the same first plies: nobody can lose in them.
    let expected = [
        ("ostle:5x5:5:3:rule8=paper", NextStates::All, [1, 9, 102, 954]),
        ("ostle:5x5:5:3:rule8=paper", NextStates::Allowed, [1, 9, 99, 932]),
        ("ostle:5x5:5:3", NextStates::Allowed, [1, 9, 99, 924]),
    ];
    for (spec, next_states, counts) in expected {
        let game = game_with(Symmetry::All, spec);
        let found: Vec<u64> = first_plies(&game, next_states, counts.len());
        assert_eq!(found, counts, "{spec} {next_states:?}");
    }
}

/// States by distance, from edges between ranks alone.
fn first_plies(game: &PackedGame, next_states: NextStates, plies: usize) -> Vec<u64> {
    let start = game.rank_state(game.start()).expect("a rank");
    let mut found = HashMap::from([(start, ())]);
    let mut expanded = HashMap::new();
    let mut level = vec![start];
    let mut counts = vec![1];
    while counts.len() < plies {
        let mut next = Vec::new();
        for (tier, rank, move_id) in level {
            let move_id = if next_states == NextStates::Allowed { move_id } else { 0 };
            if expanded.insert((tier, rank, move_id), ()).is_some() {
                continue;
            }
            let mut steps = Vec::new();
            game.edges_from(tier, rank, &mut steps);
            for step in steps.into_iter().filter(|step| move_id == 0 || step.move_id != move_id) {
                let to = (step.tier, step.rank, step.forbids);
                if found.insert(to, ()).is_none() {
                    next.push(to);
                }
            }
        }
        counts.push(next.len() as u64);
        level = next;
    }
    counts
}

#[test]
fn too_little_memory_is_refused() {
    let game = game_with(Symmetry::All, "ostle:3x3:2:0");
    let limits = Limits { memory: distance::peak(&game) - 1, ..Limits::default() };
    let refused = distance::solve(&game, NextStates::Allowed, limits, &mut NoMonitor);
    assert!(matches!(refused, Err(Error::TooLarge { .. })));
}
