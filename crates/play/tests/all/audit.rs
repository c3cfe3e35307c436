//! Agents beside known values: what is counted, counted again without any care for speed.

use std::collections::BTreeMap;

use hindsight_core::{Answer, Game, Material, Notation, Probe, Random, Value, Wdl};
use hindsight_play::{
    Agent, AgentError, AgentResources, AgentSpec, AuditSetup, AuditTally, ChosenMove, MoveVerdict,
    PerfectAgent, PlayQuality, RandomAgent, SeededRandom, SelfPlayOptions,
};
use hindsight_rules::tic_tac_toe::TicTacToe;
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_solve::{Limits, NoMonitor, graph};

use crate::SPECS;

/// An agent that writes down what it was asked and what it answered.
struct Noted<'a, G: Game> {
    agent: Box<dyn Agent<G> + 'a>,
    notes: Vec<(G::Position, G::Move)>,
}

impl<G: Game> Agent<G> for Noted<'_, G> {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let choice = self.agent.choose(game, position, random)?;
        self.notes.push((position, choice.mv));
        Ok(choice)
    }
}

fn terms(opening: u32) -> SelfPlayOptions<'static> {
    SelfPlayOptions {
        opening_plies: opening,
        max_plies: 40,
        max_choices: 1000,
        seed: 5,
        keep_going: &|| true,
    }
}

/// Judges agents in games against themselves, and checks what is told of each choice and of them all.
struct Judge<'a> {
    agents: &'a [&'a str],
    games: u64,
}

impl Visitor for Judge<'_> {
    type Output = Vec<PlayQuality>;

    fn visit<G: Game + Notation + Material>(self, game: G) -> Vec<PlayQuality> {
        let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
        let reader = solved.reader(&game);
        let values = |positions: &[G::Position]| Ok(reader.probe_many(positions).unwrap());
        let value = |at| reader.probe(at).unwrap().exact().unwrap();
        let layer = |at| {
            let mut moves = Vec::new();
            game.moves(at, &mut moves);
            moves.len() as u32 % 3
        };
        let ground = AuditSetup {
            game: &game,
            probe: &values,
            layer: &layer,
        };
        let judged = self.agents.iter().map(|agent| {
            let spec: AgentSpec = agent.parse().unwrap();
            let noted = || Noted {
                agent: spec
                    .agent::<G>(Some(&values), AgentResources::default())
                    .unwrap(),
                notes: Vec::new(),
            };
            let mut quality = PlayQuality::default();
            let mut all: Vec<MoveVerdict> = Vec::new();
            for number in 0..self.games {
                let [mut first, mut second] = [noted(), noted()];
                let terms = terms(number as u32 % 4);
                let played = ground.self_play([&mut first, &mut second], number, terms);
                let verdicts = played.unwrap();
                check(&ground, &value, [first.notes, second.notes], &verdicts);
                verdicts.iter().for_each(|verdict| quality.add(verdict));
                all.extend(verdicts);
            }
            recount(&all, &quality);
            quality
        });
        judged.collect()
    }
}

/// Whether the verdicts of a game are those of all choices of both sides, in order.
fn check<G: Game>(
    ground: &AuditSetup<'_, G>,
    value: &dyn Fn(G::Position) -> Value,
    notes: [Vec<(G::Position, G::Move)>; 2],
    verdicts: &[MoveVerdict],
) {
    let [mut a, mut b] = notes.map(Vec::into_iter);
    for verdict in verdicts {
        let fits = |note: Option<&(G::Position, G::Move)>| {
            note.is_some_and(|&choice| is_of(ground.game, value, choice, verdict))
        };
        let a_is_next = fits(a.as_slice().first());
        let note = if a_is_next { a.next() } else { b.next() };
        assert!(fits(note.as_ref()), "{verdict:?}");
        let at = note.expect("a choice that was asked for").0;
        assert_eq!(verdict.layer, (ground.layer)(at));
        assert!(verdict.seconds >= 0.0);
    }
    assert_eq!((a.next(), b.next()), (None, None), "all are judged");
}

