//! Honest tables and checkpoints of small games, and attacks by forged ones.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use hindsight_bitplanes::{
    BitplanePlan, InMemoryOptions, Instructions, OutOfCoreOptions, OutOfCorePlan, OutOfCoreStage,
    solve_and_store, solve_out_of_core,
};
use hindsight_core::{
    ForbiddenMove, Game, Notation, Packed, PackedGame, Probe, Ranked, States, Symmetry, Tiers,
    TwoSided,
};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Error, Limits, MemoryStore, Monitor, NoMonitor, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::distance::{self, DistanceReader, NearestDistances, NextStates};
use hindsight_solve::tiered::{TierPlan as TieredPlan, TierStorage};
use hindsight_solve::{
    forbidden_move::{self, SolvedStateTier},
    pawn_pairs, tiered,
};
use hindsight_tablebase::{
    CheckpointDir, DistanceSearch, Layout, Recompute, Table, TableError, TableVerdict, verify,
};

use crate::StopAfter;
use crate::verify_pairs::verify_pairs;

/// States or positions that are probed.
const MAX_PROBED: usize = 30;

/// Time limit of a solve; no small game takes that long.
const TIME: Duration = Duration::from_secs(60);

pub struct Games {
    pub tic_tac_toe: PackedGame,
    pub quoridor: PackedGame,
    pub onitama: PackedGame,
    pub ostle: PackedGame,
}

pub static GAMES: LazyLock<Games> = LazyLock::new(|| {
    let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
    let game = |spec: &str| by_name(spec, &setup).expect("a spec");
    Games {
        tic_tac_toe: game("tic-tac-toe"),
        quoridor: game("quoridor:3x3:1"),
        onitama: game("onitama:2x3:(-1,1)(1,0),(0,1)(0,-1),(1,1)(-1,0),(0,1),(2,0)(0,1)"),
        ostle: game("ostle:3x3:2:1"),
    }
});

/// The tables that are forged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    TicTacToe,
    Quoridor,
    Onitama(Layout),
    States,
    Distances,
}

pub const TABLE_KINDS: [TableKind; 7] = [
    TableKind::TicTacToe,
    TableKind::Quoridor,
    TableKind::Onitama(Layout::Full),
    TableKind::Onitama(Layout::Compact),
    TableKind::Onitama(Layout::Wdl),
    TableKind::States,
    TableKind::Distances,
];

pub static TABLES: LazyLock<Vec<(TableKind, Vec<u8>)>> =
    LazyLock::new(|| TABLE_KINDS.into_iter().map(|kind| (kind, table(kind))).collect());

fn table(kind: TableKind) -> Vec<u8> {
    let games = &*GAMES;
    match kind {
        TableKind::TicTacToe => solve_by_tiers(&games.tic_tac_toe, Layout::Full),
        TableKind::Quoridor => {
            let mut kept = MemoryStore::default();
            let (game, plan) = (&games.quoridor, TieredPlan::new(&games.quoridor));
            pawn_pairs::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor)
                .expect("a game");
            write_table(game, &kept, Layout::Full)
        }
        TableKind::Onitama(layout) => solve_by_tiers(&games.onitama, layout),
        TableKind::States => ostle_table(Layout::States, |checkpoint| {
            let mut take = |solved: SolvedStateTier| {
                checkpoint.put_states(&games.ostle, &solved, u64::MAX).expect("a layer is kept");
            };
            let (limits, silent) = (Limits::default(), &mut NoMonitor);
            forbidden_move::solve(&games.ostle, limits, silent, &mut take).expect("a game");
        }),
        TableKind::Distances => ostle_table(Layout::Distances, |checkpoint| {
            let (rules, limits) = (NextStates::Allowed, Limits::default());
            let found =
                distance::solve(&games.ostle, rules, limits, &mut NoMonitor).expect("a game");
            for layer in found.layers(&games.ostle) {
                let put = checkpoint.put_distances(&games.ostle, &layer, u64::MAX);
                put.expect("a layer is kept");
            }
        }),
    }
}

fn store_error(error: hindsight_tablebase::TableError) -> Error {
    Error::Store(error.into())
}

