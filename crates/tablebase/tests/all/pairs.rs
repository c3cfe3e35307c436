//! Tables of games of pawn pairs: the check by successors and that by a second solve agree.

use hindsight_core::{Notation, PackedGame, Value};
use hindsight_engine::{Layer, Limits, MemoryStore, NoMonitor, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::pawn_pairs;
use hindsight_solve::tiered::TierPlan;
use hindsight_tablebase::{CheckpointDir, Layout, Recompute, Table, TableVerdict, verify};

use crate::verify_pairs::verify_pairs;

/// Solves a game of pawn pairs.
fn solved(spec: &str) -> (PackedGame, Vec<Layer>) {
    let game = by_name(spec, &Setup::default()).expect("a spec");
    let mut kept = MemoryStore::default();
    let plan = TierPlan::new(&game);
    pawn_pairs::solve(&game, &plan, &mut kept, Limits::default(), &mut NoMonitor)
        .expect("a solution");
    (game, kept.0)
}

fn verdicts(game: &PackedGame, layers: &[Layer], layout: Layout) -> [TableVerdict; 2] {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), &game.spec(), layout).expect("a checkpoint");
    for layer in layers {
        checkpoint.layer_store(game).put(layer, &mut || Ok(())).expect("a layer is kept");
    }
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes).expect("a table");
    let table = Table::open(bytes).expect("a table");
    let limits = Limits::default;
    [
        verify(&table, game, Recompute::Successors, limits(), &mut NoMonitor).expect("a verdict"),
        verify_pairs(&table, game, limits(), &mut NoMonitor).expect("a verdict"),
    ]
}

#[test]
fn sound_tables_are_sound_both_ways() {
    let specs = [
        "quoridor:2x2:1",
        "quoridor:2x5:2:edge=open",
        "quoridor:3x2:1",
        "quoridor:3x3:2",
        "quoridor:4x3:2,1",
        "quoridor:4x4:1:edge=open:start=point",
        "quoridor:9x9:0",
    ];
    for spec in specs {
        let (game, layers) = solved(spec);
        for layout in [Layout::Full, Layout::Compact, Layout::Wdl] {
            let [slow, fast] = verdicts(&game, &layers, layout);
            assert_eq!(slow.faults, [], "{spec}");
            assert_eq!(slow, fast, "{spec}");
            assert!(slow.positions_checked > 0);
        }
    }
}

/// Addresses of the faults that have one.
fn addresses(verdict: &TableVerdict) -> Vec<(u64, u64)> {
    let faults = verdict.faults.iter();
    faults.filter_map(|fault| fault.address).collect()
}

#[test]
fn a_wrong_value_is_named_by_a_second_solve() {
    let (game, layers) = solved("quoridor:3x3:1");
    let mut tried = 0;
    for (i, layer) in layers.iter().enumerate() {
        let wrong = Value::Win(21);
        let code = layer.palette.iter().position(|&value| value == Some(wrong));
        let code = code.expect("pairs have a code for every value") as u8;
        let stored = |rank: &usize| {
            let value = layer.palette[usize::from(layer.codes[*rank])];
            value.is_some_and(|value| value.remoteness() != Some(0) && value != Value::Win(1))
        };
        for rank in (0..layer.codes.len()).filter(stored).step_by(2) {
            let mut layers = layers.clone();
            layers[i].codes[rank] = code;
            let [slow, fast] = verdicts(&game, &layers, Layout::Full);
            let tier = layer.starts.partition_point(|&start| start <= rank as u64) - 1;
            let planted = (layer.tiers[tier], rank as u64 - layer.starts[tier]);
            assert_eq!(addresses(&fast), [planted]);
            assert!(addresses(&slow).contains(&planted) || slow.faults.len() == 10);
            tried += 1;
        }
    }
    assert!(tried > 200, "{tried}");
}
