//! Audits of agents, compared with a slow recount.

use std::collections::BTreeMap;

use hindsight_core::{Answer, Game, Packed, PackedGame, PackedMove, Probe, Random, Value, Wdl};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_play::{
    Agent, AgentError, AgentResources, AgentSpec, AuditSetup, AuditTally, ChosenMove, MoveVerdict,
    PerfectAgent, PlayQuality, RandomAgent, SeededRandom, SelfPlayOptions,
};
use hindsight_solve::graph;

use crate::{SPECS, named};

/// An agent that records its positions and moves.
struct Recorded<'a> {
    agent: Box<dyn Agent + 'a>,
    record: Vec<(Packed, PackedMove)>,
}

impl Agent for Recorded<'_> {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let chosen = self.agent.choose(game, position, random)?;
        self.record.push((position, chosen.mv));
        Ok(chosen)
    }
}

fn options(opening: u32) -> SelfPlayOptions<'static> {
    SelfPlayOptions {
        opening_plies: opening,
        max_plies: 40,
        max_choices: 1000,
        seed: 5,
        keep_going: &|| true,
    }
}

/// Checks that the verdicts of a game are those of all choices of both sides, in order.
fn check_verdicts(
    setup: &AuditSetup<'_>,
    value: &dyn Fn(Packed) -> Value,
    record: [Vec<(Packed, PackedMove)>; 2],
    verdicts: &[MoveVerdict],
) {
    let [mut a, mut b] = record.map(Vec::into_iter);
    for verdict in verdicts {
        let matches = |choice: Option<&(Packed, PackedMove)>| {
            choice.is_some_and(|&(at, mv)| verdict_is_right(setup.game, value, at, mv, verdict))
        };
        let a_is_next = matches(a.as_slice().first());
        let choice = if a_is_next { a.next() } else { b.next() };
        assert!(matches(choice.as_ref()), "{verdict:?}");
        let (at, _) = choice.expect("a recorded choice");
        assert_eq!(verdict.layer, (setup.layer)(at));
        assert!(verdict.seconds >= 0.0);
    }
    assert_eq!((a.next(), b.next()), (None, None), "all are judged");
}

/// Returns true if a verdict on the move `mv` at `at` agrees with the values of all moves.
fn verdict_is_right(
    game: &PackedGame,
    value: &dyn Fn(Packed) -> Value,
    at: Packed,
    mv: PackedMove,
    verdict: &MoveVerdict,
) -> bool {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    let values_after_moves: Vec<Value> =
        moves.iter().map(|&mv| value(game.play(at, mv)).before()).collect();
    let keeps = |after: Value| match value(at) {
        Value::Win(_) => matches!(after, Value::Win(_)),
        Value::Draw => after == Value::Draw,
        Value::Loss(_) => true,
    };
    moves.len() > 1
        && verdict.value == value(at)
        && verdict.value_after_move == value(game.play(at, mv)).before()
        && verdict.legal_moves == moves.len()
        && verdict.keeping_moves == values_after_moves.iter().filter(|&&after| keeps(after)).count()
        && verdict.is_critical() == values_after_moves.iter().any(|&after| !keeps(after))
        && verdict.is_blunder() != keeps(verdict.value_after_move)
}

/// Returns every sum by its definition.
fn expected_tally(verdicts: &[&MoveVerdict]) -> AuditTally {
    let count = |condition: &dyn Fn(&MoveVerdict) -> bool| {
        verdicts.iter().filter(|verdict| condition(verdict)).count() as u64
    };
    let plies = |value: Value| i64::from(value.remoteness().unwrap());
    let lost = |wdl| {
        let kept = verdicts
            .iter()
            .filter(|verdict| verdict.value.wdl() == wdl && verdict.value_after_move.wdl() == wdl);
        let lost = kept
            .map(|verdict| (plies(verdict.value_after_move) - plies(verdict.value)).unsigned_abs());
        (lost.clone().count() as u64, lost.sum())
    };
    let (wins_kept, plies_lost_in_wins) = lost(Wdl::Win);
    let (losses, plies_lost_in_losses) = lost(Wdl::Loss);
    AuditTally {
        choices: verdicts.len() as u64,
        critical: count(&|verdict| verdict.keeping_moves != verdict.legal_moves),
        blunders: count(&|verdict| verdict.value_after_move.wdl() != verdict.value.wdl()),
        expected_blunders: verdicts
            .iter()
            .map(|verdict| 1.0 - verdict.keeping_moves as f64 / verdict.legal_moves as f64)
            .sum(),
        best_moves: count(&|verdict| verdict.value_after_move == verdict.value),
        wins_kept,
        plies_lost_in_wins,
        losses,
        plies_lost_in_losses,
        seconds: verdicts.iter().map(|verdict| verdict.seconds).sum(),
    }
}

