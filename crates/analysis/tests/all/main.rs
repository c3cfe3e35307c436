//! Analyses against the values of all positions: a proved value is right, whatever its source.

use std::time::Duration;

use hindsight_analysis::{
    Analysis, AnalysisListener, AnalysisSource, AnalysisTask, Decide, analyse,
};
use hindsight_core::{
    Answer, Game, Notation, PawnPairs, Retro, Subgames, Symmetry, TwoSided, Value,
};
use hindsight_rules::dodgem::Dodgem;
use hindsight_rules::onitama::SmallOnitama;
use hindsight_rules::ostle::Ostle;
use hindsight_rules::quoridor::Quoridor;
use hindsight_rules::tic_tac_toe::TicTacToe;
use hindsight_rules::{Setup, Visitor, by_name_among};
use hindsight_run::{Limits, NoMonitor, Progress};
use hindsight_solve::graph;

/// Games of the tests.
type Games = (SmallOnitama, Quoridor, Ostle, TicTacToe, Dodgem);

/// Check of what is known so far.
type CheckAnalysis<'a, G> = dyn Fn(&Analysis<<G as Game>::Position, <G as Game>::Move>) + 'a;

/// Listener that checks every report on the way, and stops after some.
struct CheckReports<'a, G: Game> {
    check: &'a CheckAnalysis<'a, G>,
    reports: u32,
    most_reports: u32,
}

impl<G: Game> AnalysisListener<G> for CheckReports<'_, G> {
    fn report(&mut self, _: Progress) -> bool {
        self.reports += 1;
        self.reports < self.most_reports
    }

    fn improved(&mut self, analysis: &Analysis<G::Position, G::Move>) {
        (self.check)(analysis);
    }
}

/// Analyses every `step`-th position of a game in little time. Returns the number of positions,
/// and of those that were proved.
struct CompareAnalyses {
    step: usize,
    time: Duration,
    most_reports: u32,
    has_small_graph: bool,
}

impl CompareAnalyses {
    fn run<G: Notation + 'static>(&self, game: &G, decide: Decide<G>) -> [usize; 2] {
        let solved = graph::solve(game, Limits::default(), &mut NoMonitor).expect("no limits");
        let value_of = |position| {
            let number = solved.number(game, position).expect("a reachable position");
            solved.value(number)
        };
        let [mut positions, mut proved] = [0; 2];
        for &position in solved.positions().iter().step_by(self.step) {
            let check = |analysis: &Analysis<G::Position, G::Move>| {
                check_analysis(game, analysis, &value_of);
            };
            let mut listener = CheckReports::<G> {
                check: &check,
                reports: 0,
                most_reports: self.most_reports,
            };
            let task = AnalysisTask {
                game,
                position,
                limits: Limits {
                    memory: 1 << 26,
                    time: Some(self.time),
                },
                cache: None,
                has_small_graph: self.has_small_graph,
                decide,
            };
            let analysis = analyse(task, &mut listener).expect("threads");
            check(&analysis);
            positions += 1;
            proved += usize::from(analysis.answer != Answer::Unknown);
        }
        [positions, proved]
    }
}

/// Checks an answer and its bound against the value of the position.
fn check_answer(answer: Answer, bound: Option<u16>, value: Value, place: &str) {
    match answer {
        Answer::Exact(found) => assert_eq!(found, value, "{place}"),
        Answer::Wdl(wdl) => {
            assert_eq!(wdl, value.wdl(), "{place}");
            let plies = value.remoteness();
            assert!(
                bound.is_none_or(|bound| plies <= Some(bound)),
                "{place}: {bound:?} {value}"
            );
        }
        Answer::Unknown => assert_eq!(bound, None, "{place}"),
    }
}

fn check_analysis<G: Notation>(
    game: &G,
    analysis: &Analysis<G::Position, G::Move>,
    value_of: &dyn Fn(G::Position) -> Value,
) {
    let place = format!("{} {}", game.spec(), game.format(analysis.position));
    check_answer(
        analysis.answer,
        analysis.bound,
        value_of(analysis.position),
        &place,
    );
    assert!(
        analysis.answer == Answer::Unknown || analysis.estimate.is_none(),
        "{place}"
    );
    let mut legal = Vec::new();
    if game.terminal(analysis.position).is_none() {
        game.moves(analysis.position, &mut legal);
    }
    assert_eq!(analysis.moves.len(), legal.len(), "{place}");
    for found in &analysis.moves {
        let place = format!("{place} {}", game.format_move(analysis.position, found.mv));
        assert_eq!(game.play(analysis.position, found.mv), found.to, "{place}");
        check_answer(
            found.answer,
            found.bound,
            value_of(found.to).before(),
            &place,
        );
        let is_proved = found.answer != Answer::Unknown;
        assert!(!is_proved || found.estimate.is_none(), "{place}");
        assert!(
            found.estimate.is_none_or(|estimate| estimate.abs() <= 1.0),
            "{place}"
        );
        assert_eq!(found.line[0], found.mv, "{place}");
        let mut at = analysis.position;
        for (ply, &mv) in found.line.iter().enumerate() {
            let mut moves = Vec::new();
            game.moves(at, &mut moves);
            assert!(moves.contains(&mv), "{place}: ply {ply} of the line");
            at = game.play(at, mv);
        }
    }
    let wdl = analysis.moves.iter().map(|found| found.answer.wdl());
    let wdl: Vec<_> = wdl.flatten().collect();
    assert!(wdl.is_sorted_by(|a, b| a >= b), "{place}: {wdl:?}");
}

