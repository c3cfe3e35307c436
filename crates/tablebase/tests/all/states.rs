//! Tables of every state of a game in which a move may be forbidden.

use std::collections::HashSet;
use std::time::Duration;

use hindsight_core::{
    Answer, Game, Notation, Packed, PackedGame, Probe, Ranked, States, Symmetry, Tiers,
};
use hindsight_engine::checkpoint::{Checkpoint, CheckpointError};
use hindsight_engine::{Limits, Monitor, NoMonitor, StateSource};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::forbidden_move::{self, ForbiddenMoveSolution, SolvedStates};
use hindsight_tablebase::{
    CheckpointDir, Layout, ReadAt, Recompute, Table, TableError, TableVerdict, verify,
    verify_memory,
};

use crate::StopAfter;

fn game(board: &str, rule8: &str) -> PackedGame {
    let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
    by_name(&format!("ostle:{board}:rule8={rule8}"), &setup).expect("a spec")
}

const READINGS: [&str; 2] = ["exact", "paper"];
const SMALL: [&str; 6] = ["3x3:1:0", "3x3:2:0", "3x3:2:1", "3x3:3:0", "3x3:3:1", "4x4:2:1"];

fn solved(game: &PackedGame) -> (ForbiddenMoveSolution, SolvedStates) {
    let mut states = SolvedStates::default();
    let outcome = forbidden_move::solve(game, Limits::default(), &mut NoMonitor, &mut |solved| {
        states.0.push(solved);
    });
    (outcome.expect("a small game"), states)
}

fn write(game: &PackedGame, states: &SolvedStates) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), &game.spec(), Layout::States).expect("a checkpoint");
    for solved in &states.0 {
        checkpoint.put_states(game, solved, u64::MAX).expect("a tier is kept");
    }
    let mut bytes = Vec::new();
    let n = checkpoint.finish(&mut bytes).expect("a table");
    assert_eq!(n, bytes.len() as u64);
    bytes
}

fn check<R: ReadAt>(table: &Table<R>, game: &PackedGame) -> TableVerdict {
    verify(table, game, Recompute::Successors, Limits::default(), &mut NoMonitor)
        .expect("a verdict")
}

/// Every state that a move leads to, and every position with nothing forbidden.
fn all_states(game: &PackedGame) -> HashSet<Packed> {
    let base = game.base();
    let mut found = HashSet::new();
    for tier in (0..base.layers()).map(u64::from) {
        for rank in 0..base.tier_len(tier) {
            let position = base.unrank(tier, rank).expect("no holes");
            let state = game.encode(position, None);
            let mut next = vec![state];
            game.successors(state, &mut next);
            found.extend(next);
        }
    }
    found
}

#[test]
fn every_state_is_read_back() {
    for board in SMALL {
        for rule8 in READINGS {
            let game = game(board, rule8);
            let (outcome, states) = solved(&game);
            let table = Table::open(write(&game, &states)).expect("a table");
            let (reader, expected) = (table.with_states(&game), states.with(&game));
            for state in all_states(&game) {
                let answer = reader.probe(state).expect("an answer");
                assert_eq!(Ok(answer), expected.probe(state), "{}", game.format(state));
                assert_ne!(answer, Answer::Unknown);
            }
            for solved in &states.0 {
                let decoded = table.decode_states(&game, solved.layer).expect("a layer");
                assert_eq!((decoded.ranks(), decoded.tier()), (solved.ranks(), solved.tier));
                for rank in 0..solved.ranks() {
                    let (value, exception) = (solved.value(rank), solved.exception(rank));
                    assert_eq!((decoded.value(rank), decoded.exception(rank)), (value, exception));
                    let known = reader.value_and_exception(solved.tier, rank).expect("an answer");
                    assert_eq!(known, value.map(|value| (value, exception)));
                }
            }
            let info = table.info();
            let counts = info.states().expect("a table of states");
            assert_eq!(info.histogram(), outcome.positions, "{}", game.spec());
            assert_eq!(counts.all, outcome.states, "{}", game.spec());
            assert_eq!(counts.nontrivial, outcome.nontrivial, "{}", game.spec());
            assert_eq!(info.start.value, outcome.start);
            let verdict = check(&table, &game);
            assert_eq!(verdict.faults, [], "{}", game.spec());
            assert_eq!(verdict.positions_checked, outcome.positions.positions());
        }
    }
}