fn assert_same(a: &AuditTally, b: &AuditTally) {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    near(a.expected_blunders, b.expected_blunders);
    near(a.seconds, b.seconds);
    let counts = |tally: &AuditTally| AuditTally { expected_blunders: 0.0, seconds: 0.0, ..*tally };
    assert_eq!(counts(a), counts(b));
}

fn recount(all: &[MoveVerdict], quality: &PlayQuality) {
    let tally = |condition: &dyn Fn(&MoveVerdict) -> bool| {
        let verdicts = all.iter().filter(|verdict| condition(verdict));
        expected_tally(&verdicts.collect::<Vec<_>>())
    };
    assert_same(&quality.all, &tally(&|_| true));
    for (&value, sum) in &quality.by_value {
        assert_same(sum, &tally(&|verdict| verdict.value == value));
    }
    for (&layer, sum) in &quality.by_layer {
        assert_same(sum, &tally(&|verdict| verdict.layer == layer));
    }
    let mut seen = 0;
    for (class, sum) in quality.by_class() {
        let belongs = |verdict: &MoveVerdict| {
            let plies = verdict.value.remoteness().map(u32::from);
            let within = match (&class.plies, plies) {
                (Some(plies), Some(n)) => plies.contains(&n),
                (None, None) => true,
                _ => false,
            };
            verdict.value.wdl() == class.result && within
        };
        assert_same(&sum, &tally(&belongs));
        seen += sum.choices;
    }
    assert_eq!(seen, quality.all.choices);
    let layers: u64 = quality.by_layer.values().map(|sum| sum.choices).sum();
    assert_eq!(layers, quality.all.choices);
}

/// Audits agents in games against themselves; checks each verdict and all sums.
fn judged(spec: &str, agents: &[&str], games: u64) -> Vec<PlayQuality> {
    let game = named(spec);
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let values = |positions: &[Packed]| Ok(reader.probe_many(positions).unwrap());
    let value = |at| reader.probe(at).unwrap().exact().unwrap();
    let layer = |at| {
        let mut moves = Vec::new();
        game.moves(at, &mut moves);
        moves.len() as u32 % 3
    };
    let setup = AuditSetup { game: &game, probe: &values, layer: &layer };
    let judged = agents.iter().map(|agent| {
        let spec: AgentSpec = agent.parse().unwrap();
        let recorded = || Recorded {
            agent: spec.agent(Some(&values), AgentResources::default()).unwrap(),
            record: Vec::new(),
        };
        let mut quality = PlayQuality::default();
        let mut all: Vec<MoveVerdict> = Vec::new();
        for number in 0..games {
            let [mut first, mut second] = [recorded(), recorded()];
            let options = options(number as u32 % 4);
            let played = setup.self_play([&mut first, &mut second], number, options);
            let verdicts = played.unwrap();
            check_verdicts(&setup, &value, [first.record, second.record], &verdicts);
            verdicts.iter().for_each(|verdict| quality.add(verdict));
            all.extend(verdicts);
        }
        recount(&all, &quality);
        quality
    });
    judged.collect()
}

#[test]
fn sums_agree_with_a_slow_recount() {
    let agents = ["random", "mc:playouts=20", "mcts:playouts=30", "alphabeta:depth=2"];
    for spec in SPECS {
        for (agent, quality) in agents.iter().zip(judged(spec, &agents, 30)) {
            assert!(quality.all.choices > 12, "{spec} {agent}: {quality:?}");
        }
    }
}

#[test]
fn perfect_keeps_everything() {
    for spec in SPECS {
        for PlayQuality { all, .. } in judged(spec, &["perfect", "lure"], 20) {
            assert_eq!(all.best_moves, all.choices, "{spec}");
            assert_eq!(all.blunders, 0);
            assert_eq!((all.plies_lost_in_wins, all.plies_lost_in_losses), (0, 0));
        }
    }
}

/// A random player blunders as often as expected, within four standard deviations.
#[test]
fn random_play_blunders_as_expected() {
    for spec in SPECS {
        let AuditTally { critical, blunders: given_away, expected_blunders: by_chance, .. } =
            judged(spec, &["random"], 300)[0].all;
        assert!(critical > 100, "{spec}: {critical}");
        let spread = (critical as f64 / 4.0).sqrt();
        let apart = (given_away as f64 - by_chance).abs();
        assert!(apart < 4.0 * spread, "{spec}: {given_away} {by_chance}");
    }
}