impl Visitor for CompareAnalyses {
    type Output = [usize; 2];

    fn visit<G: Notation + Send + 'static>(self, game: G) -> [usize; 2] {
        self.run(&game, Decide::BY_RULES)
    }

    fn ranked<G: Retro + Notation + Send + 'static>(self, game: G) -> [usize; 2] {
        self.run(&game, Decide::BY_TIERS)
    }

    fn pawn_pairs<G: PawnPairs + Subgames + Retro + Notation + Send + 'static>(
        self,
        game: G,
    ) -> [usize; 2] {
        self.run(&game, Decide::BY_RANKED_SUBGAMES)
    }

    fn two_sided<G: TwoSided + Retro + Notation + Send + 'static>(self, game: G) -> [usize; 2] {
        self.run(&game, Decide::BY_PLANES)
    }

    fn forbidden_move<G: hindsight_core::ForbiddenMove + Notation + Send + 'static>(
        self,
        game: G,
    ) -> [usize; 2] {
        self.run(&game, Decide::BY_STATES)
    }
}

fn compare(spec: &str, symmetry: Symmetry, compare: CompareAnalyses) -> [usize; 2] {
    let setup = Setup {
        symmetry,
        ..Setup::default()
    };
    by_name_among::<Games, _>(spec, &setup, compare).expect("a spec")
}

#[test]
fn proved_values_are_those_of_the_graph() {
    for (spec, symmetry, step) in [
        ("tic-tac-toe", Symmetry::All, 40),
        ("dodgem:3x3", Symmetry::None, 101),
        ("onitama:3x3:boar", Symmetry::All, 2003),
        (
            "onitama:3x4:tiger,crab,monkey,crane,dragon:students=1",
            Symmetry::None,
            20_011,
        ),
        ("quoridor:3x3:1", Symmetry::None, 307),
        ("ostle:3x3:2:1", Symmetry::All, 101),
    ] {
        for has_small_graph in [false, true] {
            let analyses = CompareAnalyses {
                step,
                time: Duration::from_millis(400),
                most_reports: u32::MAX,
                has_small_graph,
            };
            let [positions, proved] = compare(spec, symmetry, analyses);
            assert!(positions >= 5, "{spec}: {positions} positions");
            assert!(
                10 * proved >= 9 * positions,
                "{spec}: {proved} of {positions}"
            );
        }
    }
}

#[test]
fn stopped_and_hurried_analyses_say_nothing_wrong() {
    for (time, most_reports) in [(1, u32::MAX), (50, u32::MAX), (400, 1), (400, 3)] {
        for spec in ["onitama:3x4:boar", "quoridor:3x3:2", "ostle:3x3:2:1"] {
            let analyses = CompareAnalyses {
                step: 9973,
                time: Duration::from_millis(time),
                most_reports,
                has_small_graph: false,
            };
            let [positions, _] = compare(spec, Symmetry::All, analyses);
            assert!(positions > 0, "{spec}");
        }
    }
}

#[test]
fn sources_are_named() {
    let game = hindsight_rules::tic_tac_toe::TicTacToe::default();
    let start = game.start();
    let task = AnalysisTask {
        game: &game,
        position: start,
        limits: Limits::default(),
        cache: None,
        has_small_graph: true,
        decide: Decide::BY_TIERS,
    };
    let mut listener = CheckReports {
        check: &|_| {},
        reports: 0,
        most_reports: u32::MAX,
    };
    let analysis = analyse(task, &mut listener).expect("threads");
    assert_eq!(analysis.answer, Answer::Exact(Value::Draw));
    let graph = AnalysisSource::Graph { positions: 5478 };
    assert!(analysis.sources.contains(&graph), "{:?}", analysis.sources);
    let over = game.parse("xxx/oo./...").expect("a position");
    let task = AnalysisTask {
        game: &game,
        position: over,
        limits: Limits::default(),
        cache: None,
        has_small_graph: true,
        decide: Decide::BY_TIERS,
    };
    let analysis = analyse(task, &mut listener).expect("threads");
    assert_eq!(analysis.answer, Answer::Exact(Value::Loss(0)));
    assert_eq!(analysis.sources, [AnalysisSource::Rules]);
    assert!(analysis.moves.is_empty());
}
