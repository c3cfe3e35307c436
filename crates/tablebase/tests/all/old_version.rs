//! Tables of format version 2, in which the coder begins a layer.

use hindsight_core::{Answer, Game, Probe, Ranked};
use hindsight_engine::{Limits, MemoryStore, NoMonitor, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_tablebase::{CheckpointDir, Layout, Recompute, Table, verify};

const SPEC: &str = "quoridor:4x4:2";

/// The same table in version 2.
fn older(bytes: &[u8]) -> Vec<u8> {
    let info = Table::open(bytes).expect("a table").info().clone();
    let layers: u64 = info.layers.iter().map(|layer| layer.bytes()).sum();
    let (head, mut rest) = bytes.split_at(bytes.len() - layers as usize);
    let mut older = head[..head.len() - 4].to_vec();
    older[8..12].copy_from_slice(&2_u32.to_le_bytes());
    let checksum = crc32fast::hash(&older);
    older.extend_from_slice(&checksum.to_le_bytes());
    for layer in &info.layers {
        let [coder, blocks, pages, top] = layer.sections;
        let mut take = |length: u64| {
            let (taken, others) = rest.split_at(length as usize);
            rest = others;
            taken
        };
        let [blocks, pages, coder, top] = [blocks, pages, coder, top].map(&mut take);
        older.extend([coder, blocks, pages, top].concat());
    }
    older
}

#[test]
fn a_table_of_version_2_is_read_and_verified() {
    let game = by_name(SPEC, &Setup::default()).expect("a spec");
    let mut kept = MemoryStore::default();
    let plan = TierPlan::new(&game);
    let solved = tiered::solve(&game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
    solved.expect("a solve without limits");
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), SPEC, Layout::Full).expect("a checkpoint");
    for layer in &kept.0 {
        let put = checkpoint.layer_store(&game).put(layer, &mut || Ok(()));
        put.expect("a layer is kept");
    }
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes).expect("a table");
    let older = older(&bytes);
    assert!(older.len() == bytes.len() && older != bytes);

    let (table, older) = (Table::open(bytes), Table::open(older));
    let (table, older) = (table.expect("a table"), older.expect("a table"));
    let versions = [&table, &older].map(|table| table.info().format_version);
    assert_eq!(versions, [3, 2]);
    let (new_reader, old_reader) = (table.with(&game), older.with(&game));
    let mut answers = 0;
    for layer in &kept.0 {
        for (i, &tier) in layer.tiers.iter().enumerate() {
            for rank in 0..layer.tier_codes(i).len() as u64 {
                let Some(position) = game.unrank(tier, rank) else {
                    continue;
                };
                let answer = old_reader.probe(position).expect("an answer");
                assert_eq!(answer, new_reader.probe(position).expect("an answer"));
                assert_ne!(answer, Answer::Unknown);
                answers += 1;
            }
        }
    }
    assert!(answers > 100_000, "{answers} at {:?}", game.start());
    let verdict = verify(&older, &game, Recompute::Successors, Limits::default(), &mut NoMonitor);
    assert_eq!(verdict.expect("a verdict").faults, []);
}
