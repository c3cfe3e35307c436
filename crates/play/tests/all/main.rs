//! Agents: that they play by the rules, do what their texts say, and find what there is to find.

mod audit;
mod limits;
mod mcts_reference;
mod memory;
mod texts;

use hindsight_core::{Answer, Game, Material, Notation, Probe, Random, Symmetry, Value, Wdl};
use hindsight_play::{
    Agent, AgentResources, AgentSpec, GameRecord, MatchOptions, MatchScore, Mcts, MoveBudget,
    PerfectAgent, PlayoutSettings, PruneInterval, PureMonteCarlo, SeededRandom, play_game,
};
use hindsight_rules::tic_tac_toe::TicTacToe;
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_solve::{Limits, NoMonitor, graph};

const SPECS: [&str; 5] = [
    "tic-tac-toe",
    "onitama:3x3:tiger,crab,monkey,crane,dragon",
    "onitama:2x3:boar",
    "quoridor:3x3:1",
    "ostle:3x3:2:1",
];

/// Pairs of agents over some games; the records of each pair.
struct Matches<'a> {
    pairs: &'a [[&'a str; 2]],
    games: u64,
    seed: u64,
}

impl Visitor for Matches<'_> {
    type Output = Vec<Vec<GameRecord>>;

    fn visit<G: Game + Notation + Material>(self, game: G) -> Self::Output {
        let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
        let reader = solved.reader(&game);
        let values = |positions: &[G::Position]| Ok(reader.probe_many(positions).unwrap());
        let terms = MatchOptions {
            max_plies: 60,
            seed: self.seed,
            keep_going: &|| true,
        };
        let play_one = |pair: [&str; 2], number| {
            let agent = |text: &str| {
                let spec: AgentSpec = text.parse().unwrap();
                spec.agent::<G>(Some(&values), AgentResources::default())
                    .unwrap()
            };
            let [mut a, mut b] = pair.map(agent);
            let record = play_game(&game, [&mut *a, &mut *b], pair, number, terms).unwrap();
            check(&game, &record);
            record
        };
        let pairs = self.pairs.iter();
        pairs
            .map(|&pair| {
                (0..self.games)
                    .map(|number| play_one(pair, number))
                    .collect()
            })
            .collect()
    }
}

