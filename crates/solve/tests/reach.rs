//! Distances from the start, against a breadth-first search state by state.

use std::collections::HashMap;

use game::{Game, Restricting, Symmetry};
use games::ostle::{Ostle, OstleSetup, Position, Rule8};
use solve::reach::{self, Following};
use solve::{Error, Limits, Silent};

fn game(size: u8, pieces: u8, lost_at: u8, rule8: Rule8) -> Ostle {
    let setup = OstleSetup {
        rule8,
        ..OstleSetup::new(size, pieces, lost_at)
    };
    Ostle::new(setup, Symmetry::All)
}

/// Distances of canonical states that are not over.
fn slow(game: &Ostle, following: Following) -> HashMap<Position, u32> {
    let start = game.canonical(game.start());
    let mut found = HashMap::from([(start, 0)]);
    let mut expanded = HashMap::new();
    let mut level = vec![start];
    for distance in 1.. {
        let mut next = Vec::new();
        for state in level {
            let from = match following {
                Following::Rules => state,
                Following::Everything => game.canonical(game.join(state.base, None)),
            };
            if expanded.insert(from, ()).is_some() {
                continue;
            }
            let mut successors = Vec::new();
            game.successors(from, &mut successors);
            for to in successors
                .into_iter()
                .filter(|&to| game.terminal(to).is_none())
            {
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
    let boards = [(3, 1, 0), (3, 2, 0), (3, 2, 1), (3, 3, 1), (4, 2, 1)];
    for (size, pieces, lost_at) in boards {
        for rule8 in [Rule8::Exact, Rule8::Paper] {
            for following in [Following::Rules, Following::Everything] {
                let game = game(size, pieces, lost_at, rule8);
                let name = format!("{:?} {following:?}", game.setup());
                let distances = reach::solve(&game, following, Limits::default(), &mut Silent);
                let distances = distances.expect("a small game");
                let slow = slow(&game, following);
                let mut counts = vec![0; distances.states.len()];
                for (&state, &distance) in &slow {
                    assert_eq!(
                        distances.distance(&game, state),
                        Some(distance),
                        "{name} {state:?}"
                    );
                    counts[distance as usize] += 1;
                }
                assert_eq!(distances.states, counts, "{name}");
            }
        }
    }
}

#[test]
fn the_first_plies_of_the_paper() {
    // A smaller game with the same first plies: nobody can lose in them.
    let expected = [
        (Rule8::Paper, Following::Everything, [1, 9, 102, 954]),
        (Rule8::Paper, Following::Rules, [1, 9, 99, 932]),
        (Rule8::Exact, Following::Rules, [1, 9, 99, 924]),
    ];
    for (rule8, following, counts) in expected {
        let game = game(5, 5, 3, rule8);
        let found: Vec<u64> = first_plies(&game, following, counts.len());
        assert_eq!(found, counts, "{rule8:?} {following:?}");
    }
}

/// States by distance, from the steps of ranks alone.
fn first_plies(game: &Ostle, following: Following, plies: usize) -> Vec<u64> {
    let start = game.rank_state(game.start()).expect("a rank");
    let mut found = HashMap::from([(start, ())]);
    let mut expanded = HashMap::new();
    let mut level = vec![start];
    let mut counts = vec![1];
    while counts.len() < plies {
        let mut next = Vec::new();
        for (tier, rank, way) in level {
            let way = if following == Following::Rules {
                way
            } else {
                0
            };
            if expanded.insert((tier, rank, way), ()).is_some() {
                continue;
            }
            let mut steps = Vec::new();
            game.steps_from(tier, rank, &mut steps);
            for step in steps.into_iter().filter(|step| way == 0 || step.way != way) {
                let to = (step.tier, step.rank, step.back);
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
    let game = game(3, 2, 0, Rule8::Exact);
    let limits = Limits {
        memory: reach::peak(&game) - 1,
        ..Limits::default()
    };
    let refused = reach::solve(&game, Following::Rules, limits, &mut Silent);
    assert!(matches!(refused, Err(Error::TooLarge { .. })));
}