#[test]
fn models_are_read_back_too() {
    let game = game("4x4:3:1", "exact");
    let (_, states) = solved(&game);
    let table = Table::open(write(&game, &states)).expect("a table");
    // Blocks hold whole ranks.
    let mut blocks = table.info().layers.iter().map(|layer| layer.block_ranks);
    assert!(blocks.any(|ranks| ranks == 1365));
    for solved in &states.0 {
        let decoded = table.decode_states(&game, solved.layer).expect("a layer");
        for rank in 0..solved.ranks() {
            assert_eq!(decoded.value(rank), solved.value(rank));
            assert_eq!(decoded.exception(rank), solved.exception(rank));
        }
    }
    assert_eq!(check(&table, &game).faults, []);
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let game = game("4x4:3:1", "exact");
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| write(&game, &solved(&game).1))
    };
    assert!(with(1) == with(2));
}

#[test]
fn every_flipped_bit_cut_and_addition_is_found() {
    let game = game("3x3:2:1", "exact");
    let bytes = write(&game, &solved(&game).1);
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        match Table::open(bytes) {
            // The flip changed the layout, so the table claims to store no states.
            Ok(table) if table.info().layout != Layout::States => panic!("bit {bit}"),
            Ok(table) => assert_ne!(check(&table, &game).faults, [], "bit {bit}"),
            Err(error) => assert!(error.is_damage(), "bit {bit}: {error}"),
        }
    }
    for end in 0..bytes.len() {
        assert!(Table::open(&bytes[..end]).is_err_and(|error| error.is_damage()));
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(Table::open(longer).is_err_and(|error| error.is_damage()));
}

#[test]
fn verify_says_how_much_memory_it_needs() {
    let game = game("3x3:3:0", "exact");
    let table = Table::open(write(&game, &solved(&game).1)).expect("a table");
    let memory = verify_memory(&table, &game).expect("a table");
    let limits = |memory| Limits { memory, time: None };
    assert!(verify(&table, &game, Recompute::Successors, limits(memory), &mut NoMonitor).is_ok());
    let error = verify(&table, &game, Recompute::Successors, limits(memory - 1), &mut NoMonitor);
    assert!(matches!(error, Err(TableError::Memory { needed, .. }) if needed == memory));
}

#[test]
fn states_are_not_taken_for_positions() {
    let game = game("3x3:2:1", "exact");
    let (_, states) = solved(&game);
    let table = Table::open(write(&game, &states)).expect("a table");
    let base = game.base();
    let is_other = |error: TableError| matches!(error, TableError::OtherContent { .. });
    assert!(table.with(base).probe(base.start()).is_err_and(is_other));
    assert!(table.decode_layer(base, 0).is_err_and(is_other));
    assert!(verify_memory(&table, base).is_err_and(is_other));
    assert!(
        verify(&table, base, Recompute::Successors, Limits::default(), &mut NoMonitor)
            .is_err_and(is_other)
    );
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), "ostle:3x3:2:1", Layout::Full).expect("a checkpoint");
    assert!(checkpoint.put_states(&game, &states.0[0], u64::MAX).is_err_and(is_other));
}

