//! Large layers are encoded by a model. Its blocks are read back, and damage to it is detected.

use std::ops::Range;

use hindsight_core::{Answer, Packed, PackedGame, Probe, Ranked};
use hindsight_engine::{Layer, Limits, MemoryStore, NoMonitor, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_tablebase::{CheckpointDir, Layout, Recompute, Table, verify};

/// Spec of a game whose last layer has more than 2^18 ranks.
const SPEC: &str = "onitama:4x4:tiger,tiger,crab,crab,monkey:students=1";

/// Places of a layer's coder and blocks in the file, in bytes.
struct ModelLayer {
    layer: u32,
    coder: Range<usize>,
    blocks: Range<usize>,
}

/// The layers that a model encoded.
fn layers_by_model(bytes: &[u8]) -> Vec<ModelLayer> {
    let info = Table::open(bytes).expect("a table");
    let info = info.info();
    let layers: u64 = info.layers.iter().map(|layer| layer.bytes()).sum();
    let mut at = bytes.len() - layers as usize;
    let mut model_layers = Vec::new();
    for (layer, info) in (0..).zip(&info.layers) {
        let [coder, blocks, pages, _] = info.sections.map(|length| length as usize);
        let begin = at + blocks + pages;
        // The first byte of a coder is its kind: 0 for zstd, 1 for a model.
        if bytes[begin] == 1 {
            model_layers.push(ModelLayer {
                layer,
                coder: begin..begin + coder,
                blocks: at..at + blocks,
            });
        }
        at += info.bytes() as usize;
    }
    model_layers
}

fn write(game: &PackedGame, layers: &[Layer], layout: Layout) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), SPEC, layout).expect("a checkpoint");
    for layer in layers {
        checkpoint.layer_store(game).put(layer, &mut || Ok(())).expect("a layer is kept");
    }
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes).expect("a table");
    bytes
}

/// Probes every position of the layers of a model, one by one and together, and verifies the table.
fn reads_back(game: &PackedGame, bytes: &[u8], layers: &[Layer], model_layers: &[ModelLayer]) {
    let table = Table::open(bytes).expect("a table");
    let reader = table.with(game);
    for model_layer in model_layers {
        let layer = &layers[model_layer.layer as usize];
        let (mut positions, mut answers) = (Vec::new(), Vec::new());
        for (i, &tier) in layer.tiers.iter().enumerate() {
            for (rank, &code) in (0..).zip(layer.tier_codes(i)) {
                let Some(position) = game.unrank(tier, rank) else {
                    continue;
                };
                let value = layer.palette[usize::from(code)].expect("a value");
                let answer = reader.probe(position).expect("an answer");
                assert_eq!(answer, Answer::Exact(value), "tier {tier} rank {rank}");
                positions.push(position);
                answers.push(answer);
            }
        }
        // A batch in no order of ranks: every seventh position, seven times.
        let order = (0..7).flat_map(|first| (first..positions.len()).step_by(7));
        let order: Vec<usize> = order.collect();
        let batch: Vec<Packed> = order.iter().map(|&i| positions[i]).collect();
        let expected: Vec<Answer> = order.iter().map(|&i| answers[i]).collect();
        assert!(reader.probe_many(&batch).expect("answers") == expected);
    }
    let verdict = verify(&table, game, Recompute::Successors, Limits::default(), &mut NoMonitor)
        .expect("a verdict");
    assert_eq!(verdict.faults, []);
}

/// Flips single bits of the model and of its blocks.
fn finds_damage(game: &PackedGame, bytes: &[u8], model_layers: &[ModelLayer]) {
    for model_layer in model_layers {
        let places = |section: &Range<usize>| {
            let Range { start, end } = *section;
            [start, start + (end - start) / 2, end - 1]
        };
        let (coder, blocks) = (places(&model_layer.coder), places(&model_layer.blocks));
        for at in coder.into_iter().chain(blocks) {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << (at % 8);
            let table = Table::open(flipped).expect("its header is right");
            let verdict =
                verify(&table, game, Recompute::Successors, Limits::default(), &mut NoMonitor);
            let faults = verdict.expect("a verdict").faults;
            let found = faults.iter().any(|fault| fault.layer == Some(model_layer.layer));
            assert!(found, "a bit of byte {at}: {faults:?}");
        }
    }
}

#[test]
fn a_model_is_read_back_and_its_damage_is_found() {
    let game = &by_name(SPEC, &Setup::default()).expect("a spec");
    let mut kept = MemoryStore::default();
    let plan = TierPlan::new(game);
    let solved = tiered::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
    solved.expect("a solve without limits");
    for layout in [Layout::Full, Layout::Compact, Layout::Wdl] {
        let bytes = write(game, &kept.0, layout);
        let model_layers = layers_by_model(&bytes);
        assert_ne!(model_layers.len(), 0, "{layout}: zstd alone wrote it");
        reads_back(game, &bytes, &kept.0, &model_layers);
        finds_damage(game, &bytes, &model_layers);
    }
}
