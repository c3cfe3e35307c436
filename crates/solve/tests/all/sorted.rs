//! The solver of sorted positions against that of graphs, stopped and resumed, and with damage.

use std::collections::BTreeSet;
use std::time::Duration;

use hindsight_core::{Notation, PackedGame, Symmetry};
use hindsight_engine::checkpoint::{Blobs, Checkpoint, MemoryBlobs};
use hindsight_engine::{Error, Limits, Monitor, NoMonitor, Progress};
use hindsight_solve::graph;
use hindsight_solve::sorted::{self, SortedSolution};
use hindsight_testkit::damaged;

use crate::stopped::StopAfter;
use crate::{game, game_with};

/// Limit of memory with which a portion has few positions.
const LITTLE: u64 = 1 << 20;

fn solve(
    game: &PackedGame,
    memory: u64,
    blobs: &MemoryBlobs,
    monitor: &mut dyn Monitor,
) -> Result<SortedSolution, Error> {
    let limits = Limits { memory, time: None };
    let checkpoint = Checkpoint::new(blobs, Duration::ZERO);
    sorted::solve(game, limits, &checkpoint, monitor, &|_| 0)
}

fn solved(game: &PackedGame, memory: u64) -> SortedSolution {
    solve(game, memory, &MemoryBlobs::default(), &mut NoMonitor).expect("a solution")
}

/// Compares all positions, values and totals with those of the graph.
fn check(game: &PackedGame, sorted: &SortedSolution) {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).expect("a solution");
    assert_eq!(sorted.keys.len(), solved.len() as u64, "{}", game.spec());
    for (number, position) in solved.positions().enumerate() {
        assert_eq!(sorted.value(&position), Some(solved.value(number)), "{}", game.spec());
    }
    assert_eq!(sorted.summary, solved.summary(), "{}", game.spec());
    assert_eq!(sorted.histogram.rows(), solved.histogram().rows(), "{}", game.spec());
}

fn assert_same(one: &SortedSolution, other: &SortedSolution) {
    assert_eq!(one.keys, other.keys);
    assert!((0..one.keys.len()).all(|number| one.value_of(number) == other.value_of(number)));
    assert_eq!(one.summary, other.summary);
}

#[test]
fn sorted_positions_have_the_values_of_the_graph() {
    for spec in [
        "tic-tac-toe",
        "dodgem:3x3",
        "quixo:3x3",
        "four:3x3:3",
        "ostle:3x3:1:0",
        "quoridor:2x5:1:start=point",
        "onitama:2x3:ox,horse,boar,crab,elephant",
        "onitama:3x2:fox,dog,bear:hand=1",
        "onitama:3x3:tiger",
    ] {
        for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
            let game = game_with(symmetry, spec);
            let sorted = solved(&game, u64::MAX);
            check(&game, &sorted);
            assert_same(&sorted, &solved(&game, LITTLE));
        }
    }
}

/// Long cycles, some draws, and several chunks of moves that are written anew.
#[test]
fn many_positions_in_little_memory_have_the_values_of_the_graph() {
    for (spec, memory) in [("onitama:3x4:boar", 1 << 24), ("four:4x4", 1 << 20)] {
        let game = game(spec);
        check(&game, &solved(&game, memory));
    }
}

#[test]
fn a_solve_that_is_stopped_anywhere_goes_on_to_the_same_end() {
    for spec in ["quixo:3x3", "onitama:2x3:ox,horse,boar,crab,elephant"] {
        let game = game(spec);
        let whole = solved(&game, LITTLE);
        let mut stops = 0;
        for reports in (1..).step_by(7) {
            let blobs = MemoryBlobs::default();
            match solve(&game, LITTLE, &blobs, &mut StopAfter(reports)) {
                Ok(_) => break,
                Err(error) => assert!(matches!(error, Error::Stopped), "{error}"),
            }
            stops += 1;
            let again = solve(&game, u64::MAX, &blobs, &mut NoMonitor).expect("a solution");
            assert_same(&again, &whole);
            let finished = solve(&game, LITTLE, &blobs, &mut NoMonitor).expect("a solution");
            assert_same(&finished, &whole);
        }
        assert!(stops > 5, "{spec}: {stops}");
    }
}

