//! Tables of positions: every value is read back, and all damage is detected.

pub(crate) mod graph;

use std::path::Path;

use graph::{Graph, OVER};
use hindsight_core::{Answer, Game, Packed, PackedGame, Probe, Ranked, Value};
use hindsight_engine::checkpoint::CheckpointError;
use hindsight_engine::{Layer, Limits, NoMonitor, Store};
use hindsight_tablebase::{
    CheckpointDir, Layout, Recompute, Table, TableError, TableVerdict, verify,
};

const LAYOUTS: [Layout; 3] = [Layout::Full, Layout::Compact, Layout::Wdl];

/// Writes layers to a checkpoint and makes the table.
fn write(game: &PackedGame, layers: &[Layer], layout: Layout) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), "graph", layout).expect("a checkpoint");
    for layer in layers {
        checkpoint.layer_store(game).put(layer, &mut || Ok(())).expect("a layer is kept");
    }
    let mut bytes = Vec::new();
    let n = checkpoint.finish(&mut bytes).expect("a table");
    assert_eq!(n, bytes.len() as u64);
    bytes
}

fn check<R: hindsight_tablebase::ReadAt>(table: &Table<R>, game: &PackedGame) -> TableVerdict {
    verify(table, game, Recompute::Successors, Limits::default(), &mut NoMonitor)
        .expect("a verdict")
}

/// Writes, opens, probes every position, decodes every layer, verifies.
fn round_trip(game: &Graph, layout: Layout) {
    let values = game.solve();
    let layers = game.layers_of(&values, 1);
    let packed = game.packed();
    let bytes = write(&packed, &layers, layout);
    let table = Table::open(bytes).expect("a table");
    let reader = table.with(&packed);
    for (p, &value) in (0..).zip(&values) {
        if let Some(value) = value {
            let answer = reader.probe(Packed::new([p])).expect("an answer");
            assert_eq!(answer, Answer::Exact(value), "position {p}");
        }
    }
    let over = reader.probe(Packed::new([OVER])).expect("an answer");
    assert_eq!(over, Answer::Exact(Value::Loss(0)));
    for layer in &layers {
        let decoded = table.decode_layer(&packed, layer.layer).expect("a layer");
        same(&decoded, layer);
    }
    let verdict = check(&table, &packed);
    assert_eq!(verdict.faults, []);
    let positions = values.iter().flatten().count() as u64;
    assert_eq!(verdict.positions_checked, positions);
    let (tier, rank) = game.rank(game.start()).expect("the start has a rank");
    assert_eq!((table.info().start.tier, table.info().start.rank), (tier, rank));
    assert_eq!(Some(table.info().start.value), values[game.start as usize]);
}

/// Asserts that two layers have the same values. Their codes may differ.
fn same(a: &Layer, b: &Layer) {
    assert_eq!((a.layer, &a.tiers, &a.starts), (b.layer, &b.tiers, &b.starts));
    let values = |layer: &Layer| -> Vec<Option<Value>> {
        layer.codes.iter().map(|&code| layer.palette[usize::from(code)]).collect()
    };
    assert_eq!(values(a), values(b));
}

/// Many tiny tiers; a layer without tiers; empty tiers; a large tier; single positions.
fn mixed() -> Graph {
    let tiny: Vec<u32> = (0..3_000).map(|i| 1 + i % 23).collect();
    let lengths = [vec![40_000], tiny, vec![], vec![0, 70_000, 1, 0, 2], vec![0], vec![9, 16_384]];
    Graph::random(&lengths, 7)
}

fn small() -> Graph {
    Graph::random(&[vec![30, 2], vec![], vec![5, 1, 25]], 3)
}

#[test]
fn every_value_is_read_back() {
    for layout in LAYOUTS {
        round_trip(&mixed(), layout);
        round_trip(&small(), layout);
    }
}

#[test]
fn tiers_and_blocks_may_end_anywhere() {
    for len in [4_095, 4_096, 4_097, 16_383, 16_384, 16_385] {
        for layout in LAYOUTS {
            round_trip(&Graph::random(&[vec![len], vec![1, len, 3]], 11), layout);
        }
    }
}

#[test]
fn a_large_layer_may_consist_of_holes() {
    let mut game = Graph::random(&[vec![300_000], vec![3]], 2);
    game.successors[..300_000].fill(None);
    for successors in game.successors[300_000..].iter_mut().flatten() {
        *successors = vec![OVER];
    }
    for layout in LAYOUTS {
        round_trip(&game, layout);
    }
}

