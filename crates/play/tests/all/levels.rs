//! Levels: each plays better than the one below, the highest without a mistake.

use std::time::Duration;

use hindsight_core::{Game, Notation, Packed, PackedGame, Probe, Value};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_play::{
    AgentResources, AgentSpec, MatchOptions, MatchScore, SeededRandom, estimate_by_playouts,
    estimate_by_search, play_game,
};
use hindsight_solve::graph;

use crate::{named, play_matches, score};

/// Returns the numbers of positions with a choice, and of those in which a level gives nothing
/// away, by values, in games of the level against itself.
fn perfect_choices(game: &PackedGame, level: &str, games: u64) -> [usize; 2] {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(game);
    let values = |positions: &[Packed]| Ok(reader.probe_many(positions).unwrap());
    let value = |position| reader.probe(position).unwrap().exact().unwrap();
    let spec: AgentSpec = level.parse().unwrap();
    let mut agent = spec.agent(Some(&values), AgentResources::default()).unwrap();
    let mut counts = [0, 0];
    for number in 0..games {
        let mut random = SeededRandom::new(&[number]);
        let mut position = game.start();
        while game.terminal(position).is_none() {
            let chosen = agent.choose(game, position, &mut random).unwrap();
            let next = game.play(position, chosen.mv);
            let best: Value = value(position);
            counts[0] += 1;
            counts[1] += usize::from(value(next).before() == best);
            position = next;
        }
    }
    counts
}

#[test]
fn the_highest_level_plays_best_moves_by_values() {
    let game = named("tic-tac-toe");
    let [choices, perfect] = perfect_choices(&game, "level:10", 200);
    assert_eq!(choices, perfect);
    let [choices, perfect] = perfect_choices(&game, "level:1", 200);
    assert!(perfect < choices * 9 / 10, "{perfect} of {choices}");
    let game = named("quoridor:3x3:1");
    let [choices, perfect] = perfect_choices(&game, "level:10", 50);
    assert_eq!(choices, perfect);
}

/// Plays a match between two levels that know no values.
fn search_match(game: &PackedGame, levels: [&str; 2], games: u64) -> MatchScore {
    let options = MatchOptions { opening_plies: 0, max_plies: 200, seed: 6, keep_going: &|| true };
    let mut score = MatchScore::default();
    for number in 0..games {
        let agent = |text: &str| {
            let spec: AgentSpec = text.parse().unwrap();
            spec.agent(None, AgentResources::default()).unwrap()
        };
        let [mut a, mut b] = levels.map(agent);
        let record = play_game(game, [&mut *a, &mut *b], levels, number, options);
        score.add(&record.unwrap());
    }
    score
}

#[test]
fn higher_levels_win_by_values() {
    let game = "onitama:3x3:tiger,crab,monkey,crane,dragon";
    let pairs = [["level:4", "level:1"], ["level:10", "level:2"]];
    for (records, pair) in play_matches(game, &pairs, 100, 5).iter().zip(pairs) {
        let score = score(records);
        assert!(score.share() > 0.6, "{pair:?}: {:?}", score.wins);
    }
}

#[test]
fn higher_levels_win_by_searches() {
    for spec in ["onitama:4x4:tiger,crab,monkey,crane,dragon", "ostle", "dodgem:4x4"] {
        for levels in [["level:3", "level:1"], ["level:5", "level:3"]] {
            let score = search_match(&named(spec), levels, 40);
            assert!(score.share() > 0.6, "{spec} {levels:?}: {:?}", score.wins);
        }
    }
}

/// Whoever moves last in a search is better off by it: the mean of two depths is for neither side.
#[test]
fn estimates_do_not_swing_from_ply_to_ply() {
    let game = named("quoridor:9x9:10");
    let best = |moves: Vec<f64>| moves.into_iter().fold(-1.0, f64::max);
    let (time, resources) = (Duration::from_millis(300), AgentResources::default());
    let by_search = |text: &str| {
        let position = game.parse(text).expect("a position");
        let found = estimate_by_search(&game, position, time, resources);
        best(found.expect("an evaluation").moves)
    };
    let by_playouts = |text: &str| {
        let position = game.parse(text).expect("a position");
        let mut random = SeededRandom::new(&[1]);
        let found = estimate_by_playouts(&game, position, time, resources, &mut random);
        best(found.expect("memory").moves)
    };
    let both: [&dyn Fn(&str) -> f64; 2] = [&by_search, &by_playouts];
    for estimate in both {
        let (mover, other) = (estimate("e1 e9 10,10 - white"), estimate("e2 e9 10,10 - black"));
        assert!((mover + other).abs() < 0.3 && mover.abs() < 0.3, "{mover} {other}");
    }
}