fn solve_by_tiers(game: &PackedGame, layout: Layout) -> Vec<u8> {
    let mut kept = MemoryStore::default();
    let plan = TieredPlan::new(game);
    tiered::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor).expect("a game");
    write_table(game, &kept, layout)
}

fn write_table(game: &PackedGame, kept: &MemoryStore, layout: Layout) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), &game.spec(), layout).expect("a checkpoint");
    for layer in &kept.0 {
        checkpoint.layer_store(game).put(layer, &mut || Ok(())).expect("a layer is kept");
    }
    bytes_of(&checkpoint)
}

fn ostle_table(layout: Layout, put: impl Fn(&CheckpointDir)) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), &GAMES.ostle.spec(), layout).expect("a checkpoint");
    put(&checkpoint);
    bytes_of(&checkpoint)
}

fn bytes_of(checkpoint: &CheckpointDir) -> Vec<u8> {
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes).expect("a table");
    bytes
}

/// Outcome of an attack by a forged table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AttackOutcome {
    /// The table does not open.
    NotOpened,
    /// The header does not fit the game.
    WrongHeader,
    /// The header fits, and the check finds a fault.
    Detected,
    /// The forgery changes nothing that matters.
    Harmless,
}

/// Opens a table, probes and decodes it, and checks it.
pub fn attack(kind: TableKind, bytes: &[u8]) -> AttackOutcome {
    let games = &*GAMES;
    match Table::open(bytes) {
        Err(error) => {
            assert!(error.is_damage(), "{error}");
            AttackOutcome::NotOpened
        }
        Ok(table) => match kind {
            TableKind::TicTacToe => {
                attack_positions(&table, &games.tic_tac_toe, verify_by_successors)
            }
            TableKind::Quoridor => attack_positions(&table, &games.quoridor, verify_pairs),
            TableKind::Onitama(_) => attack_positions(&table, &games.onitama, verify_by_successors),
            TableKind::States | TableKind::Distances => attack_states(&table, &games.ostle),
        },
    }
}

type CheckResult = Result<TableVerdict, hindsight_tablebase::TableError>;

fn outcome(fits: bool, result: CheckResult) -> AttackOutcome {
    let is_sound = match result {
        Ok(verdict) => verdict.faults.is_empty(),
        Err(hindsight_tablebase::TableError::OtherContent { .. }) => false,
        Err(error) => panic!("a fault, and no error: {error}"),
    };
    match (fits, is_sound) {
        (true, true) => AttackOutcome::Harmless,
        (true, false) => AttackOutcome::Detected,
        (false, true) => panic!("a check passes a header that is not of its game"),
        (false, false) => AttackOutcome::WrongHeader,
    }
}

fn verify_by_successors(
    table: &Table<&[u8]>,
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    verify(table, game, Recompute::Successors, limits, monitor)
}

fn attack_positions<'a>(
    table: &Table<&'a [u8]>,
    game: &PackedGame,
    check: impl Fn(&Table<&'a [u8]>, &PackedGame, Limits, &mut dyn Monitor) -> CheckResult,
) -> AttackOutcome {
    let fits = table.fits(game).is_ok();
    if fits {
        let reader = table.with(game);
        let mut moves = Vec::new();
        for position in positions(game) {
            moves.clear();
            game.moves(position, &mut moves);
            for next in moves.iter().map(|&mv| game.play(position, mv)) {
                if let Ok(hindsight_core::Answer::Exact(value)) = reader.probe(next) {
                    std::hint::black_box(value.before());
                }
            }
        }
        for layer in 0..=game.layers() {
            drop(table.decode_layer(game, layer));
        }
        hindsight_tablebase::verify_memory(table, game).expect("bytes in memory");
    }
    outcome(fits, check(table, game, Limits::default(), &mut NoMonitor))
}

fn positions(game: &PackedGame) -> Vec<Packed> {
    let mut tiers = Vec::new();
    (0..game.layers()).for_each(|layer| game.tiers(layer, &mut tiers));
    let addresses = tiers.into_iter().flat_map(|tier| {
        let len = game.tier_len(tier);
        (0..len).step_by((len as usize).div_ceil(5).max(1)).map(move |rank| (tier, rank))
    });
    let addresses: Vec<(u64, u64)> = addresses.collect();
    let step = addresses.len().div_ceil(MAX_PROBED).max(1);
    let addresses = addresses.into_iter().step_by(step);
    let unranked = addresses.filter_map(|(tier, rank)| game.unrank(tier, rank));
    unranked.filter(|&position| game.terminal(position).is_none()).collect()
}