#[test]
fn plies_go_up_to_65_534_and_a_layer_may_have_256_values() {
    for layout in LAYOUTS {
        round_trip(&Graph::chain(257, 255), layout);
        round_trip(&Graph::chain(3, 256), layout);
    }
}

#[test]
fn a_value_of_more_plies_than_a_probe_bears_is_not_written() {
    let game = Graph::chain(256, 256);
    let layers = game.layers_of(&game.solve(), 1);
    let game = game.packed();
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), "graph", Layout::Full).expect("a checkpoint");
    let error =
        checkpoint.layer_store(&game).put(&layers[255], &mut || Ok(())).expect_err("65,535 plies");
    assert!(error.to_string().contains("65,534 plies"), "{error}");
}

#[test]
fn bytes_depend_on_the_values_alone() {
    let game = mixed();
    let values = game.solve();
    let packed = game.packed();
    for layout in LAYOUTS {
        let with = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads");
            pool.install(|| write(&packed, &game.layers_of(&values, seed), layout))
        };
        let bytes = with(1, 1);
        assert!(bytes == with(3, 1) && bytes == with(2, 2));
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let game = small();
    let packed = game.packed();
    for layout in LAYOUTS {
        let bytes = write(&packed, &game.layers_of(&game.solve(), 1), layout);
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            match Table::open(bytes) {
                Ok(table) => assert_ne!(check(&table, &packed).faults, [], "bit {bit}"),
                Err(error) => assert!(error.is_damage(), "bit {bit}: {error}"),
            }
        }
    }
}

#[test]
fn every_cut_and_every_addition_is_found() {
    let game = small();
    let bytes = write(&game.packed(), &game.layers_of(&game.solve(), 1), Layout::Full);
    for end in 0..bytes.len() {
        let error = Table::open(&bytes[..end]).err().expect("an error");
        assert!(error.is_damage(), "{end}: {error}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(Table::open(longer).err().expect("an error").is_damage());
}

/// Returns true if a layout stores both values alike.
fn hides(layout: Layout, right: Option<Value>, wrong: Value) -> bool {
    match (right, wrong) {
        (Some(Value::Win(_)), Value::Win(_)) => layout != Layout::Full,
        (Some(Value::Loss(a)), Value::Loss(b)) => {
            layout == Layout::Wdl
                && a.next_multiple_of(4) == b.next_multiple_of(4)
                && a % 2 == b % 2
        }
        _ => false,
    }
}

#[test]
fn every_wrong_value_is_found() {
    let game = small();
    let packed = game.packed();
    let values = game.solve();
    for layout in LAYOUTS {
        for p in 0..values.len() {
            for wrong in [Value::Draw, Value::Loss(2), Value::Win(3)] {
                let free =
                    game.after(p as u32).is_empty() || game.immediate_value(p as u32).is_some();
                if values[p].is_none() || values[p] == Some(wrong) || free {
                    continue;
                }
                if hides(layout, values[p], wrong) {
                    continue;
                }
                let mut values = values.clone();
                values[p] = Some(wrong);
                let bytes = write(&packed, &game.layers_of(&values, 1), layout);
                let table = Table::open(bytes).expect("a table");
                assert_ne!(check(&table, &packed).faults, [], "position {p} as {wrong}");
            }
        }
    }
}

#[test]
fn what_the_rules_contradict_is_not_written() {
    let game = small();
    let mut values = game.solve();
    let p = values.iter().position(|&v| v == Some(Value::Loss(0))).expect("a loss");
    values[p] = Some(Value::Draw);
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), "graph", Layout::Full).expect("a checkpoint");
    let layers = game.layers_of(&values, 1);
    let packed = game.packed();
    let mut store = checkpoint.layer_store(&packed);
    let results: Vec<_> = layers.iter().map(|layer| store.put(layer, &mut || Ok(()))).collect();
    let error = results.into_iter().find_map(Result::err).expect("an error");
    assert!(error.to_string().contains("the rules give loss in 0"), "{error}");
}

#[test]
fn verify_says_how_much_memory_it_needs() {
    let game = small();
    let layers = game.layers_of(&game.solve(), 1);
    let game = game.packed();
    let table = Table::open(write(&game, &layers, Layout::Full)).expect("a table");
    let memory = hindsight_tablebase::verify_memory(&table, &game).expect("a table");
    let limits = |memory| Limits { memory, time: None };
    assert!(verify(&table, &game, Recompute::Successors, limits(memory), &mut NoMonitor).is_ok());
    let error = verify(&table, &game, Recompute::Successors, limits(memory - 1), &mut NoMonitor)
        .expect_err("too little");
    assert!(matches!(error, TableError::Memory { needed, .. } if needed == memory), "{error}");
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("a folder");
    let name = |entry: std::fs::DirEntry| entry.file_name().into_string().expect("a name");
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    names.sort();
    names
}