/// Plays a record again: its moves are legal, and it ends as it says.
fn check<G: Game + Notation>(game: &G, record: &GameRecord) {
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

fn matched(spec: &str, pairs: &[[&str; 2]], games: u64, seed: u64) -> Vec<Vec<GameRecord>> {
    let matches = Matches { pairs, games, seed };
    by_name(spec, &Setup::default(), matches).unwrap()
}

fn score(records: &[GameRecord]) -> MatchScore {
    let mut score = MatchScore::default();
    records.iter().for_each(|record| score.add(record));
    score
}

const AGENTS: [&str; 11] = [
    "random",
    "mc:playouts=60",
    "mc:playouts=3,length=5",
    "mcts:playouts=60",
    "mcts:playouts=1",
    "mcts:playouts=90,rollouts=3,prune=5%,depth=0.95",
    "mcts:playouts=200,proven=yes,prune=10",
    "alphabeta:nodes=300",
    "alphabeta:depth=3",
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
        let mut first = moves(matched(spec, &twice, 4, 3));
        let second = first.split_off(4 * AGENTS.len());
        assert_eq!(first, second, "{spec}");
        assert_ne!(first, moves(matched(spec, &pairs, 4, 4)), "{spec}");
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
    for (pair, records) in pairs.iter().zip(matched("onitama:3x4:boar", &pairs, 60, 5)) {
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
    for (pair, records) in pairs.iter().zip(matched("tic-tac-toe", &pairs, 40, 9)) {
        assert_eq!(score(&records).wins[1], 0, "{pair:?} does not lose");
    }
}

/// The text of the thesis: of one playout nothing is learned, and the first move is the only one visited.
#[test]
fn one_playout_plays_the_first_move() {
    let game = TicTacToe::default();
    let agent = Mcts {
        budget: MoveBudget::Playouts(1),
        ..Mcts::default()
    };
    let choice = choose(&game, agent, game.start(), 4);
    assert_eq!((choice.mv, choice.work), (0, 1));
}

fn choose<G: Game>(
    game: &G,
    mut agent: impl Agent<G>,
    at: G::Position,
    seed: u64,
) -> hindsight_play::ChosenMove<G::Move> {
    agent
        .choose(game, at, &mut SeededRandom::new(&[seed]))
        .unwrap()
}

/// Each move gets N / moves playouts, at least one.
#[test]
fn pure_monte_carlo_shares_its_playouts() {
    let game = TicTacToe::default();
    for (playouts, work) in [(1, 9), (9, 9), (17, 9), (18, 18), (100, 99)] {
        let agent = PureMonteCarlo {
            budget: MoveBudget::Playouts(playouts),
            ..PureMonteCarlo::default()
        };
        assert_eq!(choose(&game, agent, game.start(), 1).work, work);
    }
}

/// A game on numbers that is always cut off: what a cut-off is worth decides.
struct Endless;

impl Game for Endless {
    type Position = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }
    fn terminal(&self, position: u8) -> Option<Wdl> {
        (position == 9).then_some(Wdl::Win)
    }
    /// From 0 to a number that goes on for ever, or to 9, where the other has won.
    fn moves(&self, position: u8, out: &mut Vec<u8>) {
        match position {
            0 => out.extend([9, 1]),
            9 => {}
            _ => out.push(3 - position),
        }
    }
    fn play(&self, _: u8, mv: u8) -> u8 {
        mv
    }
}

#[test]
fn what_is_cut_off_is_worth_what_is_said() {
    for (cutoff, mv) in [(-0.05, 9), (0.05, 1)] {
        let playouts = PlayoutSettings {
            max_plies: 10,
            cutoff_points: cutoff,
        };
        let mc = PureMonteCarlo {
            playout: playouts,
            ..PureMonteCarlo::default()
        };
        let mcts = Mcts {
            playout: playouts,
            exploration: 0.0,
            ..Mcts::default()
        };
        // A loss is worth 0: more than a cut-off by default.
        assert_eq!(choose(&Endless, mc, 0, 1).mv, mv);
        assert_eq!(choose(&Endless, mcts, 0, 1).mv, mv);
    }
}

/// What the tree proves is true, and a proof is found where it is short.
#[test]
fn proven_wins_are_played() {
    struct Proofs;
    impl Visitor for Proofs {
        type Output = u32;
        fn visit<G: Game + Notation + Material>(self, game: G) -> u32 {
            let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
            let reader = solved.reader(&game);
            let value = |at| reader.probe(at).unwrap().exact().unwrap();
            let agent = Mcts {
                budget: MoveBudget::Playouts(20_000),
                prove_values: true,
                ..Mcts::default()
            };
            let mut random = SeededRandom::new(&[3]);
            let mut proven = 0;
            for seed in 0..40 {
                let (at, _) = game.playout(game.start(), random.below(8), &mut random);
                if game.terminal(at).is_some() {
                    continue;
                }
                let choice = choose(&game, agent, at, seed);
                let after = value(game.play(at, choice.mv)).before();
                if let Value::Win(1..=3) = value(at) {
                    assert_eq!(after.wdl(), Wdl::Win, "{}", game.format(at));
                    assert!(choice.work < 20_000, "{} was proven", game.format(at));
                    proven += 1;
                }
            }
            proven
        }
    }
    let proven: u32 = SPECS
        .iter()
        .map(|spec| by_name(spec, &Setup::default(), Proofs).unwrap())
        .sum();
    assert!(proven > 30, "{proven}");
}

/// A move that is proven to lose is no option any more: neither does it keep others from being played, nor
/// does the search go on with one that is left.
#[test]
fn what_is_proven_lost_is_no_option() {
    /// From 0: to 1, where the other wins in two plies but mostly errs; to 2 and 3, where nobody ever wins.
    struct Trap;
    impl Game for Trap {
        type Position = u8;
        type Move = u8;
        fn start(&self) -> u8 {
            0
        }
        fn terminal(&self, position: u8) -> Option<Wdl> {
            match position {
                10 => Some(Wdl::Loss),
                11.. => Some(Wdl::Win),
                _ => None,
            }
        }
        fn moves(&self, position: u8, out: &mut Vec<u8>) {
            match position {
                0 => out.extend([1, 2, 3]),
                1 => out.extend([11, 12, 13, 14, 15, 16, 17, 10]),
                2..=9 => out.push(position ^ 4),
                _ => {}
            }
        }
        fn play(&self, _: u8, mv: u8) -> u8 {
            mv
        }
    }
    let agent = Mcts {
        budget: MoveBudget::Playouts(400),
        prune: Some(PruneInterval::Cycles(1)),
        prove_values: true,
        ..Mcts::default()
    };
    for seed in 0..20 {
        let choice = choose(&Trap, agent, 0, seed);
        assert_ne!(choice.mv, 1, "it loses");
        assert!(choice.work > 40, "2 and 3 are both looked at: {choice:?}");
    }
}

/// A search that sees to the end finds the value: it plays moves that keep the result, and win in time.
#[test]
fn alpha_beta_finds_what_is_within_its_depth() {
    struct Finds;
    impl Visitor for Finds {
        type Output = u32;
        fn visit<G: Game + Notation + Material>(self, game: G) -> u32 {
            let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
            let reader = solved.reader(&game);
            let value = |at| reader.probe(at).unwrap().exact().unwrap();
            let mut random = SeededRandom::new(&[23]);
            let mut found = 0;
            for seed in 0..60 {
                let (at, _) = game.playout(game.start(), random.below(12), &mut random);
                if game.terminal(at).is_some() {
                    continue;
                }
                let agent: AgentSpec = "alphabeta:depth=5".parse().unwrap();
                let mut agent = agent.agent::<G>(None, AgentResources::default()).unwrap();
                let mut seeded = SeededRandom::new(&[seed]);
                let choice = agent.choose(&game, at, &mut seeded).unwrap();
                let after = value(game.play(at, choice.mv)).before();
                match value(at) {
                    Value::Win(1..=5) => {
                        assert_eq!(after, value(at), "{}", game.format(at));
                        found += 1;
                    }
                    // Neither lost nor drawn positions are given away within sight.
                    Value::Draw => {
                        assert!(!matches!(after, Value::Loss(0..=5)), "{}", game.format(at))
                    }
                    _ => {}
                }
            }
            found
        }
    }
    let found = SPECS.map(|spec| by_name(spec, &Setup::default(), Finds).unwrap());
    assert!(found.iter().sum::<u32>() > 60, "{found:?}");
}

/// Perfect play keeps the value at every ply; a lure is one of the best moves, with the most wrong replies.
#[test]
fn perfect_and_lure_keep_every_value() {
    let game = TicTacToe {
        symmetry: Symmetry::None,
    };
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let value = |at| reader.probe(at).unwrap().exact().unwrap();
    let values = |positions: &[_]| -> Result<Vec<Answer>, String> {
        Ok(reader.probe_many(positions).unwrap())
    };
    let mut random = SeededRandom::new(&[8]);
    let mut chosen = std::collections::HashSet::new();
    for seed in 0..400 {
        let (at, _) = game.playout(game.start(), random.below(7), &mut random);
        if game.terminal(at).is_some() {
            continue;
        }
        for lure in [false, true] {
            let agent = PerfectAgent {
                probe: &values,
                trap: lure,
            };
            let choice = choose(&game, agent, at, seed);
            assert_eq!(
                value(game.play(at, choice.mv)).before(),
                value(at),
                "{}",
                game.format(at)
            );
            if at == game.start() {
                chosen.insert((lure, choice.mv));
            }
        }
    }
    // All nine first moves draw. After a corner seven of eight replies lose: those are the lures.
    let of = |lure| {
        (0..9)
            .filter(|&mv| chosen.contains(&(lure, mv)))
            .collect::<Vec<u8>>()
    };
    assert_eq!(of(true), [0, 2, 6, 8]);
    assert!(of(false).len() > 6, "{:?}", of(false));
}

#[test]
fn values_that_are_missing_are_an_error() {
    let game = TicTacToe::default();
    let unknown = |positions: &[_]| Ok(vec![Answer::Unknown; positions.len()]);
    let broken = |_: &[_]| Err(String::from("the disk is gone"));
    let mut random = SeededRandom::new(&[1]);
    let mut error = |values| {
        let mut agent = PerfectAgent {
            probe: values,
            trap: false,
        };
        Agent::<TicTacToe>::choose(&mut agent, &game, game.start(), &mut random)
            .unwrap_err()
            .to_string()
    };
    assert!(error(&unknown).contains("does not know"));
    assert_eq!(error(&broken), "the disk is gone");
}