fn attack_states(table: &Table<&[u8]>, game: &PackedGame) -> AttackOutcome {
    let fits = table.info().fits_states(game).is_ok();
    if fits {
        let (states, distances) = (table.with_states(game), table.with_distances(game));
        let probe = |tier, rank| {
            let values = distances.value_and_exception(tier, rank)?;
            Ok::<_, TableError>(values.and_then(NearestDistances::of_values))
        };
        let reached = DistanceReader::new(game, &probe);
        for base in positions(game.base()) {
            let mut next = vec![game.encode(base, None)];
            game.successors(next[0], &mut next);
            for state in next {
                if let Ok(hindsight_core::Answer::Exact(value)) = states.probe(state) {
                    std::hint::black_box(value.before());
                }
                if let Some((tier, rank, _)) = game.rank_state(state) {
                    drop(probe(tier, rank));
                }
            }
            drop(reached.shortest_line(game.encode(base, None)));
        }
        for layer in 0..=game.base().layers() {
            drop((table.decode_states(game, layer), table.decode_unrestricted(game, layer)));
        }
    }
    let (limits, monitor) = (Limits::default(), &mut NoMonitor);
    let recompute = match table.info().layout {
        Layout::Distances => Recompute::Search(DistanceSearch {
            bytes: 0,
            run: &|limits, monitor| distance::solve_layers(game, limits, monitor),
        }),
        _ => Recompute::Successors,
    };
    outcome(fits, verify(table, game, recompute, limits, monitor))
}

/// Solvers whose checkpoints are forged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckpointKind {
    Tiers,
    Pairs,
    States,
    Distances,
    Planes,
    Slices,
}

pub const CHECKPOINT_KINDS: [CheckpointKind; 6] = [
    CheckpointKind::Tiers,
    CheckpointKind::Pairs,
    CheckpointKind::States,
    CheckpointKind::Distances,
    CheckpointKind::Planes,
    CheckpointKind::Slices,
];

/// Files of a checkpoint: names and bytes.
pub type Files = Vec<(String, Vec<u8>)>;

pub static CHECKPOINTS: LazyLock<Vec<(CheckpointKind, Files)>> = LazyLock::new(|| {
    let checkpoints_of =
        |kind: CheckpointKind| checkpoints(kind).into_iter().map(move |files| (kind, files));
    CHECKPOINT_KINDS.into_iter().flat_map(checkpoints_of).collect()
});

/// Checkpoints of a solve that was stopped after several numbers of reports.
fn checkpoints(kind: CheckpointKind) -> Vec<Files> {
    let moments = [2, 4, 7, 12, 25];
    let stopped = moments.map(|reports| {
        let dir = tempfile::tempdir().expect("a folder");
        let checkpoint = CheckpointDir::create(dir.path(), &spec(kind), layout(kind));
        drop(checkpoint.expect("a checkpoint"));
        let done = resume_solve(kind, dir.path(), &mut StopAfter(reports)).expect("a checkpoint");
        done.is_err().then(|| files(dir.path()))
    });
    stopped.into_iter().flatten().filter(|files| files.len() > 1).collect()
}

fn layout(kind: CheckpointKind) -> Layout {
    match kind {
        CheckpointKind::States => Layout::States,
        CheckpointKind::Distances => Layout::Distances,
        _ => Layout::Full,
    }
}

fn spec(kind: CheckpointKind) -> String {
    match kind {
        CheckpointKind::States | CheckpointKind::Distances => GAMES.ostle.spec(),
        CheckpointKind::Pairs => GAMES.quoridor.spec(),
        CheckpointKind::Tiers | CheckpointKind::Planes | CheckpointKind::Slices => {
            GAMES.onitama.spec()
        }
    }
}

