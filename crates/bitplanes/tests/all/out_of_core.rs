//! The out-of-core solver agrees with the tiered one, position by position, with little memory and
//! after it was killed.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use hindsight_bitplanes::{
    BitplanePlan, Instructions, OutOfCoreOptions, OutOfCorePlan, OutOfCoreStage, solve_out_of_core,
};
use hindsight_core::{Answer, Notation, Packed, PackedGame, Probe, TwoSided, Value};
use hindsight_engine::checkpoint::{
    Blob, Blobs, Checkpoint, CheckpointError, MemoryBlobs, WriteBlob,
};
use hindsight_engine::{Error, Limits, MemoryStore, Monitor, NoMonitor, StrongSolution};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered;
use hindsight_testkit::{damaged, every_position};

/// Blobs in memory that fail after some calls, as if the process was killed.
struct KilledBlobs<'a> {
    blobs: &'a MemoryBlobs,
    calls_left: AtomicU32,
}

impl KilledBlobs<'_> {
    /// Counts a call; fails if none is left.
    fn count_call(&self) -> Result<(), CheckpointError> {
        let less = |left: u32| left.checked_sub(1);
        let counted = self.calls_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        let killed = |_| CheckpointError::damaged("a blob", "killed");
        counted.map(drop).map_err(killed)
    }
}

impl Blobs for KilledBlobs<'_> {
    fn put(&self, key: &str, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError> {
        self.count_call()?;
        self.blobs.put(key, write)
    }

    fn get(&self, key: &str) -> Result<Option<Box<dyn Blob>>, CheckpointError> {
        self.count_call()?;
        self.blobs.get(key)
    }

    fn keys(&self) -> Result<Vec<String>, CheckpointError> {
        self.blobs.keys()
    }

    fn remove(&self, key: &str) -> Result<(), CheckpointError> {
        self.count_call()?;
        self.blobs.remove(key)
    }
}

type Solved = Result<(StrongSolution, Vec<Option<Value>>), Error>;

/// Solves a game within `memory` bytes, and returns the values of tracked positions.
fn solve(
    game: &PackedGame,
    memory: u64,
    tracked: &[Packed],
    monitor: &mut dyn Monitor,
    blobs: &dyn Blobs,
) -> Solved {
    let options = OutOfCoreOptions {
        instructions: Instructions::detect(),
        limits: Limits::default(),
        monitor,
        checkpoint: &Checkpoint::new(blobs, Duration::MAX),
    };
    let placement = |&position| game.placement(position).expect("a game that is not over");
    let plan = OutOfCorePlan::new(BitplanePlan::new(game), memory);
    solve_out_of_core(game, plan, options, tracked.iter().map(placement))
}

/// Phases of the solver that the tests have reached: maxima over all solves.
#[derive(Default)]
struct Coverage {
    /// Slices of a plan.
    slices: u64,
    /// Last pass that wrote a frontier: in the incremental phase.
    last_frontier_pass: usize,
    /// Passes after the last one that wrote a tile: on the explicit graph, in memory.
    in_memory: usize,
}

impl Coverage {
    fn add(&mut self, slices: u64, stage: &OutOfCoreStage) {
        // A version is `2 * pass + copy`.
        let last_pass = |versions: &[u32]| {
            let passes = versions.iter().map(|&version| version as usize >> 1);
            passes.max().unwrap_or(0)
        };
        // The last pass finds nothing.
        let passes = stage.passes.found.len() - 1;
        self.slices = self.slices.max(slices);
        // The first two passes write in any case.
        let in_memory = passes.saturating_sub(last_pass(&stage.versions));
        self.in_memory = self.in_memory.max(in_memory);
        // Two thirds are slices of planes; those of side 0's frontiers follow.
        let frontiers = &stage.versions[stage.versions.len() / 3 * 2..];
        self.last_frontier_pass = self.last_frontier_pass.max(last_pass(frontiers));
    }
}

/// Compares with the tiered solver, for more and more slices.
fn assert_agrees_with_tiered(game: &PackedGame, coverage: &mut Coverage) {
    let mut store = MemoryStore::default();
    let plan = tiered::TierPlan::new(game);
    let expected = tiered::solve(game, &plan, &mut store, Limits::default(), &mut NoMonitor);
    let expected = expected.expect("a solve without limits");
    let positions = every_position(game);
    let whole = OutOfCorePlan::new(BitplanePlan::new(game), u64::MAX);
    assert_eq!(whole.slices(), 1, "{}", game.spec());
    for part in [1, 3, u64::MAX] {
        let memory = whole.peak() / part;
        let blobs = MemoryBlobs::default();
        let solved = solve(game, memory, &positions, &mut NoMonitor, &blobs);
        let (solution, values) = solved.expect("a solve without limits");
        assert_eq!(solution, expected, "{} {part}", game.spec());
        for (&position, value) in positions.iter().zip(values) {
            let Ok(answer) = store.with(game).probe(position);
            let value = Answer::Exact(value.unwrap_or(Value::Draw));
            assert_eq!(answer, value, "{} {part}", game.format(position));
        }
        assert_eq!(blobs.keys().expect("keys"), [OutOfCoreStage::KEY]);
        let slices = OutOfCorePlan::new(BitplanePlan::new(game), memory).slices();
        let stage = OutOfCoreStage::stored(&blobs).expect("a whole blob");
        coverage.add(slices, &stage.expect("a stage"));
    }
}

