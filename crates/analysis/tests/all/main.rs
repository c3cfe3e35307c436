//! Analyses against the values of all positions: a proved value is right, whatever its source.

use std::time::Duration;

use hindsight_analysis::{
    AnalysedMove, Analysis, AnalysisListener, AnalysisOutcome, AnalysisSource, AnalysisTask,
    Decide, KeptFindings, analyse,
};
use hindsight_core::{Answer, Game, Notation, Packed, PackedGame, Symmetry, Value, Wdl};
use hindsight_engine::{Limits, NoMonitor, Progress};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::graph;

/// Check of what is known so far.
type CheckAnalysis<'a> = dyn Fn(&Analysis) + 'a;

/// Listener that checks every report on the way, and stops after some.
struct CheckReports<'a> {
    check: &'a CheckAnalysis<'a>,
    reports: u32,
    most_reports: u32,
}

impl AnalysisListener for CheckReports<'_> {
    fn report(&mut self, _: Progress) -> bool {
        self.reports += 1;
        self.reports < self.most_reports
    }

    fn improved(&mut self, analysis: &Analysis) -> bool {
        (self.check)(analysis);
        false
    }
}

/// Analyses every `step`-th position of a game in little time. Returns the number of positions,
/// and of those that were proved.
struct CompareAnalyses {
    step: usize,
    time: Duration,
    most_reports: u32,
    graph_time: Option<Duration>,
}

/// Laws of the values of a game.
struct GameLaws<'a> {
    value_of: &'a dyn Fn(Packed) -> Value,
    /// True if all wins take an odd number of plies, and all losses an even one.
    has_parity: bool,
}

impl CompareAnalyses {
    fn run(&self, game: &PackedGame) -> [usize; 2] {
        let solved = graph::solve(game, Limits::default(), &mut NoMonitor).expect("no limits");
        let value_of = |position| {
            let number = solved.number(game, position).expect("a reachable position");
            solved.value(number)
        };
        let values = (0..solved.len()).map(|number| solved.value(number));
        let is_odd = |plies| plies % 2 == 1;
        let laws = GameLaws {
            value_of: &value_of,
            has_parity: values.into_iter().all(|value| match value {
                Value::Win(plies) => is_odd(plies),
                Value::Draw => true,
                Value::Loss(plies) => !is_odd(plies),
            }),
        };
        let [mut positions, mut proved] = [0; 2];
        for position in solved.positions().step_by(self.step) {
            let check = |analysis: &Analysis| {
                check_analysis(game, analysis, &laws);
            };
            let mut listener =
                CheckReports { check: &check, reports: 0, most_reports: self.most_reports };
            let task = AnalysisTask {
                game,
                position,
                limits: Limits { memory: 1 << 26, time: Some(self.time) },
                cache: None,
                kept: None,
                graph_time: self.graph_time,
                decide: Decide::of(game),
            };
            let AnalysisOutcome { analysis, kept } = analyse(task, &mut listener).expect("threads");
            check(&analysis);
            check_kept(game, &analysis, &kept);
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
            assert!(bound.is_none_or(|bound| plies <= Some(bound)), "{place}: {bound:?} {value}");
        }
        Answer::Unknown => assert_eq!(bound, None, "{place}"),
    }
}

fn check_analysis(game: &PackedGame, analysis: &Analysis, laws: &GameLaws<'_>) {
    let value_of = laws.value_of;
    let place = format!("{} {}", game.spec(), game.format(analysis.position));
    check_answer(analysis.answer, analysis.bound, value_of(analysis.position), &place);
    assert!(analysis.answer == Answer::Unknown || analysis.estimate.is_none(), "{place}");
    let mut legal = Vec::new();
    if game.terminal(analysis.position).is_none() {
        game.moves(analysis.position, &mut legal);
    }
    assert_eq!(analysis.moves.len(), legal.len(), "{place}");
    for found in &analysis.moves {
        let place = format!("{place} {}", game.format_move(analysis.position, found.mv));
        assert_eq!(game.play(analysis.position, found.mv), found.to, "{place}");
        check_answer(found.answer, found.bound, value_of(found.to).before(), &place);
        let is_proved = found.answer != Answer::Unknown;
        assert!(!is_proved || found.estimate.is_none(), "{place}");
        assert!(found.estimate.is_none_or(|estimate| estimate.abs() <= 1.0), "{place}");
        assert_eq!(found.line[0], found.mv, "{place}");
        let mut at = analysis.position;
        for (ply, &mv) in found.line.iter().enumerate() {
            let mut moves = Vec::new();
            game.moves(at, &mut moves);
            assert!(moves.contains(&mv), "{place}: ply {ply} of the line");
            at = game.play(at, mv);
        }
    }
    check_claim(analysis, laws.has_parity, &place);
    check_symmetric_moves(game, analysis, &place);
    let wdl = analysis.moves.iter().map(|found| found.answer.wdl());
    let wdl: Vec<_> = wdl.flatten().collect();
    assert!(wdl.is_sorted_by(|a, b| a >= b), "{place}: {wdl:?}");
}

