//! Tables of distances from the start.

use std::sync::Arc;
use std::time::Duration;

use hindsight_core::{Notation, PackedGame, States, Symmetry, Tiers};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Error as SolveError, Limits, Monitor, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::distance::{self, Distances, NearestDistances, NextStates};
use hindsight_tablebase::{
    CheckpointDir, DistanceSearch, Layout, Recompute, Table, TableError, TableVerdict, verify,
};

use crate::StopAfter;

fn game(board: &str, rule8: &str) -> PackedGame {
    let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
    by_name(&format!("ostle:{board}:rule8={rule8}"), &setup).expect("a spec")
}

fn solve_distances(game: &PackedGame) -> Arc<Distances> {
    let found = distance::solve(game, NextStates::Allowed, Limits::default(), &mut NoMonitor);
    found.expect("a small game")
}

fn write(game: &PackedGame, distances: &Arc<Distances>) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), &game.spec(), Layout::Distances).expect("a checkpoint");
    for layer in distances.layers(game) {
        checkpoint.put_distances(game, &layer, u64::MAX).expect("a layer is kept");
    }
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes).expect("a table");
    bytes
}

/// Verifies a table by a search under the rules.
fn verify_by_search(
    table: &Table<Vec<u8>>,
    game: &PackedGame,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    let search = DistanceSearch {
        bytes: distance::peak(game),
        run: &|limits, monitor| distance::solve_layers(game, limits, monitor),
    };
    verify(table, game, Recompute::Search(search), Limits::default(), monitor)
}

/// Compares all distances. Returns the number of ranks that can be reached.
fn count_reached(game: &PackedGame, table: &Table<Vec<u8>>, distances: &Distances) -> u64 {
    let reader = table.with_distances(game);
    let mut reached = 0;
    for tier in (0..game.base().layers()).map(u64::from) {
        for rank in 0..game.base().tier_len(tier) {
            let nearest = distances.nearest(tier, rank);
            let read = reader.value_and_exception(tier, rank).expect("an answer");
            let read = read.and_then(NearestDistances::of_values);
            assert_eq!(read, nearest, "tier {tier}, rank {rank}");
            reached += u64::from(nearest.is_some());
        }
    }
    reached
}

#[test]
fn every_distance_is_read_back() {
    let boards = ["3x3:1:0", "3x3:2:0", "3x3:2:1", "3x3:3:1", "4x4:2:1"];
    for board in boards {
        for rule8 in ["exact", "paper"] {
            let game = game(board, rule8);
            let distances = solve_distances(&game);
            let table = Table::open(write(&game, &distances)).expect("a table");
            let reached = count_reached(&game, &table, &distances);
            let info = table.info();
            let rows = info.histogram().rows().into_iter();
            let rows = rows.filter(|row| row.0.remoteness().is_some());
            assert_eq!(rows.map(|row| row.1).sum::<u64>(), reached);
            let states = info.states().expect("states").all;
            assert_eq!(states.positions(), distances.states_by_distance().iter().sum::<u64>());
            let last = states.rows().last().and_then(|row| row.0.remoteness());
            assert_eq!(last.map(usize::from), Some(distances.states_by_distance().len() - 1));
            let verdict = verify_by_search(&table, &game, &mut NoMonitor);
            let verdict = verdict.expect("a verdict");
            assert_eq!(verdict.faults, [], "{}", game.spec());
            assert_eq!(verdict.positions_checked, info.ranks());
        }
    }
}

#[test]
fn wrong_distances_and_flipped_bits_are_found() {
    let game = game("3x3:3:1", "exact");
    let verdict = |bytes: Vec<u8>| {
        let table = Table::open(bytes)?;
        verify_by_search(&table, &game, &mut NoMonitor)
    };
    let everything = NextStates::All;
    let wrong = distance::solve(&game, everything, Limits::default(), &mut NoMonitor);
    let wrong = verdict(write(&game, &wrong.expect("a small game")));
    let faults = wrong.expect("a verdict").faults;
    assert!(faults.iter().any(|fault| fault.address.is_some()));
    let bytes = write(&game, &solve_distances(&game));
    for i in (0..bytes.len()).step_by(61) {
        let mut flipped = bytes.clone();
        flipped[i] ^= 1 << (i % 8);
        match verdict(flipped) {
            Ok(verdict) => assert_ne!(verdict.faults, [], "byte {i}"),
            Err(error) => assert!(error.is_damage(), "byte {i}: {error}"),
        }
    }
}

#[test]
fn distances_are_not_taken_for_values() {
    let game = game("3x3:2:1", "exact");
    let distances = solve_distances(&game);
    let table = Table::open(write(&game, &distances)).expect("a table");
    let state = table.with_states(&game).value_and_exception(0, 0);
    assert!(matches!(state, Err(TableError::OtherContent { .. })));
    let checked = verify(&table, &game, Recompute::Successors, Limits::default(), &mut NoMonitor);
    assert!(matches!(checked, Err(TableError::OtherContent { .. })));
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), &game.spec(), Layout::States).expect("a checkpoint");
    let put = checkpoint.put_distances(&game, &distances.layers(&game)[0], u64::MAX);
    assert!(matches!(put, Err(TableError::OtherContent { .. })));
}

#[test]
fn a_stopped_search_goes_on_and_a_damaged_one_is_refused() {
    let game = game("4x4:3:1", "exact");
    let whole = write(&game, &solve_distances(&game));
    let dir = tempfile::tempdir().expect("a folder");
    // A folder has one user at a time.
    drop(CheckpointDir::create(dir.path(), &game.spec(), Layout::Distances).expect("a checkpoint"));
    let mut stops = 0;
    let search = |reports: u32| {
        let checkpoint = CheckpointDir::resume(dir.path(), &game.spec(), Layout::Distances)?;
        let saved = Checkpoint::new(checkpoint.blobs(), Duration::MAX);
        let (saved, limits, mut stop) = (Some(&saved), Limits::default(), StopAfter(reports));
        let found = distance::solve_from(&game, NextStates::Allowed, saved, limits, &mut stop);
        Ok::<_, TableError>(found)
    };
    let found = loop {
        match search(4).expect("the checkpoint") {
            Ok(found) => break found,
            Err(error) => assert!(matches!(error, SolveError::Stopped), "{error}"),
        }
        stops += 1;
    };
    assert!(stops > 2, "{stops}");
    assert_eq!(write(&game, &found), whole);
    let path = dir.path().join("stopped.part");
    let kept = std::fs::read(&path).expect("what was kept");
    for i in (0..kept.len()).step_by(kept.len() / 60) {
        let mut flipped = kept.clone();
        flipped[i] ^= 1 << (i % 8);
        std::fs::write(&path, &flipped).expect("it is written");
        let refused = search(u32::MAX).expect("the checkpoint");
        assert!(matches!(refused, Err(SolveError::Store(_))), "byte {i}");
    }
    std::fs::write(&path, &kept[..kept.len() - 1]).expect("it is written");
    let refused = search(u32::MAX).expect("the checkpoint");
    assert!(matches!(refused, Err(SolveError::Store(_))));
}