#[test]
fn a_folder_of_tiers_is_resumed() {
    let game = game("3x3:3:0", "exact");
    let (_, states) = solved(&game);
    let dir = tempfile::tempdir().expect("a folder");
    let spec = game.spec();
    let checkpoint =
        CheckpointDir::create(dir.path(), &spec, Layout::States).expect("a checkpoint");
    checkpoint.put_states(&game, &states.0[0], u64::MAX).expect("a tier is kept");
    let busy = CheckpointDir::resume(dir.path(), &spec, Layout::States);
    assert!(matches!(busy, Err(TableError::Checkpoint(CheckpointError::InUse { .. }))));
    drop(checkpoint);
    let other = CheckpointDir::resume(dir.path(), &spec, Layout::Full);
    assert!(matches!(other, Err(TableError::Checkpoint(CheckpointError::OtherLayout { .. }))));
    let checkpoint =
        CheckpointDir::resume(dir.path(), &spec, Layout::States).expect("the checkpoint");
    assert!(
        checkpoint.has_layer(0).expect("an answer") && !checkpoint.has_layer(1).expect("an answer")
    );
    for solved in &states.0[1..] {
        checkpoint.put_states(&game, solved, u64::MAX).expect("a tier is kept");
    }
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes).expect("a table");
    assert!(bytes == write(&game, &states));
}

fn solve_from(
    game: &PackedGame,
    checkpoint: &CheckpointDir,
    monitor: &mut dyn Monitor,
) -> Result<ForbiddenMoveSolution, hindsight_engine::Error> {
    let mut store = checkpoint.state_store(game);
    let saved = Checkpoint::new(checkpoint.blobs(), Duration::MAX);
    let (saved, limits, take) = (Some(&saved), Limits::default(), &mut |_| ());
    forbidden_move::solve_from(game, &mut store, saved, limits, monitor, take)
}

/// Stops a solve after `reports` reports, again and again. Returns the table, the solution, and the
/// number of stops.
fn stopped_and_resumed(game: &PackedGame, reports: u32) -> (Vec<u8>, ForbiddenMoveSolution, u32) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut stops = 0;
    loop {
        let spec = game.spec();
        let checkpoint = match stops {
            0 => CheckpointDir::create(dir.path(), &spec, Layout::States),
            _ => CheckpointDir::resume(dir.path(), &spec, Layout::States),
        };
        let checkpoint = checkpoint.expect("a checkpoint");
        match solve_from(game, &checkpoint, &mut StopAfter(reports)) {
            Ok(outcome) => {
                let mut bytes = Vec::new();
                checkpoint.finish(&mut bytes).expect("a table");
                assert!(!dir.path().join("stopped.part").exists());
                return (bytes, outcome, stops);
            }
            Err(hindsight_engine::Error::Stopped) => stops += 1,
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_stopped_solve_writes_the_same_table() {
    for (rule8, reports) in [("exact", 9), ("paper", 20)] {
        let game = game("4x4:2:0", rule8);
        let (outcome, states) = solved(&game);
        let (bytes, found, stops) = stopped_and_resumed(&game, reports);
        assert!(stops > 2 && found == outcome, "{stops}");
        assert!(bytes == write(&game, &states));
    }
}

#[test]
fn a_damaged_unfinished_tier_is_refused() {
    let game = game("3x3:2:0", "exact");
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), &game.spec(), Layout::States).expect("a checkpoint");
    let solved = solve_from(&game, &checkpoint, &mut StopAfter(3));
    assert!(matches!(solved, Err(hindsight_engine::Error::Stopped)));
    let file = dir.path().join("stopped.part");
    let whole = std::fs::read(&file).expect("an unfinished tier");
    let is_refused = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("a file");
        let solved = solve_from(&game, &checkpoint, &mut NoMonitor);
        matches!(solved, Err(hindsight_engine::Error::Store(_)))
    };
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(is_refused(&bytes), "byte {at}");
    }
    for length in [0, 7, 20, whole.len() - 1] {
        assert!(is_refused(&whole[..length]), "{length} bytes");
    }
    assert!(is_refused(&[&whole[..], b"x"].concat()), "a byte more");
}