#[test]
fn a_solve_killed_between_any_two_files_goes_on() {
    let game = mixed();
    let layers = game.layers_of(&game.solve(), 1);
    let game = game.packed();
    for layout in LAYOUTS {
        let whole = write(&game, &layers, layout);
        for killed in 0..=layers.len() {
            let dir = tempfile::tempdir().expect("a folder");
            let checkpoint =
                CheckpointDir::create(dir.path(), "graph", layout).expect("a checkpoint");
            for layer in &layers[..killed] {
                checkpoint.layer_store(&game).put(layer, &mut || Ok(())).expect("a layer is kept");
            }
            drop(checkpoint);
            let half = |name: &str| std::fs::write(dir.path().join(name), "half");
            half("layer-000009.part.hindsight.tmp").expect("a file");
            // Another program's file, which must stay.
            half("layer-000009.tmp").expect("a file");
            let checkpoint =
                CheckpointDir::resume(dir.path(), "graph", layout).expect("a checkpoint");
            let names = names(dir.path());
            let is_kept = |name: &str| names.iter().any(|kept| kept == name);
            assert!(is_kept("layer-000009.tmp") && !is_kept("layer-000009.part.hindsight.tmp"));
            // The layers, the manifest, the lock, and the other program's file.
            assert_eq!(names.len(), killed + 3);
            let mut store = checkpoint.layer_store(&game);
            for (i, layer) in layers.iter().enumerate() {
                let has = store.has(layer.layer).expect("an answer");
                assert_eq!(has, i < killed);
                if has {
                    same(&store.get(layer.layer).expect("a layer"), layer);
                } else {
                    assert!(matches!(
                        checkpoint.finish(&mut Vec::new()),
                        Err(TableError::MissingLayer(_))
                    ));
                    store.put(layer, &mut || Ok(())).expect("a layer is kept");
                }
            }
            let out = dir.path().join("table");
            checkpoint.finish_to(&out).expect("a table");
            assert!(std::fs::read(out).expect("a file") == whole);
        }
    }
}

#[test]
fn a_checkpoint_of_something_else_is_not_resumed() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, full) = (dir.path(), Layout::Full);
    assert!(matches!(
        CheckpointDir::resume(path, "graph", full),
        Err(TableError::Checkpoint(CheckpointError::NotACheckpoint(_)))
    ));
    CheckpointDir::create(path, "graph", full).expect("a checkpoint");
    assert!(matches!(
        CheckpointDir::create(path, "graph", full),
        Err(TableError::Checkpoint(CheckpointError::Exists(_)))
    ));
    assert!(matches!(
        CheckpointDir::resume(path, "maze", full),
        Err(TableError::Checkpoint(CheckpointError::OtherSpec { .. }))
    ));
    let other = CheckpointDir::resume(path, "graph", Layout::Compact);
    assert!(matches!(other, Err(TableError::Checkpoint(CheckpointError::OtherLayout { .. }))));
    let manifest = path.join("checkpoint");
    let text = std::fs::read_to_string(&manifest).expect("a text");
    std::fs::write(&manifest, text.replace("format 5", "format 4")).expect("a file");
    assert!(matches!(
        CheckpointDir::resume(path, "graph", full),
        Err(TableError::Checkpoint(CheckpointError::Format { found: 4, known: 5, .. }))
    ));
    std::fs::write(&manifest, &text[..20]).expect("a file");
    assert!(matches!(CheckpointDir::resume(path, "graph", full), Err(TableError::Damaged(_))));
}

#[test]
fn a_damaged_layer_of_a_checkpoint_is_not_used() {
    let game = small();
    let layers = game.layers_of(&game.solve(), 1);
    let game = game.packed();
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint =
        CheckpointDir::create(dir.path(), "graph", Layout::Full).expect("a checkpoint");
    for layer in &layers {
        checkpoint.layer_store(&game).put(layer, &mut || Ok(())).expect("a layer is kept");
    }
    let path = dir.path().join("layer-000002.part");
    let bytes = std::fs::read(&path).expect("a file");
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, bytes).expect("a file");
        let got = checkpoint.layer_store(&game).get(2).is_ok();
        let finished = checkpoint.finish(&mut Vec::new()).is_ok();
        assert!(!got || !finished, "bit {bit}");
    }
}
