//! Agents play by the rules, obey their options and find wins within their reach.

mod audit;
mod levels;
mod limits;
mod lure;
mod mcts_reference;
mod memory;
mod specs_and_records;

use hindsight_core::{
    Answer, Game, Notation, Packed, PackedGame, PackedMove, Probe, Random, Value, Wdl,
};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_play::{
    Agent, AgentResources, AgentSpec, ChosenMove, GameRecord, MatchOptions, MatchScore, Mcts,
    MoveBudget, PerfectAgent, PlayoutSettings, PruneInterval, PureMonteCarlo, SeededRandom,
    play_game,
};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::graph;
use hindsight_testkit::pack_numbers;

const SPECS: [&str; 5] = [
    "tic-tac-toe",
    "onitama:3x3:tiger,crab,monkey,crane,dragon",
    "onitama:2x3:boar",
    "quoridor:3x3:1",
    "ostle:3x3:2:1",
];

/// Returns the game of a spec, without symmetries.
fn named(spec: &str) -> PackedGame {
    by_name(spec, &Setup::default()).unwrap()
}

/// Replays a record: its moves are legal, its winner and its text are right.
fn check_record(game: &PackedGame, record: &GameRecord) {
    let mut position = game.start();
    for mv in &record.moves {
        assert_eq!(game.terminal(position), None);
        position = game.play(position, game.parse_move(position, mv).unwrap());
    }
    let mover = (record.first + record.moves.len()) % 2;
    let winner = match game.terminal(position) {
        None => {
            assert_eq!((record.moves.len(), record.ending.as_str()), (60, "limit"));
            None
        }
        Some(Wdl::Draw) => None,
        Some(Wdl::Win) => Some(mover),
        Some(Wdl::Loss) => Some(1 - mover),
    };
    assert_eq!(record.winner, winner);
    let line = serde_json::to_string(record).unwrap();
    assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), *record);
}

/// Plays matches between pairs of agents; returns the records of each pair.
fn play_matches(spec: &str, pairs: &[[&str; 2]], games: u64, seed: u64) -> Vec<Vec<GameRecord>> {
    let game = named(spec);
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let values = |positions: &[Packed]| Ok(reader.probe_many(positions).unwrap());
    let options = MatchOptions { opening_plies: 0, max_plies: 60, seed, keep_going: &|| true };
    let play_one = |pair: [&str; 2], number| {
        let agent = |text: &str| {
            let spec: AgentSpec = text.parse().unwrap();
            spec.agent(Some(&values), AgentResources::default()).unwrap()
        };
        let [mut a, mut b] = pair.map(agent);
        let record = play_game(&game, [&mut *a, &mut *b], pair, number, options).unwrap();
        check_record(&game, &record);
        record
    };
    let records = |&pair| (0..games).map(|number| play_one(pair, number)).collect();
    pairs.iter().map(records).collect()
}

fn score(records: &[GameRecord]) -> MatchScore {
    let mut score = MatchScore::default();
    records.iter().for_each(|record| score.add(record));
    score
}

const AGENTS: [&str; 13] = [
    "random",
    "mc:playouts=60",
    "mc:playouts=3,length=5",
    "mcts:playouts=60",
    "mcts:playouts=1",
    "mcts:playouts=90,rollouts=3,prune=5%,depth=0.95",
    "mcts:playouts=200,proven=yes,prune=10",
    "alphabeta:nodes=300",
    "alphabeta:depth=3",
    "level:1",
    "level:9",
    "perfect",
    "lure",
];

#[test]
fn every_agent_plays_every_game_by_the_rules_and_by_its_seed() {
    let pairs = AGENTS.map(|agent| [agent, "random"]);
    let moves = |records: Vec<Vec<GameRecord>>| -> Vec<Vec<String>> {
        let all = records.into_iter().flatten();
        all.map(|record| record.moves).collect()
    };
    for spec in SPECS {
        let twice = [&pairs[..], &pairs[..]].concat();
        let mut first = moves(play_matches(spec, &twice, 4, 3));
        let second = first.split_off(4 * AGENTS.len());
        assert_eq!(first, second, "{spec}");
        assert_ne!(first, moves(play_matches(spec, &pairs, 4, 4)), "{spec}");
    }
}

