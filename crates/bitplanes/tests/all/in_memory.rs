//! The solver by planes of bits agrees with the tiered one, position by position.

use std::collections::HashMap;

use hindsight_bitplanes::{
    BitplanePlan, InMemoryOptions, Instructions, NoPlaneCheckpoint, PlaneCheckpoint, PlaneStage,
    Planes, solve, solve_and_store,
};
use hindsight_core::{Answer, Game, Notation, Probe, Retro, TwoSided, Value, Wdl};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::StrongSolution;
use hindsight_solve::{
    Error, Layer, Limits, MemoryStore, Monitor, NoMonitor, Progress, StoreError, tiered,
};
use hindsight_testkit::every_position;

/// Small games with odd and even widths, cards that are alike or each other's images, hands that can be stuck, and every
/// variant.
const SPECS: [&str; 21] = [
    "onitama:1x2:boar",
    "onitama:2x2:boar",
    "onitama:2x3:boar",
    "onitama:3x3:boar",
    "onitama:2x4:boar,ox,elephant,horse,crab",
    "onitama:3x2:tiger,crab,monkey,crane,dragon",
    "onitama:2x3:boar,boar,ox,ox,ox",
    "onitama:3x3:ox,ox,tiger,tiger,boar",
    "onitama:2x4:(0,0)(1,0),boar,ox,(0,0),crab:stay=yes",
    "onitama:2x3:tiger,tiger,(),(),horse",
    "onitama:3x2:()",
    "onitama:2x3:boar,ox,elephant,horse,crab,tiger,eel:hand=3",
    "onitama:2x3:boar,ox,elephant,horse,crab,tiger,eel,crane,dragon:hand=4",
    "onitama:2x3:boar,ox,eel:hand=1",
    "onitama:3x4:boar,ox,elephant,horse,crab:students=1",
    "onitama:4x5:(0,2)(0,-1):students=1",
    "onitama:5x5:boar:students=1",
    "onitama:5x3:boar,ox,horse,eel,cobra:students=1",
    "onitama:7x4:tiger:students=1",
    "onitama:4x8:boar,boar,ox,ox,tiger:students=0",
    "onitama:3x9:boar:students=1",
];

fn by<'a>(
    instructions: Instructions,
    limits: Limits,
    monitor: &'a mut dyn Monitor,
    checkpoint: &'a mut dyn PlaneCheckpoint,
) -> InMemoryOptions<'a> {
    InMemoryOptions {
        instructions,
        limits,
        monitor,
        checkpoint,
    }
}

struct Agrees;

impl Visitor for Agrees {
    type Output = u64;

