//! The solver in memory agrees with the tiered one, position by position.

use std::collections::HashMap;
use std::time::Duration;

use hindsight_bitplanes::{
    BitplanePlan, InMemoryOptions, Instructions, PlaneStage, Planes, solve, solve_and_store,
};
use hindsight_checkpoint::bytes::{Cursor, put_varint};
use hindsight_checkpoint::packed::{self, PackedArray};
use hindsight_checkpoint::{Blobs as _, Checkpoint, MemoryBlobs};
use hindsight_core::{Answer, Notation, Probe, Retro, TwoSided, Value, Wdl};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::{LayerCodes, Store, StoreError, StrongSolution};
use hindsight_solve::{
    Error, Layer, Limits, MemoryStore, Monitor, NoMonitor, NullStore, Progress, tiered,
};
use hindsight_testkit::{damaged, every_position};

/// Small games with odd and even widths, and with every variant.
///
/// Cards are alike or each other's images; pieces can be stuck.
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

fn options<'a>(
    instructions: Instructions,
    limits: Limits,
    monitor: &'a mut dyn Monitor,
    checkpoint: Option<&'a Checkpoint<'a>>,
) -> InMemoryOptions<'a> {
    InMemoryOptions {
        instructions,
        limits,
        monitor,
        checkpoint,
    }
}

/// Compares with the tiered solver, for every instruction set; returns the number of positions.
struct AgreesWithTiered;

impl Visitor for AgreesWithTiered {
    type Output = u64;

    fn visit<G: Notation>(self, game: G) -> u64 {
        panic!("{} is not two-sided", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) -> u64 {
        let mut tiered_store = MemoryStore::default();
        let plan = tiered::TierPlan::new(&game);
        let expected = tiered::solve(
            &game,
            &plan,
            &mut tiered_store,
            Limits::default(),
            &mut NoMonitor,
        );
        let expected = expected.expect("a solve without limits");
        let positions = every_position(&game);
        for instructions in Instructions::all() {
            let plan = BitplanePlan::new(&game);
            assert_eq!(plan.positions(), positions.len() as u64, "{}", game.spec());
            // A position that is first decided by the pass of a value has that value.
            let mut values: HashMap<(u64, u64), Value> = HashMap::new();
            let mut undecided = positions.clone();
            let wdl = |planes: &Planes, position| {
                planes.wdl(game.placement(position).expect("a game that is not over"))
            };
            let mut record = |planes: &Planes, value: Value| {
                undecided.retain(|&position| {
                    let wdl = wdl(planes, position);
                    if wdl != Wdl::Draw {
                        assert_eq!(wdl, value.wdl(), "{}", game.format(position));
                        values.insert(game.rank(position).expect("a rank"), value);
                    }
                    wdl == Wdl::Draw
                });
                Ok(())
            };
            let limits = Limits::default();
            let solved = solve(
                &game,
                plan,
                options(instructions, limits, &mut NoMonitor, None),
                &mut record,
            );
            let solved = solved.expect("a solve without limits");
            assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
            for &position in &positions {
                let address = game.rank(position).expect("a rank");
                let value = values.get(&address).copied().unwrap_or(Value::Draw);
                let Ok(answer) = tiered_store.with(&game).probe(position);
                let expected = Answer::Exact(value);
                assert_eq!(answer, expected, "{}", game.format(position));
                let is_implied = game.implied_value(position).is_some();
                assert_eq!(game.is_implied(value), Some(is_implied), "{}", game.spec());
            }
            let mut plane_store = MemoryStore::default();
            let plan = BitplanePlan::new(&game);
            let solved = solve_and_store(
                &game,
                plan,
                options(instructions, limits, &mut NoMonitor, None),
                &mut plane_store,
            );
            let solved = solved.expect("a solve without limits");
            assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
            for layer in 0..game.layers() {
                let [by_planes, by_tiers] = [&plane_store, &tiered_store]
                    .map(|store: &MemoryStore| &store.0[layer as usize]);
                assert_eq!((by_planes.layer, by_tiers.layer), (layer, layer));
                assert_eq!(by_planes.tiers, by_tiers.tiers);
                let values = |layer: &Layer| -> Vec<_> {
                    let codes = layer.codes.iter();
                    codes
                        .map(|&code| layer.palette[usize::from(code)])
                        .collect()
                };
                assert_eq!(values(by_planes), values(by_tiers), "{}", game.spec());
            }
        }
        positions.len() as u64
    }
}

#[test]
fn planes_agree_with_tiers_position_by_position() {
    for spec in SPECS {
        let positions = by_name(spec, &Setup::default(), AgreesWithTiered);
        assert!(positions.expect("a spec") > 0, "{spec}");
    }
}

/// Larger boards, of some hundred million positions.
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

/// Compares the histogram with that of the tiered solver, for every instruction set.
struct SameHistogram;

impl Visitor for SameHistogram {
    type Output = ();