/// Stops after some reports, and notes the last phase.
struct StopInPhase(usize, &'static str);

impl Monitor for StopInPhase {
    fn report(&mut self, progress: Progress) -> bool {
        self.1 = progress.phase;
        self.0 -= 1;
        self.0 > 0
    }
}

/// Nothing is due here, so whatever is kept is kept because of the stop.
#[test]
fn a_stop_keeps_what_was_done() {
    let game = game("onitama:2x3:ox,horse,boar,crab,elephant");
    let mut phases = BTreeSet::new();
    for reports in 1.. {
        let blobs = MemoryBlobs::default();
        let checkpoint = Checkpoint::new(&blobs, Duration::MAX);
        let mut stop = StopInPhase(reports, "");
        let limits = Limits::default();
        if sorted::solve(&game, limits, &checkpoint, &mut stop, &|_| 0).is_ok() {
            break;
        }
        let is_first = phases.insert(stop.1);
        let key = match stop.1 {
            "exploring" => "reached-000001",
            // The memory is counted before the first moves.
            "moves" if is_first => continue,
            "moves" => "moves-000000",
            _ => "values-000000",
        };
        assert!(blobs.bytes(key).is_some(), "{key}");
    }
    assert_eq!(phases.len(), 3, "{phases:?}");
}

#[test]
fn damaged_blobs_are_errors() {
    let game = game("dodgem:2x2");
    let mut damaged_keys = BTreeSet::new();
    for reports in 2.. {
        let blobs = MemoryBlobs::default();
        if solve(&game, LITTLE, &blobs, &mut StopAfter(reports)).is_ok() {
            break;
        }
        let keys = blobs.keys().expect("keys").into_iter();
        for key in keys.filter(|key| damaged_keys.insert(key.clone())) {
            for bytes in damaged(&blobs.bytes(&key).expect("a blob")) {
                let copy = blobs.clone();
                copy.set(&key, &bytes);
                let resumed = solve(&game, LITTLE, &copy, &mut NoMonitor).map(|_| ());
                // Values that were saved make first moves useless, which are not looked at then.
                let is_unused = resumed.is_ok() && key.starts_with("moves");
                assert!(is_unused || matches!(resumed, Err(Error::Store(_))), "{key}: {resumed:?}");
            }
        }
    }
    for kind in ["moves", "reached", "values"] {
        assert!(damaged_keys.iter().any(|key| key.starts_with(kind)), "{damaged_keys:?}");
    }
}

/// Checksums of a forged checkpoint are right: those of blobs of other games, or of less work.
#[test]
fn blobs_of_other_solves_are_errors_or_do_no_harm() {
    let specs = ["four:3x3:3", "dodgem:2x2", "onitama:2x3:boar", "quixo:3x3", "quoridor:3x3:1"];
    let kept = specs.map(|spec| {
        let blobs = MemoryBlobs::default();
        let stopped = solve(&game(spec), LITTLE, &blobs, &mut StopAfter(9)).err();
        assert!(matches!(stopped, Some(Error::Stopped)), "{spec}");
        blobs
    });
    for (number, spec) in specs.iter().enumerate() {
        for other in kept.iter().enumerate().filter(|(other, _)| *other != number) {
            for key in other.1.keys().expect("keys") {
                let blobs = kept[number].clone();
                blobs.set(&key, &other.1.bytes(&key).expect("a blob"));
                let resumed = solve(&game(spec), LITTLE, &blobs, &mut NoMonitor).map(|_| ());
                assert!(matches!(resumed, Ok(()) | Err(Error::Store(_))), "{spec}: {resumed:?}");
            }
        }
    }
}

#[test]
fn too_little_memory_is_an_error() {
    let game = game("four:4x4");
    let refused = solve(&game, 1 << 16, &MemoryBlobs::default(), &mut NoMonitor).err();
    assert!(matches!(refused, Some(Error::Memory { .. })), "{refused:?}");
}