    fn visit<G: Game + Notation>(self, game: G) -> u64 {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) -> u64 {
        let mut kept = MemoryStore::default();
        let plan = tiered::TierPlan::new(&game);
        let expected = tiered::solve(&game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
        let expected = expected.expect("a solve without limits");
        let positions = every_position(&game);
        for instructions in Instructions::all() {
            let plan = BitplanePlan::new(&game);
            assert_eq!(plan.positions(), positions.len() as u64, "{}", game.spec());
            // When a position is first known to be won or lost, it is so in as many plies.
            let mut values: HashMap<(u64, u64), Value> = HashMap::new();
            let mut open = positions.clone();
            let wdl = |planes: &Planes, position| {
                planes.wdl(game.placement(position).expect("a game that is not over"))
            };
            let mut note = |planes: &Planes, value: Value| {
                open.retain(|&position| {
                    let now = wdl(planes, position);
                    if now != Wdl::Draw {
                        assert_eq!(now, value.wdl(), "{}", game.format(position));
                        values.insert(game.rank(position).expect("a rank"), value);
                    }
                    now == Wdl::Draw
                });
                Ok(())
            };
            let limits = Limits::default();
            let solved = solve(
                &game,
                plan,
                by(instructions, limits, &mut NoMonitor, &mut NoPlaneCheckpoint),
                &mut note,
            );
            let solved = solved.expect("a solve without limits");
            assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
            for &position in &positions {
                let place = game.rank(position).expect("a rank");
                let value = values.get(&place).copied().unwrap_or(Value::Draw);
                let Ok(answer) = kept.with(&game).probe(position);
                let expected = Answer::Exact(value);
                assert_eq!(answer, expected, "{}", game.format(position));
            }
            let mut stored = MemoryStore::default();
            let plan = BitplanePlan::new(&game);
            let solved = solve_and_store(
                &game,
                plan,
                by(instructions, limits, &mut NoMonitor, &mut NoPlaneCheckpoint),
                &mut stored,
            );
            let solved = solved.expect("a solve without limits");
            assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
            for layer in 0..game.layers() {
                let [stored, kept] =
                    [&stored, &kept].map(|kept: &MemoryStore| &kept.0[layer as usize]);
                assert_eq!((stored.layer, kept.layer), (layer, layer));
                assert_eq!(stored.tiers, kept.tiers);
                let values = |layer: &Layer| -> Vec<_> {
                    let codes = layer.codes.iter();
                    codes
                        .map(|&code| layer.palette[usize::from(code)])
                        .collect()
                };
                assert_eq!(values(stored), values(kept), "{}", game.spec());
            }
        }
        positions.len() as u64
    }
}

#[test]
fn planes_agree_with_tiers_position_by_position() {
    for spec in SPECS {
        let positions = by_name(spec, &Setup::default(), Agrees);
        assert!(positions.expect("a spec") > 0, "{spec}");
    }
}

/// Boards of some hundred million positions: minutes.
#[test]
#[ignore = "slow: minutes; needs an optimised build"]
fn planes_agree_with_tiers_on_larger_boards() {
    let specs = [
        "onitama:3x4:boar",
        "onitama:4x3:boar",
        "onitama:3x5:boar",
        "onitama:4x4:boar",
        "onitama:3x3:tiger,crab,monkey,crane,dragon",
        "onitama:3x4:boar,ox,elephant,horse,crab",
        "onitama:4x4:boar,boar,ox,ox,tiger:students=2",
        "onitama:4x5:boar,ox,elephant,horse,crab:students=1",
    ];
    for spec in specs {
        by_name(spec, &Setup::default(), SameHistogram).expect(spec);
    }
}

struct SameHistogram;

impl Visitor for SameHistogram {
    type Output = ();

    fn visit<G: Game + Notation>(self, game: G) {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) {
        let plan = tiered::TierPlan::new(&game);
        let limits = Limits::default();
        let expected = tiered::solve(
            &game,
            &plan,
            &mut hindsight_solve::NullStore,
            limits,
            &mut NoMonitor,
        );
        let expected = expected.expect("a solve without limits");
        for instructions in Instructions::all() {
            let plan = BitplanePlan::new(&game);
            let nothing = &mut |_: &Planes, _| Ok(());
            let solved = solve(
                &game,
                plan,
                by(instructions, limits, &mut NoMonitor, &mut NoPlaneCheckpoint),
                nothing,
            );
            let solved = solved.expect("a solve without limits");
            assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
        }
    }
}

/// Solves with some limits and a monitor.
struct With<M>(Limits, M);

impl<M: Monitor> Visitor for With<M> {
    type Output = Result<StrongSolution, Error>;

