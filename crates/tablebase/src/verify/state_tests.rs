//! Tables of states that differ from a solver's.

use hindsight_core::{ForbiddenMove, PackedGame, States, Symmetry, Tiers, Value};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::forbidden_move::{self, SolvedStateTier};

use crate::states::rank_class::WIN_IN_ONE;
use crate::{CheckpointDir, Layout, Recompute, Table, TableError, TableVerdict, verify};
use hindsight_engine::StateSource;

const SPEC: &str = "ostle:3x3:2:1";

fn game(spec: &str) -> PackedGame {
    let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
    by_name(spec, &setup).expect("a spec")
}

fn solved(game: &PackedGame) -> Vec<SolvedStateTier> {
    let mut tiers = Vec::new();
    let outcome = forbidden_move::solve(game, Limits::default(), &mut NoMonitor, &mut |solved| {
        tiers.push(solved);
    });
    outcome.expect("a small game");
    tiers
}

/// A tier with the states of one rank replaced.
struct Changed<'a> {
    solved: &'a SolvedStateTier,
    rank: u64,
    value: Option<Value>,
    exception: Option<(u8, Value)>,
}

impl<'a> Changed<'a> {
    fn not(solved: &'a SolvedStateTier) -> Self {
        Self { solved, rank: u64::MAX, value: None, exception: None }
    }
}

impl StateSource for Changed<'_> {
    fn layer(&self) -> u32 {
        self.solved.layer
    }

    fn tier(&self) -> u64 {
        self.solved.tier
    }

    fn ranks(&self) -> u64 {
        self.solved.ranks()
    }

    fn value(&self, rank: u64) -> Option<Value> {
        if rank == self.rank { self.value } else { self.solved.value(rank) }
    }

    fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        if rank == self.rank { self.exception } else { self.solved.exception(rank) }
    }
}

fn write(game: &PackedGame, tiers: &[Changed<'_>]) -> Result<Vec<u8>, TableError> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), SPEC, Layout::States)?;
    for tier in tiers {
        checkpoint.put_states(game, tier, u64::MAX)?;
    }
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes)?;
    Ok(bytes)
}

fn verdict(game: &PackedGame, bytes: Vec<u8>) -> TableVerdict {
    let table = Table::open(bytes).expect("a table");
    verify(&table, game, Recompute::Successors, Limits::default(), &mut NoMonitor)
        .expect("a verdict")
}

#[test]
fn changed_states_are_found() {
    let game = game(SPEC);
    let tiers = solved(&game);
    let [solved] = &tiers[..] else {
        panic!("two pieces each, lost at one: one tier");
    };
    let sound = write(&game, &[Changed::not(solved)]).expect("a table");
    assert_eq!(verdict(&game, sound).faults, []);
    let mut move_ids = Vec::new();
    for rank in (0..solved.ranks()).step_by(5) {
        let (value, exception) = (solved.value(rank), solved.exception(rank));
        if value == Some(WIN_IN_ONE) {
            continue;
        }
        move_ids.clear();
        game.forbiddable_ids(solved.tier, rank, &mut move_ids);
        let other_move = move_ids.iter().copied().find(|&id| Some(id) != exception.map(|e| e.0));
        let changed = [Value::Draw, Value::Loss(6), Value::Win(5)].into_iter().flat_map(|wrong| {
            let with_other = other_move.map(|id| (value, Some((id, wrong))));
            let without = exception.map(|(id, _)| (value, Some((id, wrong))));
            [Some((Some(wrong), exception)), Some((value, None)), with_other, without]
        });
        for (wrong, other) in changed.flatten() {
            if (wrong, other) == (value, exception) {
                continue;
            }
            let changed = Changed { solved, rank, value: wrong, exception: other };
            let bytes = write(&game, &[changed]).expect("a table");
            let found = verdict(&game, bytes).faults;
            assert_ne!(found, [], "rank {rank}: {wrong:?} {other:?} for {value:?} {exception:?}");
        }
    }
}

#[test]
fn what_is_no_layer_of_the_game_is_not_written() {
    let (game, larger) = (game(SPEC), game("ostle:4x4:2:1"));
    let tiers = solved(&game);
    let hole = Changed { rank: 0, ..Changed::not(&tiers[0]) };
    assert!(matches!(write(&game, &[hole]), Err(TableError::Unfit { .. })));
    let written = write(&larger, &[Changed::not(&tiers[0])]);
    assert!(matches!(written, Err(TableError::Unfit { .. })));
    assert!(matches!(write(&larger, &[]), Err(TableError::MissingLayer(0))));
    let at_once = (0..tiers[0].ranks()).find(|&rank| tiers[0].value(rank) == Some(WIN_IN_ONE));
    let forbidden = Changed {
        rank: at_once.expect("a win at once"),
        value: Some(WIN_IN_ONE),
        exception: Some((1, Value::Draw)),
        solved: &tiers[0],
    };
    assert!(matches!(write(&game, &[forbidden]), Err(TableError::Unfit { .. })));
}

/// A layer with more values than a table has symbols.
struct Many(u64);

impl StateSource for Many {
    fn layer(&self) -> u32 {
        0
    }

    fn tier(&self) -> u64 {
        0
    }

    fn ranks(&self) -> u64 {
        self.0
    }

    fn value(&self, rank: u64) -> Option<Value> {
        Some(Value::Win(3 + rank as u16 % 300))
    }

    fn exception(&self, _: u64) -> Option<(u8, Value)> {
        None
    }
}

#[test]
fn too_many_symbols_are_an_error_before_anything_is_written() {
    let game = game(SPEC);
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), SPEC, Layout::States).expect("a checkpoint");
    let many = Many(game.base().tier_len(0));
    let error = checkpoint.put_states(&game, &many, u64::MAX).expect_err("too many");
    assert!(matches!(error, TableError::TooManySymbols { symbols: 301, .. }), "{error}");
    assert!(!checkpoint.has_layer(0).expect("an answer"));
}
