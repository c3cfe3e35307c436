//! Solves keep their memory limit, writing of tables included, and state the minimum before they
//! start.
#![cfg(target_os = "linux")]

use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;
use std::{env, fs};

use hindsight_core::{Notation, PackedGame, Symmetry};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Error, Limits, NoMonitor, NullStore};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::distance::{self, NextStates};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_solve::{forbidden_move, graph};
use hindsight_tablebase::{CheckpointDir, Layout};

/// Memory of the process for its code, its threads, and fragmentation, in bytes.
const PROCESS_BYTES: u64 = 8 << 20;

/// A field of `/proc/self/status`, in bytes.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").expect("a status");
    let line = text.lines().find(|line| line.starts_with(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    let kilobytes: u64 = kilobytes.and_then(|n| n.parse().ok()).expect("a number");
    kilobytes << 10
}

/// Memory of this process before the first solve, in bytes.
static BEFORE: OnceLock<u64> = OnceLock::new();

/// Runs `act`. Returns the peak memory that the process takes besides [`BEFORE`], in bytes.
fn peak_memory<T>(act: impl FnOnce() -> T) -> (T, u64) {
    let before = *BEFORE.get_or_init(|| status("VmRSS:"));
    // The peak is reset to the current use. Memory that was freed but not returned is used again.
    fs::write("/proc/self/clear_refs", "5").expect("a peak that begins anew");
    let done = act();
    (done, status("VmHWM:").saturating_sub(before))
}

/// Runs `act` with a memory limit, and asserts that its peak keeps to the limit.
fn within_limit<T>(case: &str, limit: u64, act: impl FnOnce(Limits) -> T) -> T {
    let limits = Limits { memory: limit, time: None };
    let (done, peak) = peak_memory(|| act(limits));
    assert!(peak <= limit + PROCESS_BYTES, "{case}: {peak} of {limit}");
    done
}

/// Solves with hardly any memory, which yields the minimum; then with less than that, with exactly
/// that, and without a limit. The last two results must be equal.
fn check_stated_minimum<T: PartialEq>(case: &str, solve: impl Fn(Limits) -> Result<T, Error>) {
    let Err(Error::TooLarge { needed, .. }) = within_limit(case, 1 << 10, &solve) else {
        panic!("{case}: a kilobyte is enough");
    };
    let less = within_limit(case, needed - 1, &solve);
    assert!(matches!(less, Err(Error::TooLarge { .. })), "{case}");
    let least =
        within_limit(case, needed, &solve).unwrap_or_else(|error| panic!("{case}: {error}"));
    let more = solve(Limits::default()).unwrap_or_else(|error| panic!("{case}: {error}"));
    assert!(least == more, "{case}: the limit makes a difference");
}

/// Bytes of the table that a solve writes.
fn table(
    spec: &str,
    layout: Layout,
    solve: impl FnOnce(&CheckpointDir) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), spec, layout).expect("a checkpoint");
    solve(&checkpoint)?;
    let path = dir.path().join("table");
    checkpoint.finish_to(&path).expect("a table");
    Ok(fs::read(path).expect("a table"))
}

fn game(spec: &str) -> PackedGame {
    let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
    by_name(spec, &setup).expect("a spec")
}

fn large_graphs() {
    let game = game("quoridor:9x9:20");
    for limit in [1 << 20, 10 << 20, 30 << 20, 90 << 20] {
        let case = "a graph of Quoridor";
        let solved =
            within_limit(case, limit, |limits| graph::solve(&game, limits, &mut NoMonitor).err());
        assert!(matches!(solved, Some(Error::Memory { .. })), "{case}");
    }
}

fn graphs_that_fit() {
    let game = game("onitama:3x4:boar:students=2");
    let solve = |limits| graph::solve(&game, limits, &mut NoMonitor);
    let close = within_limit("a graph of Onitama", 12 << 20, solve);
    let close = close.expect("enough").histogram();
    let free = solve(Limits::default()).map(|solved| solved.histogram());
    assert!(close == free.expect("no limits"));
}

fn pairs() {
    let game = game("quoridor:4x4:2");
    let plan = TierPlan::new(&game);
    for layout in [Layout::Full, Layout::Compact, Layout::Wdl] {
        check_stated_minimum("pairs of Quoridor", |limits| {
            table(&game.spec(), layout, |checkpoint| {
                hindsight_solve::pawn_pairs::solve(
                    &game,
                    &plan,
                    &mut checkpoint.layer_store(&game),
                    limits,
                    &mut NoMonitor,
                )
                .map(drop)
            })
        });
    }
}

fn tiers() {
    let quoridor = game("quoridor:5x5:1");
    let plan = TierPlan::new(&quoridor);
    check_stated_minimum("tiers of Quoridor", |limits| {
        tiered::solve(&quoridor, &plan, &mut NullStore, limits, &mut NoMonitor)
    });
    let game = game("onitama:3x4:tiger,crab,monkey,crane,dragon:students=2");
    let plan = TierPlan::new(&game);
    check_stated_minimum("tiers of Onitama", |limits| {
        table(&game.spec(), Layout::Full, |checkpoint| {
            tiered::solve(&game, &plan, &mut checkpoint.layer_store(&game), limits, &mut NoMonitor)
                .map(drop)
        })
    });
}

fn states() {
    let game = game("ostle:4x4:2:1");
    check_stated_minimum("states of Ostle", |limits| {
        table(&game.spec(), Layout::States, |checkpoint| {
            let mut store = checkpoint.state_store(&game);
            let saved = Checkpoint::new(checkpoint.blobs(), Duration::MAX);
            let saved = Some(&saved);
            let take = &mut |_| ();
            forbidden_move::solve_from(&game, &mut store, saved, limits, &mut NoMonitor, take)
                .map(drop)
        })
    });
}

fn distances() {
    let game = game("ostle:4x4:2:1");
    check_stated_minimum("distances of Ostle", |limits| {
        let found = distance::solve(&game, NextStates::Allowed, limits, &mut NoMonitor)?;
        Ok(found.states_by_distance())
    });
}

/// The cases, each of which runs in a process of its own.
const CASES: [(&str, fn()); 6] = [
    ("large graphs", large_graphs),
    ("graphs that fit", graphs_that_fit),
    ("pairs", pairs),
    ("tiers", tiers),
    ("states", states),
    ("distances", distances),
];

/// Environment variable that has the C library return each large block to the system when it is
/// freed. Otherwise it keeps blocks of up to 32 MiB in the heap of any thread, some 30 MiB in all,
/// now more and now less.
const RETURN_BLOCKS: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=131072");

/// Environment variable that names the case for a process of this test.
const CASE: &str = "HINDSIGHT_MEMORY_CASE";

#[test]
fn limits_of_memory_are_kept() {
    if let Ok(name) = env::var(CASE) {
        let (_, act) = CASES.iter().find(|case| case.0 == name).expect("a case");
        act();
        return;
    }
    for (name, _) in CASES {
        let mut tried = Command::new(env::current_exe().expect("this test"));
        tried.args(["memory::limits_of_memory_are_kept", "--exact", "--nocapture"]);
        let status = tried.env(CASE, name).envs([RETURN_BLOCKS]).status();
        let status = status.expect("a process");
        assert!(status.success(), "{name}");
    }
}