pub fn files(dir: &Path) -> Files {
    let entries = std::fs::read_dir(dir).expect("a folder").map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), std::fs::read(&path).expect("a file"))
    });
    let mut files: Files = entries.collect();
    files.sort();
    files
}

/// Resumes a solve. The outer result is that of opening the checkpoint.
fn resume_solve(
    kind: CheckpointKind,
    dir: &Path,
    monitor: &mut dyn Monitor,
) -> Result<Result<(), Error>, hindsight_tablebase::TableError> {
    let limits = Limits { time: Some(TIME), ..Limits::default() };
    let games = &*GAMES;
    let checkpoint = CheckpointDir::resume(dir, &spec(kind), layout(kind))?;
    let saved = Checkpoint::new(checkpoint.blobs(), Duration::MAX);
    Ok(match kind {
        CheckpointKind::Tiers => {
            let game = &games.onitama;
            let plan = TieredPlan::new(game);
            let storage =
                TierStorage { layers: &mut checkpoint.layer_store(game), checkpoint: Some(&saved) };
            tiered::solve_from(game, &plan, storage, limits, monitor).map(drop)
        }
        CheckpointKind::Pairs => {
            let game = &games.quoridor;
            let plan = TieredPlan::new(game);
            pawn_pairs::solve(game, &plan, &mut checkpoint.layer_store(game), limits, monitor)
                .map(drop)
        }
        CheckpointKind::States => {
            let (game, saved) = (&games.ostle, Some(&saved));
            let mut store = checkpoint.state_store(game);
            let take = &mut |_| ();
            forbidden_move::solve_from(game, &mut store, saved, limits, monitor, take).map(drop)
        }
        CheckpointKind::Distances => {
            let (game, rules) = (&games.ostle, NextStates::Allowed);
            let found = distance::solve_from(game, rules, Some(&saved), limits, monitor);
            found.and_then(|found| {
                let layer = &found.layers(game)[0];
                checkpoint.put_distances(game, layer, u64::MAX).map_err(store_error)
            })
        }
        CheckpointKind::Planes => {
            let game = &games.onitama;
            let terms = InMemoryOptions {
                instructions: Instructions::detect(),
                limits,
                monitor,
                checkpoint: Some(&saved),
            };
            let plan = BitplanePlan::new(game);
            solve_and_store(game, plan, terms, &mut checkpoint.layer_store(game)).map(drop)
        }
        CheckpointKind::Slices => {
            let game = &games.onitama;
            let begun = match OutOfCoreStage::stored(checkpoint.blobs()) {
                Ok(begun) => begun,
                Err(error) => return Ok(Err(error.into())),
            };
            let slices = begun.map_or(3, |stage| stage.slices);
            let plan = OutOfCorePlan::with_slices(BitplanePlan::new(game), slices, 1 << 30);
            let terms = OutOfCoreOptions {
                instructions: Instructions::detect(),
                limits,
                monitor,
                checkpoint: &saved,
            };
            let watched = positions(game).into_iter().filter_map(|p| game.placement(p));
            solve_out_of_core(game, plan, terms, watched).map(drop)
        }
    })
}

/// Resumes a checkpoint in which file `forged` has other bytes. Returns true if the file is
/// refused, and asserts that a refused file is left alone.
pub fn is_forgery_refused(
    kind: CheckpointKind,
    files: &Files,
    forged: usize,
    forged_bytes: &[u8],
) -> bool {
    let dir = tempfile::tempdir().expect("a folder");
    for (i, (name, bytes)) in files.iter().enumerate() {
        let bytes = if i == forged { forged_bytes } else { bytes };
        std::fs::write(dir.path().join(name), bytes).expect("room");
    }
    let done = resume_solve(kind, dir.path(), &mut NoMonitor);
    let is_refused = !matches!(done, Ok(Ok(())));
    if let Ok(Err(error)) = &done {
        assert!(!matches!(error, Error::Time { .. } | Error::Memory { .. }), "{error}");
    }
    let (name, _) = &files[forged];
    if is_refused && kind != CheckpointKind::Slices {
        let left = std::fs::read(dir.path().join(name)).expect("the file is left");
        assert!(left == forged_bytes, "{name} was changed");
    }
    is_refused
}