    fn visit<G: Notation>(self, game: G) {
        panic!("{} is not two-sided", game.spec())
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
            let ignore = &mut |_: &Planes, _| Ok(());
            let solved = solve(
                &game,
                plan,
                options(instructions, limits, &mut NoMonitor, None),
                ignore,
            );
            let solved = solved.expect("a solve without limits");
            assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
        }
    }
}

/// Solves within limits, with a monitor.
struct SolveWith<M>(Limits, M);

impl<M: Monitor> Visitor for SolveWith<M> {
    type Output = Result<StrongSolution, Error>;

    fn visit<G: Notation>(self, game: G) -> Self::Output {
        panic!("{} is not two-sided", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(mut self, game: G) -> Self::Output {
        let plan = BitplanePlan::new(&game);
        let ignore = &mut |_: &Planes, _| Ok(());
        let instructions = Instructions::detect();
        solve(
            &game,
            plan,
            options(instructions, self.0, &mut self.1, None),
            ignore,
        )
    }
}

#[test]
fn a_solve_that_does_not_fit_is_refused_before_it_allocates() {
    let limits = Limits {
        memory: 1 << 30,
        time: None,
    };
    let needed = |cards: &str| {
        let spec = format!("onitama:5x5:{cards}");
        match by_name(&spec, &Setup::default(), SolveWith(limits, NoMonitor)).expect("a spec") {
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
    // A little more than two bits a position, and half of that with a mirror.
    let bytes = needed("boar,ox,elephant,tiger,crab");
    assert!(bytes > 0.25 && bytes < 0.31, "{bytes}");
    let half = needed("boar,ox,elephant,horse,crab");
    assert!(half > 0.125 && half < 0.155, "{half}");
}

#[test]
fn the_least_memory_gives_the_same_solution() {
    for spec in [
        "onitama:4x3:boar:students=2",
        "onitama:2x4:boar,ox,elephant,horse,crab",
    ] {
        let solved = |memory| {
            let limits = Limits { memory, time: None };
            by_name(spec, &Setup::default(), SolveWith(limits, NoMonitor)).expect("a spec")
        };
        let expected = solved(u64::MAX).expect("a solve without limits");
        let Err(Error::TooLarge { needed, .. }) = solved(1) else {
            panic!("{spec} fits into a byte");
        };
        assert!(matches!(solved(needed - 1), Err(Error::TooLarge { .. })));
        // Without frontiers, with frontiers that are too short, and with longer ones.
        for more in [0, needed / 100, needed / 20, needed / 5] {
            let solved = solved(needed + more).expect("memory enough");
            assert_eq!(solved, expected, "{spec} {more}");
        }
    }
}

/// Monitor that stops a solve after some reports.
struct StopsAfter {
    /// Reports left.
    reports: u32,
    /// Positions decided at the first report.
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

/// Phase of a solve that writes values.
const WRITING: &str = "writing";

/// Monitor that stops a solve once some values are written.
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
        SolveWith(Limits::default(), StopsAfter::new(9)),
    );
    assert!(matches!(stopped.expect("a spec"), Err(Error::Stopped)));
}

#[test]
fn threads_do_not_change_the_solution() {
    let solution = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let spec = "onitama:4x3:boar:students=2";
            let solved = by_name(
                spec,
                &Setup::default(),
                SolveWith(Limits::default(), NoMonitor),
            );
            solved.expect("a spec").expect("a solve without limits")
        })
    };
    assert_eq!(solution(1), solution(5));
}