/// Whether a verdict is that of a choice, by the values of all moves.
fn is_of<G: Game>(
    game: &G,
    value: &dyn Fn(G::Position) -> Value,
    (at, mv): (G::Position, G::Move),
    verdict: &MoveVerdict,
) -> bool {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    let worth: Vec<Value> = moves
        .iter()
        .map(|&mv| value(game.play(at, mv)).before())
        .collect();
    let keeps = |got: Value| match value(at) {
        Value::Win(_) => matches!(got, Value::Win(_)),
        Value::Draw => got == Value::Draw,
        Value::Loss(_) => true,
    };
    moves.len() > 1
        && verdict.value == value(at)
        && verdict.value_after_move == value(game.play(at, mv)).before()
        && verdict.legal_moves == moves.len()
        && verdict.keeping_moves == worth.iter().filter(|&&got| keeps(got)).count()
        && verdict.is_critical() == worth.iter().any(|&got| !keeps(got))
        && verdict.is_blunder() != keeps(verdict.value_after_move)
}

/// Every sum, by its definition.
fn tally(verdicts: &[&MoveVerdict]) -> AuditTally {
    let count = |which: &dyn Fn(&MoveVerdict) -> bool| {
        verdicts.iter().filter(|verdict| which(verdict)).count() as u64
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

fn same(a: &AuditTally, b: &AuditTally) {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    near(a.expected_blunders, b.expected_blunders);
    near(a.seconds, b.seconds);
    let whole = |of: &AuditTally| AuditTally {
        expected_blunders: 0.0,
        seconds: 0.0,
        ..*of
    };
    assert_eq!(whole(a), whole(b));
}

fn recount(all: &[MoveVerdict], quality: &PlayQuality) {
    let which = |which: &dyn Fn(&MoveVerdict) -> bool| {
        let verdicts = all.iter().filter(|verdict| which(verdict));
        tally(&verdicts.collect::<Vec<_>>())
    };
    same(&quality.all, &which(&|_| true));
    for (&value, sum) in &quality.by_value {
        same(sum, &which(&|verdict| verdict.value == value));
    }
    for (&layer, sum) in &quality.by_layer {
        same(sum, &which(&|verdict| verdict.layer == layer));
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
        same(&sum, &which(&belongs));
        seen += sum.choices;
    }
    assert_eq!(seen, quality.all.choices);
    let layers: u64 = quality.by_layer.values().map(|sum| sum.choices).sum();
    assert_eq!(layers, quality.all.choices);
}

fn judged(spec: &str, agents: &[&str], games: u64) -> Vec<PlayQuality> {
    by_name(spec, &Setup::default(), Judge { agents, games }).unwrap()
}

#[test]
fn counts_are_those_of_a_slow_program() {
    let agents = [
        "random",
        "mc:playouts=20",
        "mcts:playouts=30",
        "alphabeta:depth=2",
    ];
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

/// A player at random gives away what chance does: within four deviations of it.
#[test]
fn random_is_chance() {
    for spec in SPECS {
        let AuditTally {
            critical,
            blunders: given_away,
            expected_blunders: by_chance,
            ..
        } = judged(spec, &["random"], 300)[0].all;
        assert!(critical > 100, "{spec}: {critical}");
        let spread = (critical as f64 / 4.0).sqrt();
        let apart = (given_away as f64 - by_chance).abs();
        assert!(apart < 4.0 * spread, "{spec}: {given_away} {by_chance}");
    }
}

#[test]
fn more_playouts_err_less() {
    let agents = ["mcts:playouts=2", "mcts:playouts=20", "mcts:playouts=400"];
    let spec = "onitama:3x3:tiger,crab,monkey,crane,dragon";
    let judged = judged(spec, &agents, 120).into_iter();
    let shares = judged.map(|PlayQuality { all, .. }| {
        assert!(all.critical > 100, "{all:?}");
        all.blunders as f64 / all.critical as f64
    });
    let shares: Vec<f64> = shares.collect();
    assert!(shares[0] > shares[1] && shares[1] > shares[2], "{shares:?}");
}

/// Hands over tic-tac-toe with its values, all of one layer.
fn on_tic_tac_toe(layer: u32, judge: impl FnOnce(AuditSetup<'_, TicTacToe>)) {
    let game = TicTacToe::default();
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).unwrap();
    let reader = solved.reader(&game);
    let values = |positions: &[_]| -> Result<Vec<Answer>, String> {
        Ok(reader.probe_many(positions).unwrap())
    };
    judge(AuditSetup {
        game: &game,
        probe: &values,
        layer: &|_| layer,
    });
}

/// Games end where they must, and begin alike whatever the agents are.
#[test]
fn games_are_cut_where_they_must_be() {
    on_tic_tac_toe(0, |ground| {
        let play = |terms: SelfPlayOptions<'_>, number| {
            let [mut a, mut b] = [RandomAgent; 2];
            ground.self_play([&mut a, &mut b], number, terms)
        };
        let at_most = |plies, choices, opening| SelfPlayOptions {
            max_plies: plies,
            max_choices: choices,
            ..terms(opening)
        };
        assert_eq!(play(at_most(3, 9, 0), 1).unwrap().len(), 3);
        assert_eq!(play(at_most(3, 9, 2), 1).unwrap().len(), 1);
        assert_eq!(play(at_most(3, 9, 3), 1).unwrap(), []);
        assert_eq!(play(at_most(9, 2, 1), 1).unwrap().len(), 2);
        // The first verdicts are of positions with 9, 8, 7 .. moves.
        let moves = |verdicts: Vec<MoveVerdict>| {
            verdicts.iter().map(|of| of.legal_moves).collect::<Vec<_>>()
        };
        assert_eq!(moves(play(at_most(4, 9, 1), 1).unwrap()), [8, 7, 6]);
        let stopped = SelfPlayOptions {
            keep_going: &|| false,
            ..terms(0)
        };
        assert!(matches!(play(stopped, 0), Err(AgentError::Stopped)));

        let first = |agent: &str| {
            let spec: AgentSpec = agent.parse().unwrap();
            let mut notes = Vec::new();
            for number in 0..10 {
                let [mut a, mut b] = [0, 1].map(|_| Noted {
                    agent: spec
                        .agent::<TicTacToe>(None, AgentResources::default())
                        .unwrap(),
                    notes: Vec::new(),
                });
                let terms = at_most(9, 1, 2);
                ground.self_play([&mut a, &mut b], number, terms).unwrap();
                assert!(b.notes.is_empty(), "it is the first player's turn");
                notes.push(a.notes[0].0);
            }
            notes
        };
        assert_eq!(first("random"), first("mcts:playouts=9"));
    });
}

#[test]
fn positions_without_a_choice_are_passed_over() {
    on_tic_tac_toe(7, |ground| {
        let (game, values) = (ground.game, ground.probe);
        let mut random = SeededRandom::new(&[2]);
        let mut judged = BTreeMap::new();
        for _ in 0..300 {
            let (at, _) = game.playout(game.start(), random.below(10), &mut random);
            let mut moves = Vec::new();
            game.moves(at, &mut moves);
            let verdict = ground
                .judge(&mut RandomAgent, at, &mut SeededRandom::new(&[1]))
                .unwrap();
            assert_eq!(verdict.is_some(), moves.len() > 1);
            *judged.entry(moves.len()).or_insert(0) += verdict.map_or(0, |of| of.layer);
        }
        assert!(
            judged.len() == 10 && judged[&0] == 0 && judged[&1] == 0,
            "{judged:?}"
        );

        // What is not known cannot be judged.
        let unknown = |positions: &[_]| Ok(vec![Answer::Wdl(Wdl::Draw); positions.len()]);
        let ground = AuditSetup {
            probe: &unknown,
            ..ground
        };
        let mut perfect = PerfectAgent {
            probe: values,
            trap: false,
        };
        let start = game.start();
        let error = ground.judge(&mut perfect, start, &mut random).unwrap_err();
        assert!(error.to_string().contains("does not know"), "{error}");
    });
}