    fn visit<G: Game + Notation>(self, game: G) -> Self::Output {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(mut self, game: G) -> Self::Output {
        let plan = BitplanePlan::new(&game);
        let nothing = &mut |_: &Planes, _| Ok(());
        let instructions = Instructions::detect();
        solve(
            &game,
            plan,
            by(instructions, self.0, &mut self.1, &mut NoPlaneCheckpoint),
            nothing,
        )
    }
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_allocated() {
    let limits = Limits {
        memory: 1 << 30,
        time: None,
    };
    let needed = |cards: &str| {
        let spec = format!("onitama:5x5:{cards}");
        match by_name(&spec, &Setup::default(), With(limits, NoMonitor)).expect("a spec") {
            Err(Error::TooLarge {
                ranks,
                needed,
                limit,
            }) => {
                assert_eq!((ranks, limit), (957_188_203_230, 1 << 30));
                needed as f64 / ranks as f64
            }
            other => panic!("{other:?}"),
        }
    };
    // Two bits a position and a little more; half of that where the cards are each other's images.
    let bytes = needed("boar,ox,elephant,tiger,crab");
    assert!(bytes > 0.25 && bytes < 0.31, "{bytes}");
    let half = needed("boar,ox,elephant,horse,crab");
    assert!(half > 0.125 && half < 0.155, "{half}");
}

#[test]
fn as_little_memory_as_it_takes_changes_nothing() {
    for spec in [
        "onitama:4x3:boar:students=2",
        "onitama:2x4:boar,ox,elephant,horse,crab",
    ] {
        let solved = |memory| {
            let limits = Limits { memory, time: None };
            by_name(spec, &Setup::default(), With(limits, NoMonitor)).expect("a spec")
        };
        let expected = solved(u64::MAX).expect("a solve without limits");
        let Err(Error::TooLarge { needed, .. }) = solved(1) else {
            panic!("{spec} fits into a byte");
        };
        assert!(matches!(solved(needed - 1), Err(Error::TooLarge { .. })));
        // Without lists of what passes find, with some that are too short, and with more.
        for more in [0, needed / 100, needed / 20, needed / 5] {
            let solved = solved(needed + more).expect("memory enough");
            assert_eq!(solved, expected, "{spec} {more}");
        }
    }
}

/// Stops after some reports, and notes what was decided at the first.
struct StopsAfter {
    reports: u32,
    first: Option<u64>,
}

impl StopsAfter {
    fn new(reports: u32) -> Self {
        let first = None;
        Self { reports, first }
    }
}

impl Monitor for StopsAfter {
    fn report(&mut self, progress: Progress) -> bool {
        if progress.phase == WRITING {
            return true;
        }
        self.first.get_or_insert(progress.done);
        self.reports = self.reports.saturating_sub(1);
        self.reports > 0
    }
}

/// What a solve reports while it hands on values.
const WRITING: &str = "writing";

/// Stops when some of the values are handed on.
struct StopsWhenWriting;

impl Monitor for StopsWhenWriting {
    fn report(&mut self, progress: Progress) -> bool {
        progress.phase != WRITING || progress.done == 0
    }
}

#[test]
fn a_monitor_stops_the_solve() {
    let spec = "onitama:3x3:boar";
    let stopped = by_name(
        spec,
        &Setup::default(),
        With(Limits::default(), StopsAfter::new(9)),
    );
    assert!(matches!(stopped.expect("a spec"), Err(Error::Stopped)));
}

#[test]
fn threads_do_not_change_the_outcome() {
    let outcome = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let spec = "onitama:4x3:boar:students=2";
            let solved = by_name(spec, &Setup::default(), With(Limits::default(), NoMonitor));
            solved.expect("a spec").expect("a solve without limits")
        })
    };
    assert_eq!(outcome(1), outcome(5));
}

/// Keeps what it is given, after every pass or only when a solve is stopped.
#[derive(Default)]
struct InMemory {
    often: bool,
    kept: Option<(PlaneStage, Vec<Vec<u8>>)>,
}

impl PlaneCheckpoint for InMemory {
    fn is_due(&mut self) -> bool {
        self.often
    }

    fn put(&mut self, stage: &PlaneStage, parts: &[&[u8]]) -> Result<(), StoreError> {
        let parts = parts.iter().map(|part| part.to_vec());
        self.kept = Some((stage.clone(), parts.collect()));
        Ok(())
    }

    fn get(&mut self, parts: &mut [&mut [u8]]) -> Result<Option<PlaneStage>, StoreError> {
        let Some((stage, kept)) = &self.kept else {
            return Ok(None);
        };
        assert_eq!(parts.len(), kept.len());
        for (part, kept) in parts.iter_mut().zip(kept) {
            part.copy_from_slice(kept);
        }
        Ok(Some(stage.clone()))
    }
}

/// How often a solve was stopped: in all, in the middle of a pass, and when little was left to decide.
#[derive(Default, Debug)]
struct Stops {
    all: usize,
    in_a_pass: usize,
    late: usize,
}

/// Solves with stops after so many reports, and goes on until it is done.
struct Stopped {
    reports: u32,
    often: bool,
}

impl Visitor for Stopped {
    type Output = Stops;