/// Progress of a stopped solve, if there is one.
fn stored(blobs: &MemoryBlobs) -> Option<PlaneStage> {
    PlaneStage::stored(blobs).expect("whole blobs")
}

/// Puts a stage of two passes that decided more positions than exist, with no planes.
fn put_impossible_stage(blobs: &MemoryBlobs) {
    let blob = packed::get(blobs, PlaneStage::KEY, 1 << 20).expect("a whole blob");
    let blob = blob.expect("a blob");
    let mut cursor = Cursor::new(&blob.fields, "fields");
    let lengths = (0..cursor.count().expect("a count")).map(|_| cursor.varint().expect("a length"));
    let lengths: Vec<u64> = lengths.collect();
    let mut fields = Vec::new();
    let numbers = [lengths.len() as u64]
        .into_iter()
        .chain(lengths.iter().copied());
    for number in numbers.chain([2, 1, u64::MAX, 0, 0, 0, 0]) {
        put_varint(&mut fields, number);
    }
    let parts: Vec<Vec<u8>> = lengths.iter().map(|&n| vec![0; n as usize]).collect();
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    packed::put(blobs, PlaneStage::KEY, &fields, PackedArray::Bytes(&parts)).expect("room");
}

/// Number of times that a solve was stopped.
#[derive(Default, Debug)]
struct StopCounts {
    all: usize,
    /// Stops in the middle of a pass.
    in_a_pass: usize,
    /// Stops with few positions left to decide.
    late: usize,
}

/// Stops a solve again and again, and resumes it until it is done.
struct StoppedAndResumed {
    /// Reports until each stop.
    reports: u32,
    /// True to save after every pass.
    always_due: bool,
    /// True if there is too little memory to keep values, so that they go into a log.
    in_log: bool,
}

impl Visitor for StoppedAndResumed {
    type Output = StopCounts;

