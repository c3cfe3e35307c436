//! Solves in memory that are stopped go on where they were, and damaged planes are refused.

use std::time::Duration;

use hindsight_bitplanes::{BitplanePlan, Instructions, PlaneStage, Planes, solve, solve_and_store};
use hindsight_core::{Notation, PackedGame};
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Checkpoint, MemoryBlobs};
use hindsight_engine::{Error, Limits, MemoryStore, Monitor, NoMonitor, NullStore, Progress};
use hindsight_rules::{Setup, by_name};
use hindsight_testkit::damaged;

use crate::in_memory::{options, solve_within};

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
pub(crate) const WRITING: &str = "writing";

/// Monitor that stops a solve once some values are written.
pub(crate) struct StopsWhenWriting;

impl Monitor for StopsWhenWriting {
    fn report(&mut self, progress: Progress) -> bool {
        progress.phase != WRITING || progress.done == 0
    }
}

#[test]
fn a_monitor_stops_the_solve() {
    let game = by_name("onitama:3x3:boar", &Setup::default()).expect("a spec");
    let stopped = solve_within(&game, Limits::default(), &mut StopsAfter::new(9));
    assert!(matches!(stopped, Err(Error::Stopped)));
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
    let numbers = [lengths.len() as u64].into_iter().chain(lengths.iter().copied());
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

impl StoppedAndResumed {
    fn run(self, game: &PackedGame) -> StopCounts {
        let (instructions, limits) = (Instructions::detect(), Limits::default());
        let least = BitplanePlan::new(game).peak_with_store(game, &NullStore, 0, true);
        let solve_and_store = |monitor: &mut dyn Monitor, checkpoint: Option<&Checkpoint<'_>>| {
            let mut store = MemoryStore::default();
            let limits = Limits {
                memory: if self.in_log && checkpoint.is_some() { least } else { u64::MAX },
                ..limits
            };
            let options = options(instructions, limits, monitor, checkpoint);
            let solved = solve_and_store(game, BitplanePlan::new(game), options, &mut store);
            solved.map(|solved| (solved, store.0))
        };
        let expected = solve_and_store(&mut NoMonitor, None).expect("a solve without limits");
        let interval = if self.always_due { Duration::ZERO } else { Duration::MAX };
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
            solve(game, BitplanePlan::new(game), options, ignore)
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
        let game = by_name(spec, &Setup::default()).expect("a spec");
        let runs = [(2, false), (7, true), (20, false), (30, true)];
        for (i, (reports, always_due)) in runs.into_iter().chain(runs).enumerate() {
            let stopped = StoppedAndResumed { reports, always_due, in_log: i >= runs.len() };
            let stops = stopped.run(&game);
            assert!(stops.all > 0, "{spec} {reports}");
            in_a_pass += stops.in_a_pass;
            late += stops.late;
        }
    }
    assert!(in_a_pass > 10 && late > 10, "{in_a_pass} in a pass, {late} late");
}

/// Solves with damaged planes: bytes of the blob are changed one after the other, and it is cut.
#[test]
fn damaged_planes_are_refused() {
    let game = &by_name("onitama:2x3:boar", &Setup::default()).expect("a spec");
    let blobs = MemoryBlobs::default();
    let solve = |monitor: &mut dyn Monitor| {
        let checkpoint = Checkpoint::new(&blobs, Duration::MAX);
        let (instructions, limits) = (Instructions::detect(), Limits::default());
        let options = options(instructions, limits, monitor, Some(&checkpoint));
        solve(game, BitplanePlan::new(game), options, &mut |_, _| Ok(()))
    };
    assert!(matches!(solve(&mut StopsAfter::new(20)), Err(Error::Stopped)));
    let whole = blobs.bytes(PlaneStage::KEY).expect("planes");
    for bytes in damaged(&whole) {
        blobs.set(PlaneStage::KEY, &bytes);
        assert!(matches!(solve(&mut NoMonitor), Err(Error::Store(_))));
    }
    blobs.set(PlaneStage::KEY, &whole);
    solve(&mut NoMonitor).expect("whole planes");
}