/// Plies of a win or loss, or the most that there may be.
fn most_plies(answer: Answer, bound: Option<u16>) -> Option<u16> {
    answer.exact().and_then(Value::remoteness).or(bound)
}

/// Checks that a proved value has a move and a bound, of the right parity if there is one.
fn check_claim(analysis: &Analysis, has_parity: bool, place: &str) {
    let claims = analysis.moves.iter().map(|found| (found.answer, found.bound));
    for (answer, bound) in claims.chain([(analysis.answer, analysis.bound)]) {
        let most = most_plies(answer, bound);
        let is_odd = match answer.wdl() {
            Some(Wdl::Win) => true,
            Some(Wdl::Loss) => false,
            _ => continue,
        };
        let most = most.unwrap_or_else(|| panic!("{place}: {answer} without plies or bound"));
        assert!(!has_parity || (most % 2 == 1) == is_odd, "{place}: {answer} in at most {most}");
    }
    let Some(best) = analysis.moves.first() else {
        return;
    };
    match analysis.answer.wdl() {
        None => assert_ne!(best.answer.wdl(), Some(Wdl::Win), "{place}"),
        Some(wdl) => {
            assert_eq!(best.answer.wdl(), Some(wdl), "{place}");
            if wdl == Wdl::Win {
                let [root, best] = [(analysis.answer, analysis.bound), (best.answer, best.bound)]
                    .map(|(answer, bound)| most_plies(answer, bound));
                assert_eq!(root, best, "{place}: the plies of the best move");
            }
        }
    }
}

/// Checks that moves to symmetric positions have one value and one estimate.
fn check_symmetric_moves(game: &PackedGame, analysis: &Analysis, place: &str) {
    let known =
        |found: &AnalysedMove| (found.answer, found.bound, found.estimate, found.line.len());
    for (index, a) in analysis.moves.iter().enumerate() {
        let mut later = analysis.moves[index + 1..].iter();
        let same = later.find(|b| game.canonical(a.to) == game.canonical(b.to));
        assert!(same.is_none_or(|b| known(a) == known(b)), "{place}");
    }
}

/// Checks that an analysis of no time, of the position or one of its images, knows what an earlier
/// one has proved, and that findings are read as they were written or not at all.
fn check_kept(game: &PackedGame, earlier: &Analysis, kept: &KeptFindings) {
    let position = earlier.position;
    let text = kept.text(game);
    let read = KeptFindings::of_text(game, position, &text).expect("what was written");
    assert_eq!(&read, kept);
    let mut successors = Vec::new();
    if game.terminal(position).is_none() {
        game.successors(position, &mut successors);
    }
    for other in successors.into_iter().take(1) {
        assert!(KeptFindings::of_text(game, other, &text).is_none());
    }
    for place in (0..text.len()).step_by(7) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1;
        let damaged = String::from_utf8(bytes).expect("ASCII");
        assert!(KeptFindings::of_text(game, position, &damaged).is_none(), "{damaged}");
        assert!(KeptFindings::of_text(game, position, &text[..place]).is_none());
    }
    let mut images = Vec::new();
    game.images(position, &mut images);
    for here in [position].into_iter().chain(images) {
        let task = AnalysisTask {
            game,
            position: here,
            limits: Limits { memory: 1 << 20, time: Some(Duration::ZERO) },
            cache: None,
            kept: Some(&read),
            graph_time: None,
            decide: Decide::BY_RULES,
        };
        let mut listener = CheckReports { check: &|_| {}, reports: 0, most_reports: u32::MAX };
        let later = analyse(task, &mut listener).expect("no threads").analysis;
        let place = format!("{} {}", game.spec(), game.format(here));
        assert_eq!((later.answer, later.bound), (earlier.answer, earlier.bound), "{place}");
        let known = |analysis: &Analysis| {
            let moves = analysis.moves.iter();
            let known = moves.map(|found| {
                let to = game.format(game.canonical(found.to));
                let line = match found.answer {
                    Answer::Unknown => 1,
                    _ => found.line.len(),
                };
                (to, format!("{:?}", found.answer), found.bound, line)
            });
            let mut known: Vec<_> = known.collect();
            known.sort();
            known
        };
        assert_eq!(known(&later), known(earlier), "{place}");
    }
}