    fn visit<G: Notation>(self, game: G) -> StopCounts {
        panic!("{} is not two-sided", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) -> StopCounts {
        let (instructions, limits) = (Instructions::detect(), Limits::default());
        let least = BitplanePlan::new(&game).peak_with_store(&game, &NullStore, 0, true);
        let solve_and_store = |monitor: &mut dyn Monitor, checkpoint: Option<&Checkpoint<'_>>| {
            let mut store = MemoryStore::default();
            let limits = Limits {
                memory: match self.in_log && checkpoint.is_some() {
                    true => least,
                    false => u64::MAX,
                },
                ..limits
            };
            let options = options(instructions, limits, monitor, checkpoint);
            let solved = solve_and_store(&game, BitplanePlan::new(&game), options, &mut store);
            solved.map(|solved| (solved, store.0))
        };
        let expected = solve_and_store(&mut NoMonitor, None).expect("a solve without limits");
        let interval = if self.always_due {
            Duration::ZERO
        } else {
            Duration::MAX
        };
        let blobs = MemoryBlobs::default();
        let mut stops = StopCounts::default();
        loop {
            // Positions decided by whole passes, and by a part of the next one.
            let saved = stored(&blobs);
            let done = saved.iter().flat_map(|stage| &stage.found).sum::<u64>();
            let partly = saved.as_ref().map_or(0, |stage| stage.found_so_far);
            // The first two passes are not saved, so they must fit between two stops.
            let least = if saved.is_none() { 20 } else { 0 };
            let mut monitor = StopsAfter::new(self.reports.max(least));
            let checkpoint = Checkpoint::new(&blobs, interval);
            let solved = solve_and_store(&mut monitor, Some(&checkpoint));
            assert!(
                monitor.first.is_none_or(|first| first >= done + partly),
                "the solve began anew"
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
        let blobs = MemoryBlobs::default();
        let checkpoint = Checkpoint::new(&blobs, Duration::MAX);
        let stopped = solve_and_store(&mut StopsWhenWriting, Some(&checkpoint));
        assert!(matches!(stopped, Err(Error::Stopped)), "{}", game.spec());
        let resumed = solve_and_store(&mut NoMonitor, Some(&checkpoint));
        let resumed = resumed.expect("a solve without limits");
        assert!(resumed == expected, "{} partly written", game.spec());
        // A solve that writes no values saves other bytes.
        let blobs = MemoryBlobs::default();
        let checkpoint = Checkpoint::new(&blobs, Duration::MAX);
        let plain_solve = |monitor: &mut dyn Monitor| {
            let ignore = &mut |_: &Planes, _| Ok(());
            let options = options(instructions, limits, monitor, Some(&checkpoint));
            solve(&game, BitplanePlan::new(&game), options, ignore)
        };
        // Stops after the first two passes, and before the last.
        let first = plain_solve(&mut StopsAfter::new(40));
        assert!(matches!(first, Err(Error::Stopped)), "{}", game.spec());
        let other = solve_and_store(&mut NoMonitor, Some(&checkpoint));
        assert!(matches!(other, Err(Error::Store(_))), "{}", game.spec());
        let second = plain_solve(&mut NoMonitor).expect("a solve without limits");
        assert_eq!(second, expected.0, "{}", game.spec());
        put_impossible_stage(&blobs);
        let refused = plain_solve(&mut NoMonitor);
        assert!(matches!(refused, Err(Error::Store(_))), "{}", game.spec());
        stops
    }
}

#[test]
fn a_stopped_solve_is_resumed() {
    let specs = [
        "onitama:3x3:boar",
        "onitama:2x4:boar,ox,elephant,horse,crab",
        "onitama:3x3:ox,ox,tiger,tiger,boar",
        "onitama:4x3:boar:students=2",
    ];
    let (mut in_a_pass, mut late) = (0, 0);
    for spec in specs {
        let runs = [(2, false), (7, true), (20, false), (30, true)];
        for (i, (reports, always_due)) in runs.into_iter().chain(runs).enumerate() {
            let visitor = StoppedAndResumed {
                reports,
                always_due,
                in_log: i >= runs.len(),
            };
            let stops = by_name(spec, &Setup::default(), visitor);
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

/// Solves with damaged planes: bytes of the blob are changed one after the other, and it is cut.
struct RefusesDamage;

impl Visitor for RefusesDamage {
    type Output = ();

    fn visit<G: Notation>(self, game: G) {
        panic!("{} is not two-sided", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) {
        let blobs = MemoryBlobs::default();
        let solve = |monitor: &mut dyn Monitor| {
            let checkpoint = Checkpoint::new(&blobs, Duration::MAX);
            let (instructions, limits) = (Instructions::detect(), Limits::default());
            let options = options(instructions, limits, monitor, Some(&checkpoint));
            solve(&game, BitplanePlan::new(&game), options, &mut |_, _| Ok(()))
        };
        assert!(matches!(
            solve(&mut StopsAfter::new(20)),
            Err(Error::Stopped)
        ));
        let whole = blobs.bytes(PlaneStage::KEY).expect("planes");
        for bytes in damaged(&whole) {
            blobs.set(PlaneStage::KEY, &bytes);
            assert!(matches!(solve(&mut NoMonitor), Err(Error::Store(_))));
        }
        blobs.set(PlaneStage::KEY, &whole);
        solve(&mut NoMonitor).expect("whole planes");
    }
}

#[test]
fn damaged_planes_are_refused() {
    by_name("onitama:2x3:boar", &Setup::default(), RefusesDamage).expect("a spec");
}

/// Stops a solve that keeps its values in a log, and damages or removes each blob of the log.
struct RefusesDamagedLogs;

impl Visitor for RefusesDamagedLogs {
    type Output = ();

    fn visit<G: Notation>(self, game: G) {
        panic!("{} is not two-sided", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) {
        let blobs = MemoryBlobs::default();
        let least = BitplanePlan::new(&game).peak_with_store(&game, &NullStore, 0, true);
        let solve = |blobs: &MemoryBlobs, monitor: &mut dyn Monitor| {
            let checkpoint = Checkpoint::new(blobs, Duration::MAX);
            let limits = Limits {
                memory: least,
                ..Limits::default()
            };
            let options = options(Instructions::detect(), limits, monitor, Some(&checkpoint));
            let mut store = MemoryStore::default();
            let solved = solve_and_store(&game, BitplanePlan::new(&game), options, &mut store);
            solved.map(|_| store.0)
        };
        assert!(matches!(
            solve(&blobs, &mut StopsWhenWriting),
            Err(Error::Stopped)
        ));
        let keys = blobs.keys().expect("keys");
        let logged = keys.iter().filter(|key| key.starts_with("decided-"));
        let logged: Vec<&String> = logged.collect();
        assert!(!logged.is_empty());
        for key in logged {
            for bytes in damaged(&blobs.bytes(key).expect("a blob")) {
                let blobs = blobs.clone();
                blobs.set(key, &bytes);
                assert!(matches!(
                    solve(&blobs, &mut NoMonitor),
                    Err(Error::Store(_))
                ));
            }
            let blobs = blobs.clone();
            blobs.remove(key).expect("room");
            assert!(
                matches!(solve(&blobs, &mut NoMonitor), Err(Error::Store(_))),
                "without {key}"
            );
        }
        solve(&blobs, &mut NoMonitor).expect("a whole log");
    }
}

#[test]
fn damaged_logs_are_refused() {
    by_name("onitama:2x3:boar", &Setup::default(), RefusesDamagedLogs).expect("a spec");
}

/// Solves with a log and so little memory that the layers come in pieces.
struct ComesInPieces;

impl Visitor for ComesInPieces {
    type Output = ();

    fn visit<G: Notation>(self, game: G) {
        panic!("{} is not two-sided", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) {
        let least = BitplanePlan::new(&game).peak_with_store(&game, &NullStore, 0, true);
        let solve = |memory: u64, checkpoint: Option<&Checkpoint<'_>>| {
            let limits = Limits {
                memory,
                ..Limits::default()
            };
            let mut monitor = NoMonitor;
            let options = options(Instructions::detect(), limits, &mut monitor, checkpoint);
            let mut pieces = CountedPieces::default();
            solve_and_store(&game, BitplanePlan::new(&game), options, &mut pieces)
                .expect("enough memory");
            pieces
        };
        let blobs = MemoryBlobs::default();
        let checkpoint = Checkpoint::new(&blobs, Duration::MAX);
        let (whole, cut) = (solve(u64::MAX, None), solve(least, Some(&checkpoint)));
        assert!(cut.most > whole.most, "{} pieces", cut.most);
        assert!(cut.codes == whole.codes, "other values in pieces");
    }
}

/// Store that keeps the codes of all layers, and counts their pieces.
#[derive(Default)]
struct CountedPieces {
    codes: Vec<Vec<u8>>,
    /// Most pieces of a layer.
    most: usize,
}

impl Store for CountedPieces {
    fn takes(&self, _: u32, _: u64, _: u64) -> u64 {
        0
    }

    fn put(&mut self, layer: &Layer) -> Result<(), StoreError> {
        self.codes.push(layer.codes.clone());
        Ok(())
    }

    fn put_pieces(&mut self, _: &Layer, codes: &mut dyn LayerCodes) -> Result<(), Error> {
        let (mut all, mut pieces) = (Vec::new(), 0);
        codes.for_each_piece(&mut |first, piece| {
            assert_eq!(first, all.len() as u64);
            all.extend_from_slice(piece);
            pieces += 1;
            Ok(())
        })?;
        self.codes.push(all);
        self.most = self.most.max(pieces);
        Ok(())
    }

    fn has(&mut self, _: u32) -> Result<bool, StoreError> {
        Ok(false)
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        Err(format!("layer {layer} was not kept").into())
    }
}

#[test]
fn layers_in_pieces_have_the_same_values() {
    for spec in [
        "onitama:5x4:boar,ox,elephant,horse,crab:students=1",
        "onitama:4x4:tiger,crab,monkey,crane,dragon:students=1",
    ] {
        by_name(spec, &Setup::default(), ComesInPieces).expect("a spec");
    }
}