#[test]
fn more_playouts_err_less() {
    let agents = ["mcts:playouts=2", "mcts:playouts=10", "mcts:playouts=400"];
    let spec = "onitama:3x3:tiger,crab,monkey,crane,dragon";
    let judged = judged(spec, &agents, 120).into_iter();
    let shares = judged.map(|PlayQuality { all, .. }| {
        assert!(all.critical > 100, "{all:?}");
        all.blunders as f64 / all.critical as f64
    });
    let shares: Vec<f64> = shares.collect();
    assert!(shares[0] > shares[1] && shares[1] > shares[2], "{shares:?}");
}

/// Calls `judge` with the audit of tic-tac-toe, all positions in `layer`.
fn on_tic_tac_toe(layer: u32, judge: impl FnOnce(AuditSetup<'_>)) {
    let game = named("tic-tac-toe");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let values = |positions: &[_]| Ok(reader.probe_many(positions).unwrap());
    judge(AuditSetup { game: &game, probe: &values, layer: &|_| layer });
}

/// Games are cut off at each limit, and share their opening whatever the agents.
#[test]
fn games_are_cut_where_they_must_be() {
    on_tic_tac_toe(0, |setup| {
        let play = |options: SelfPlayOptions<'_>, number| {
            let [mut a, mut b] = [RandomAgent; 2];
            setup.self_play([&mut a, &mut b], number, options)
        };
        let at_most = |plies, choices, opening| SelfPlayOptions {
            max_plies: plies,
            max_choices: choices,
            ..options(opening)
        };
        assert_eq!(play(at_most(3, 9, 0), 1).unwrap().len(), 3);
        assert_eq!(play(at_most(3, 9, 2), 1).unwrap().len(), 1);
        assert_eq!(play(at_most(3, 9, 3), 1).unwrap(), []);
        assert_eq!(play(at_most(9, 2, 1), 1).unwrap().len(), 2);
        // The positions of a game have 9, 8, 7, .. moves; one opening ply is not judged.
        let moves = |verdicts: Vec<MoveVerdict>| {
            verdicts.iter().map(|verdict| verdict.legal_moves).collect::<Vec<_>>()
        };
        assert_eq!(moves(play(at_most(4, 9, 1), 1).unwrap()), [8, 7, 6]);
        let stopped = SelfPlayOptions { keep_going: &|| false, ..options(0) };
        assert!(matches!(play(stopped, 0), Err(AgentError::Stopped)));

        let first = |agent: &str| {
            let spec: AgentSpec = agent.parse().unwrap();
            let mut record = Vec::new();
            for number in 0..10 {
                let [mut a, mut b] = [0, 1].map(|_| Recorded {
                    agent: spec.agent(None, AgentResources::default()).unwrap(),
                    record: Vec::new(),
                });
                let options = at_most(9, 1, 2);
                setup.self_play([&mut a, &mut b], number, options).unwrap();
                assert!(b.record.is_empty(), "it is the first player's turn");
                record.push(a.record[0].0);
            }
            record
        };
        assert_eq!(first("random"), first("mcts:playouts=9"));
    });
}

#[test]
fn positions_without_a_choice_are_passed_over() {
    on_tic_tac_toe(7, |setup| {
        let (game, values) = (setup.game, setup.probe);
        let mut random = SeededRandom::new(&[2]);
        let mut judged = BTreeMap::new();
        for _ in 0..300 {
            let (at, _) = game.random_playout(game.start(), random.below(10), &mut random);
            let mut moves = Vec::new();
            game.moves(at, &mut moves);
            let verdict = setup.judge(&mut RandomAgent, at, &mut SeededRandom::new(&[1])).unwrap();
            assert_eq!(verdict.is_some(), moves.len() > 1);
            *judged.entry(moves.len()).or_insert(0) += verdict.map_or(0, |verdict| verdict.layer);
        }
        assert!(judged.len() == 10 && judged[&0] == 0 && judged[&1] == 0, "{judged:?}");

        // Values without remoteness are not enough for a verdict.
        let unknown = |positions: &[_]| Ok(vec![Answer::Wdl(Wdl::Draw); positions.len()]);
        let setup = AuditSetup { probe: &unknown, ..setup };
        let mut perfect = PerfectAgent { probe: values };
        let start = game.start();
        let error = setup.judge(&mut perfect, start, &mut random).unwrap_err();
        assert!(error.to_string().contains("does not know"), "{error}");
    });
}