#[test]
fn stronger_agents_win() {
    let pairs = [
        ["perfect", "mcts:playouts=200"],
        ["alphabeta:nodes=3000", "mc:playouts=60"],
        ["mcts:playouts=200", "mc:playouts=60"],
        ["mc:playouts=60", "random"],
    ];
    for (pair, records) in pairs.iter().zip(play_matches("onitama:3x4:boar", &pairs, 60, 5)) {
        let score = score(&records);
        assert!(score.share() > 0.55, "{pair:?}: {score:?}");
        assert_eq!(score.games(), 60);
    }
    let pairs = [
        ["perfect", "random"],
        ["perfect", "mcts:playouts=100"],
        ["lure", "random"],
        ["lure", "mcts:playouts=100"],
    ];
    for (pair, records) in pairs.iter().zip(play_matches("tic-tac-toe", &pairs, 40, 9)) {
        assert_eq!(score(&records).wins[1], 0, "{pair:?} does not lose");
    }
}

/// One playout visits the first move only, as in the thesis.
#[test]
fn one_playout_plays_the_first_move() {
    let game = named("tic-tac-toe");
    let agent = Mcts { budget: MoveBudget::Playouts(1), ..Mcts::default() };
    let chosen = choose(&game, agent, game.start(), 4);
    assert_eq!((chosen.mv, chosen.work), (PackedMove(0), 1));
}

fn choose(game: &PackedGame, mut agent: impl Agent, at: Packed, seed: u64) -> ChosenMove {
    agent.choose(game, at, &mut SeededRandom::new(&[seed])).unwrap()
}

/// Each of `m` moves gets `max(n / m, 1)` of `n` playouts.
#[test]
fn pure_monte_carlo_shares_its_playouts() {
    let game = named("tic-tac-toe");
    for (playouts, work) in [(1, 9), (9, 9), (17, 9), (18, 18), (100, 99)] {
        let agent =
            PureMonteCarlo { budget: MoveBudget::Playouts(playouts), ..PureMonteCarlo::default() };
        assert_eq!(choose(&game, agent, game.start(), 1).work, work);
    }
}

/// A game whose playouts after the move 1 are always cut off.
///
/// Position 0 has the moves 9, which loses, and 1, which goes on for ever.
struct Endless;

impl Game for Endless {
    type Position = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        0
    }
    fn player_to_move(&self, _: u64) -> usize {
        0
    }
    fn terminal(&self, position: u64) -> Option<Wdl> {
        (position == 9).then_some(Wdl::Win)
    }
    fn moves(&self, position: u64, out: &mut Vec<u64>) {
        match position {
            0 => out.extend([9, 1]),
            9 => {}
            _ => out.push(3 - position),
        }
    }
    fn play(&self, _: u64, mv: u64) -> u64 {
        mv
    }
}

pack_numbers!(Endless, u64, "endless");

#[test]
fn cut_off_playouts_get_the_points_of_the_option() {
    let game = PackedGame::new(Endless);
    for (cutoff, mv) in [(-0.05, 9), (0.05, 1)] {
        let playouts = PlayoutSettings { max_plies: 10, cutoff_points: cutoff };
        let mc = PureMonteCarlo { playout: playouts, ..PureMonteCarlo::default() };
        let mcts = Mcts { playout: playouts, exploration: 0.0, ..Mcts::default() };
        // By default a cut-off gives fewer points than a loss, which gives 0.
        assert_eq!(choose(&game, mc, game.start(), 1).mv, PackedMove(mv));
        assert_eq!(choose(&game, mcts, game.start(), 1).mv, PackedMove(mv));
    }
}

/// Searches random positions for proofs. Counts the short wins among them, which are proven.
fn count_proofs(game: &PackedGame) -> u32 {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(game);
    let value = |at| reader.probe(at).unwrap().exact().unwrap();
    let agent =
        Mcts { budget: MoveBudget::Playouts(20_000), prove_values: true, ..Mcts::default() };
    let mut random = SeededRandom::new(&[3]);
    let mut proven = 0;
    for seed in 0..40 {
        let (at, _) = game.random_playout(game.start(), random.below(8), &mut random);
        if game.terminal(at).is_some() {
            continue;
        }
        let chosen = choose(game, agent, at, seed);
        let after = value(game.play(at, chosen.mv)).before();
        if let Value::Win(1..=3) = value(at) {
            assert_eq!(after.wdl(), Wdl::Win, "{}", game.format(at));
            assert!(chosen.work < 20_000, "{} was proven", game.format(at));
            proven += 1;
        }
    }
    proven
}

/// Short wins are proven and played.
#[test]
fn proven_wins_are_played() {
    let proven: u32 = SPECS.iter().map(|spec| count_proofs(&named(spec))).sum();
    assert!(proven > 30, "{proven}");
}