    fn visit<G: Game + Notation>(self, game: G) -> Stops {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) -> Stops {
        let (instructions, limits) = (Instructions::detect(), Limits::default());
        let stored = |monitor: &mut dyn Monitor, checkpoint: &mut dyn PlaneCheckpoint| {
            let mut stored = MemoryStore::default();
            let terms = by(instructions, limits, monitor, checkpoint);
            let solved = solve_and_store(&game, BitplanePlan::new(&game), terms, &mut stored);
            solved.map(|solved| (solved, stored.0))
        };
        let expected =
            stored(&mut NoMonitor, &mut NoPlaneCheckpoint).expect("a solve without limits");
        let mut checkpoint = InMemory {
            often: self.often,
            kept: None,
        };
        let mut stops = Stops::default();
        loop {
            // What was decided, and whether that was while few positions were left.
            let kept = checkpoint.kept.as_ref().map(|(stage, _)| stage.clone());
            let done = kept.iter().flat_map(|stage| &stage.found).sum::<u64>();
            let partly = kept.as_ref().map_or(0, |stage| stage.found_so_far);
            // Nothing is kept of the first two passes: these must fit between two stops.
            let least = if kept.is_none() { 20 } else { 0 };
            let mut monitor = StopsAfter::new(self.reports.max(least));
            let solved = stored(&mut monitor, &mut checkpoint);
            assert!(
                monitor.first.is_none_or(|first| first >= done + partly),
                "it began anew"
            );
            stops.in_a_pass += usize::from(partly > 0);
            stops.late += usize::from(50 * (expected.0.summary.positions - done) < done);
            match solved {
                Ok(solved) => {
                    assert!(solved == expected, "{} after {stops:?}", game.spec());
                    break;
                }
                Err(Error::Stopped) => stops.all += 1,
                Err(error) => panic!("{error}"),
            }
        }
        let partly = &mut InMemory::default();
        let stopped = stored(&mut StopsWhenWriting, partly);
        assert!(matches!(stopped, Err(Error::Stopped)), "{}", game.spec());
        let whole = stored(&mut NoMonitor, partly).expect("a solve without limits");
        assert!(whole == expected, "{} partly written", game.spec());
        // Without values the bytes are others.
        let plain = &mut InMemory::default();
        // After the first two passes, and before the last.
        let stop = &mut StopsAfter::new(40);
        let plain_solve = |terms: InMemoryOptions<'_>| {
            let nothing = &mut |_: &Planes, _| Ok(());
            solve(&game, BitplanePlan::new(&game), terms, nothing)
        };
        let first = plain_solve(by(instructions, limits, stop, plain));
        assert!(matches!(first, Err(Error::Stopped)), "{}", game.spec());
        let second = plain_solve(by(instructions, limits, &mut NoMonitor, plain))
            .expect("a solve without limits");
        assert_eq!(second, expected.0, "{}", game.spec());
        let other = PlaneStage {
            found: vec![1, u64::MAX],
            ..PlaneStage::default()
        };
        plain.kept.as_mut().expect("it was stopped").0 = other;
        let refused = plain_solve(by(instructions, limits, &mut NoMonitor, plain));
        assert!(matches!(refused, Err(Error::Store(_))), "{}", game.spec());
        stops
    }
}

#[test]
fn a_solve_that_was_stopped_goes_on() {
    let specs = [
        "onitama:3x3:boar",
        "onitama:2x4:boar,ox,elephant,horse,crab",
        "onitama:3x3:ox,ox,tiger,tiger,boar",
        "onitama:4x3:boar:students=2",
    ];
    let (mut in_a_pass, mut late) = (0, 0);
    for spec in specs {
        for (reports, often) in [(2, false), (7, true), (20, false), (30, true)] {
            let stops = by_name(spec, &Setup::default(), Stopped { reports, often });
            let stops = stops.expect("a spec");
            assert!(stops.all > 0, "{spec} {reports}");
            in_a_pass += stops.in_a_pass;
            late += stops.late;
        }
    }
    assert!(
        in_a_pass > 10 && late > 10,
        "{in_a_pass} in a pass, {late} late"
    );
}