fn compare(spec: &str, symmetry: Symmetry, compare: CompareAnalyses) -> [usize; 2] {
    let setup = Setup { symmetry, ..Setup::default() };
    compare.run(&by_name(spec, &setup).expect("a spec"))
}

#[test]
fn proved_values_are_those_of_the_graph() {
    for (spec, symmetry, step) in [
        ("tic-tac-toe", Symmetry::All, 120),
        ("dodgem:3x3", Symmetry::None, 101),
        ("onitama:3x3:boar", Symmetry::All, 2003),
        ("onitama:3x4:tiger,crab,monkey,crane,dragon:students=1", Symmetry::None, 20_011),
        ("quoridor:3x3:1", Symmetry::None, 307),
        ("ostle:3x3:2:1", Symmetry::All, 101),
    ] {
        for graph_time in [None, Some(Duration::from_millis(50))] {
            let analyses = CompareAnalyses {
                step,
                time: Duration::from_millis(400),
                most_reports: u32::MAX,
                graph_time,
            };
            let [positions, proved] = compare(spec, symmetry, analyses);
            assert!(positions >= 5, "{spec}: {positions} positions");
            assert!(10 * proved >= 9 * positions, "{spec}: {proved} of {positions}");
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
                graph_time: None,
            };
            let [positions, _] = compare(spec, Symmetry::All, analyses);
            assert!(positions > 0, "{spec}");
        }
    }
}

#[test]
fn sources_are_named() {
    let game = by_name("tic-tac-toe", &Setup::default()).expect("a spec");
    let start = game.start();
    let task = AnalysisTask {
        game: &game,
        position: start,
        limits: Limits::default(),
        cache: None,
        kept: None,
        graph_time: Some(Duration::from_millis(50)),
        decide: Decide::of(&game),
    };
    let mut listener = CheckReports { check: &|_| {}, reports: 0, most_reports: u32::MAX };
    let analysis = analyse(task, &mut listener).expect("threads").analysis;
    assert_eq!(analysis.answer, Answer::Exact(Value::Draw));
    let graph = AnalysisSource::Graph { positions: 5478 };
    assert!(analysis.sources.contains(&graph), "{:?}", analysis.sources);
    let over = game.parse("xxx/oo./...").expect("a position");
    let task = AnalysisTask {
        game: &game,
        position: over,
        limits: Limits::default(),
        cache: None,
        kept: None,
        graph_time: None,
        decide: Decide::of(&game),
    };
    let analysis = analyse(task, &mut listener).expect("threads").analysis;
    assert_eq!(analysis.answer, Answer::Exact(Value::Loss(0)));
    assert_eq!(analysis.sources, [AnalysisSource::Rules]);
    assert!(analysis.moves.is_empty());
}

/// Listener that wants the result of every move.
struct WantsEveryMove;

impl AnalysisListener for WantsEveryMove {
    fn report(&mut self, _: Progress) -> bool {
        true
    }

    fn improved(&mut self, _: &Analysis) -> bool {
        false
    }

    fn wants_every_move(&self) -> bool {
        true
    }
}

/// Without a limit of time, and without a job that tells all values at once.
#[test]
fn every_move_is_proved_if_that_is_wanted() {
    for spec in ["dodgem:3x3", "quixo:3x3", "onitama:3x3:tiger"] {
        let game = by_name(spec, &Setup::default()).expect("a spec");
        let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("no limits");
        for number in (0..solved.len()).step_by(solved.len() / 7) {
            let position = solved.position(number).expect("a number");
            let task = AnalysisTask {
                game: &game,
                position,
                limits: Limits { memory: 1 << 28, time: None },
                cache: None,
                kept: None,
                graph_time: None,
                decide: Decide::BY_RULES,
            };
            let analysis = analyse(task, &mut WantsEveryMove).expect("threads").analysis;
            for found in &analysis.moves {
                let to = solved.number(&game, found.to).expect("a reachable position");
                let value = solved.value(to).before();
                assert_eq!(found.answer.wdl(), Some(value.wdl()), "{spec}");
                check_answer(found.answer, found.bound, value, spec);
            }
        }
    }
}