/// A move proven lost is excluded: pruning neither keeps it nor ends the search because of it.
#[test]
fn moves_proven_lost_are_excluded() {
    /// A game with the moves 1, 2 and 3 from position 0.
    ///
    /// After 1 the opponent has one winning reply among eight; after 2 and 3 nobody ever wins.
    struct Trap;
    impl Game for Trap {
        type Position = u64;
        type Move = u64;
        fn start(&self) -> u64 {
            0
        }
        fn player_to_move(&self, _: u64) -> usize {
            0
        }
        fn terminal(&self, position: u64) -> Option<Wdl> {
            match position {
                10 => Some(Wdl::Loss),
                11.. => Some(Wdl::Win),
                _ => None,
            }
        }
        fn moves(&self, position: u64, out: &mut Vec<u64>) {
            match position {
                0 => out.extend([1, 2, 3]),
                1 => out.extend([11, 12, 13, 14, 15, 16, 17, 10]),
                2..=9 => out.push(position ^ 4),
                _ => {}
            }
        }
        fn play(&self, _: u64, mv: u64) -> u64 {
            mv
        }
    }
    pack_numbers!(Trap, u64, "trap");
    let game = PackedGame::new(Trap);
    let agent = Mcts {
        budget: MoveBudget::Playouts(400),
        prune: Some(PruneInterval::Cycles(1)),
        prove_values: true,
        ..Mcts::default()
    };
    for seed in 0..20 {
        let chosen = choose(&game, agent, game.start(), seed);
        assert_ne!(chosen.mv, PackedMove(1), "it loses");
        assert!(chosen.work > 40, "2 and 3 are both looked at: {chosen:?}");
    }
}

/// Searches random positions to a depth. Counts the wins within it, which are played.
fn count_wins_found(game: &PackedGame) -> u32 {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(game);
    let value = |at| reader.probe(at).unwrap().exact().unwrap();
    let mut random = SeededRandom::new(&[23]);
    let mut found = 0;
    for seed in 0..60 {
        let (at, _) = game.random_playout(game.start(), random.below(12), &mut random);
        if game.terminal(at).is_some() {
            continue;
        }
        let agent: AgentSpec = "alphabeta:depth=5".parse().unwrap();
        let mut agent = agent.agent(None, AgentResources::default()).unwrap();
        let mut seeded = SeededRandom::new(&[seed]);
        let chosen = agent.choose(game, at, &mut seeded).unwrap();
        let after = value(game.play(at, chosen.mv)).before();
        match value(at) {
            Value::Win(1..=5) => {
                assert_eq!(after, value(at), "{}", game.format(at));
                found += 1;
            }
            // No draw is given away within the depth.
            Value::Draw => {
                assert!(!matches!(after, Value::Loss(0..=5)), "{}", game.format(at))
            }
            _ => {}
        }
    }
    found
}

/// A search keeps draws, and plays quickest wins, that lie within its depth.
#[test]
fn alpha_beta_finds_what_is_within_its_depth() {
    let found = SPECS.map(|spec| count_wins_found(&named(spec)));
    assert!(found.iter().sum::<u32>() > 60, "{found:?}");
}

/// Perfect play keeps the value at every ply.
#[test]
fn perfect_keeps_every_value() {
    let game = named("tic-tac-toe");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let value = |at| reader.probe(at).unwrap().exact().unwrap();
    let values = |positions: &[_]| Ok(reader.probe_many(positions).unwrap());
    let agent = PerfectAgent { probe: &values };
    let mut random = SeededRandom::new(&[8]);
    let mut first = std::collections::HashSet::new();
    for seed in 0..400 {
        let (at, _) = game.random_playout(game.start(), random.below(7), &mut random);
        if game.terminal(at).is_some() {
            continue;
        }
        let chosen = choose(&game, agent, at, seed);
        let after = value(game.play(at, chosen.mv)).before();
        assert_eq!(after, value(at), "{}", game.format(at));
        if at == game.start() {
            first.insert(chosen.mv);
        }
    }
    // All nine first moves draw.
    assert!(first.len() > 6, "{first:?}");
}

#[test]
fn values_that_are_missing_are_an_error() {
    let game = named("tic-tac-toe");
    let unknown = |positions: &[_]| Ok(vec![Answer::Unknown; positions.len()]);
    let broken = |_: &[_]| Err("the disk is gone".into());
    let mut random = SeededRandom::new(&[1]);
    let mut error = |values| {
        let mut agent = PerfectAgent { probe: values };
        agent.choose(&game, game.start(), &mut random).unwrap_err().to_string()
    };
    assert!(error(&unknown).contains("does not know"));
    assert_eq!(error(&broken), "the disk is gone");
}