/// Compares the solvers on some games. Returns what the solves were like.
fn agree(specs: &[&str]) -> Coverage {
    let mut coverage = Coverage::default();
    for spec in specs {
        let game = by_name(spec, &Setup::default()).expect(spec);
        assert_agrees_with_tiered(&game, &mut coverage);
    }
    coverage
}

#[test]
fn the_out_of_core_solver_agrees_with_the_tiered_one() {
    let coverage = agree(&[
        "onitama:1x2:boar",
        "onitama:2x3:boar",
        "onitama:3x3:boar",
        "onitama:2x4:boar,ox,elephant,horse,crab",
        "onitama:3x2:tiger,crab,monkey,crane,dragon",
        "onitama:3x3:ox,ox,tiger,tiger,boar",
        "onitama:2x4:(0,0)(1,0),boar,ox,(0,0),crab:stay=yes",
        "onitama:4x3:boar:students=2",
        "onitama:4x8:boar,boar,ox,ox,tiger:students=0",
    ]);
    assert!(coverage.slices > 8, "{} slices at most", coverage.slices);
    assert!(coverage.in_memory > 2, "{} passes in memory", coverage.in_memory);
    assert!(
        coverage.last_frontier_pass > 10,
        "no frontier was written after pass {}",
        coverage.last_frontier_pass
    );
}

#[test]
#[ignore = "slow: most of a minute"]
fn the_out_of_core_solver_agrees_with_the_tiered_one_in_many_slices() {
    let coverage = agree(&[
        "onitama:5x3:boar,ox,horse,eel,cobra:students=1",
        "onitama:7x4:tiger:students=1",
        "onitama:3x4:boar,ox,elephant,horse,crab:students=1",
    ]);
    assert!(coverage.slices > 8, "{} slices at most", coverage.slices);
    assert!(coverage.in_memory > 10, "{} passes in memory", coverage.in_memory);
}

#[test]
#[ignore = "slow: half a minute"]
fn the_out_of_core_solver_agrees_on_a_board_of_five_files() {
    let game = by_name("onitama:5x3:boar:students=2", &Setup::default()).expect("a spec");
    assert_agrees_with_tiered(&game, &mut Coverage::default());
}

/// Kills a solve after more and more calls of its store, and resumes it; returns the number of
/// kills.
fn kill_and_resume(game: &PackedGame) -> u32 {
    let positions: Vec<_> = every_position(game).into_iter().step_by(7).collect();
    let memory = OutOfCorePlan::new(BitplanePlan::new(game), u64::MAX).peak() / 2;
    let solve = |blobs: &dyn Blobs| solve(game, memory, &positions, &mut NoMonitor, blobs);
    let expected = solve(&MemoryBlobs::default()).expect("a solve without limits");
    let blobs = MemoryBlobs::default();
    let mut kills = 0;
    loop {
        let killed = KilledBlobs { blobs: &blobs, calls_left: AtomicU32::new(60 + 7 * kills) };
        match solve(&killed) {
            Ok(solved) => {
                assert!(solved == expected, "{} after {kills}", game.spec());
                return kills;
            }
            Err(Error::Store(_)) => kills += 1,
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_killed_solve_is_resumed() {
    for spec in ["onitama:3x3:boar", "onitama:2x4:boar,ox,elephant,horse,crab"] {
        let kills = kill_and_resume(&by_name(spec, &Setup::default()).expect(spec));
        assert!(kills > 5, "{spec}: {kills}");
    }
}

/// Stops a solve in the middle, and damages each of its blobs.
#[test]
fn damaged_tiles_are_refused() {
    let game = &by_name("onitama:2x2:boar", &Setup::default()).expect("a spec");
    let memory = OutOfCorePlan::new(BitplanePlan::new(game), u64::MAX).peak() / 2;
    let solve = |blobs: &dyn Blobs| solve(game, memory, &[], &mut NoMonitor, blobs);
    let stopped = MemoryBlobs::default();
    let killed = KilledBlobs { blobs: &stopped, calls_left: AtomicU32::new(60) };
    assert!(matches!(solve(&killed), Err(Error::Store(_))));
    let expected = solve(&stopped.clone()).expect("a solve without limits");
    for key in stopped.keys().expect("keys") {
        for bytes in damaged(&stopped.bytes(&key).expect("a blob")) {
            let blobs = stopped.clone();
            blobs.set(&key, &bytes);
            // A tile that a kill left behind may be no part of the solve any more.
            match solve(&blobs) {
                Err(Error::Store(_)) => {}
                Ok(solved) if key != OutOfCoreStage::KEY => assert!(solved == expected),
                _ => panic!("{key} was not refused"),
            }
        }
    }
}
