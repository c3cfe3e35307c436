//! Layers written piece by piece are those written as a whole, byte for byte.

use std::ops::Range;

use hindsight_core::{Game, PackedGame, Ranked, Value};
use hindsight_engine::{Layer, Limits, MemoryStore, NoMonitor, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_tablebase::{
    CheckpointDir, LayerEncoding, LayerPiece, LayerShape, LayerTally, Layout, Table, TableError,
};

use crate::table::graph::Random;

const LAYOUTS: [Layout; 3] = [Layout::Full, Layout::Compact, Layout::Wdl];

/// The runs of a layer that one process holds, with a palette of its own.
struct HeldRuns {
    /// First ordinal and codes of each run.
    runs: Vec<(u64, Vec<u8>)>,
    palette: Vec<Option<Value>>,
}

impl HeldRuns {
    /// Takes the runs `process`, `process + processes`, .. of a layer. The codes are permuted, and
    /// one value gets a second code if there is room.
    fn deal(layer: &Layer, runs: &[Range<u64>], process: usize, processes: usize) -> Self {
        let mut random = Random((process + 17 * processes) as u64);
        let mut old_codes: Vec<usize> = (0..layer.palette.len()).collect();
        old_codes.sort_by_cached_key(|_| random.next());
        let mut new_codes = vec![0; old_codes.len()];
        for (new, &old) in (0..=255).zip(&old_codes) {
            new_codes[old] = new;
        }
        let twin = old_codes.first().copied().filter(|_| old_codes.len() < 256);
        old_codes.extend(twin);
        let mut new_code = |&old: &u8| match usize::from(old) {
            old if Some(old) == twin && random.below(2) == 0 => old_codes.len() as u8 - 1,
            old => new_codes[old],
        };
        let mut recode = |ordinals: &Range<u64>| {
            let codes = &layer.codes[ordinals.start as usize..ordinals.end as usize];
            (ordinals.start, codes.iter().map(&mut new_code).collect())
        };
        let own_runs = runs.iter().skip(process).step_by(processes);
        Self {
            runs: own_runs.map(&mut recode).collect(),
            palette: old_codes.iter().map(|&old| layer.palette[old]).collect(),
        }
    }

    /// The runs, each as a piece.
    fn pieces(&self) -> impl Iterator<Item = LayerPiece<'_>> {
        let pieces = self.runs.iter();
        pieces.map(|(first, codes)| LayerPiece { first: *first, codes, palette: &self.palette })
    }
}

/// Counts the pieces and merges the tallies in a random order, as bytes.
fn merged_tally(shape: &LayerShape<'_>, pieces: &[LayerPiece<'_>], seed: u64) -> LayerTally {
    let count = |piece: &LayerPiece<'_>| LayerTally::count(shape, *piece).expect("counts");
    let mut tallies: Vec<_> = pieces.iter().map(|piece| count(piece).to_bytes()).collect();
    let mut random = Random(seed);
    tallies.sort_by_cached_key(|_| random.next());
    let mut sum = LayerTally::default();
    for bytes in tallies {
        sum.merge(&LayerTally::from_bytes(&bytes).expect("a tally"));
    }
    sum
}

/// Writes a layer as some processes do. The memory for the choice of the coder is small or large.
fn put_in_parts(
    checkpoint: &CheckpointDir,
    game: &PackedGame,
    layout: Layout,
    layer: &Layer,
    processes: usize,
) -> Result<(), TableError> {
    let tiers = Layer::without_codes(game, layer.layer, &layer.tiers);
    let shape = LayerShape::new(game, &tiers)?;
    let runs: Vec<Range<u64>> = (0..shape.runs()).map(|run| shape.run(run)).collect();
    let deal = |process| HeldRuns::deal(layer, &runs, process, processes);
    let held: Vec<HeldRuns> = (0..processes).map(deal).collect();
    let mut pieces: Vec<LayerPiece<'_>> = held.iter().flat_map(HeldRuns::pieces).collect();
    pieces.sort_by_key(|piece| piece.first);
    let tally = merged_tally(&shape, &pieces, processes as u64);
    assert_eq!(tally.histogram(), layer.histogram(game));
    let start = game.rank(game.start());
    let start = start.and_then(|(tier, rank)| layer.value(tier, rank));
    assert_eq!(tally.start(), start);
    // Every process makes its own encoding and its own encoder.
    let encoding = |_: &HeldRuns| LayerEncoding::new(shape, layout, &tally);
    let encodings: Vec<_> = held.iter().map(encoding).collect::<Result<_, _>>()?;
    let sample = |run: u64| encodings[run as usize % processes].sample(pieces[run as usize]);
    let samples: Result<Vec<Vec<u16>>, _> = encodings[0].sampled_runs().map(sample).collect();
    let memory = if processes == 2 { 0 } else { u64::MAX };
    let coder = encodings[0].choose_coder(samples?, memory)?;
    let encoders = encodings.iter().map(|encoding| encoding.encoder(&coder));
    let encoders: Vec<_> = encoders.collect::<Result<_, _>>()?;
    let mut next = 0;
    let put = checkpoint.put_layer_parts(&encodings[0], &coder, &mut |run| {
        assert_eq!(run, next);
        next += 1;
        encoders[run as usize % processes].encode_run(pieces[run as usize])
    });
    put.map(|()| assert_eq!(next, shape.runs()))
}

/// Bytes of the table whose layers `put` stores.
fn table(spec: &str, layout: Layout, put: impl FnOnce(&CheckpointDir)) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), spec, layout).expect("a checkpoint");
    put(&checkpoint);
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes).expect("a table");
    bytes
}

/// Compares the table that each number of processes writes with that of one store. Returns the
/// block sizes of its layers.
fn compare(
    spec: &str,
    game: &PackedGame,
    layers: &[Layer],
    layout: Layout,
    processes: &[usize],
) -> Vec<u32> {
    let whole = table(spec, layout, |checkpoint| {
        let mut store = checkpoint.layer_store(game);
        for layer in layers {
            store.put(layer, &mut || Ok(())).expect("a layer is kept");
        }
    });
    for &processes in processes {
        let parts = table(spec, layout, |checkpoint| {
            for layer in layers {
                let put = put_in_parts(checkpoint, game, layout, layer, processes);
                put.expect("a layer is kept");
                let mut store = checkpoint.layer_store(game);
                assert!(store.has(layer.layer).expect("an answer"));
            }
        });
        assert!(parts == whole, "{spec}, {layout}, {processes} processes");
    }
    let table = Table::open(whole).expect("a table");
    let layers = table.info().layers.iter();
    layers.map(|layer| layer.block_ranks).collect()
}

/// Solves a game and compares its tables. Returns the block sizes of its layers.
fn solve_and_compare(spec: &str, layout: Layout, processes: &[usize]) -> Vec<u32> {
    let game = by_name(spec, &Setup::default()).expect("a spec");
    let mut kept = MemoryStore::default();
    let (plan, limits) = (TierPlan::new(&game), Limits::default());
    tiered::solve(&game, &plan, &mut kept, limits, &mut NoMonitor).expect("a solution");
    compare(spec, &game, &kept.0, layout, processes)
}

#[test]
fn tables_written_in_parts_are_those_of_one_store() {
    let specs = [
        "tic-tac-toe",
        "dodgem:3x3",
        "dodgem:4x4",
        "onitama:2x3:boar,ox,horse,crab,elephant",
        "onitama:3x4:boar",
        "quoridor:3x3:1",
        "quoridor:4x4:1",
    ];
    for spec in specs {
        for layout in LAYOUTS {
            solve_and_compare(spec, layout, &[1, 2, 3, 5]);
        }
    }
}

#[test]
fn layers_that_models_encode_are_written_in_parts() {
    let specs = [
        "onitama:3x3:boar,ox,horse,crab,elephant",
        "onitama:4x4:tiger,tiger,crab,crab,monkey:students=1",
    ];
    for spec in specs {
        let blocks = solve_and_compare(spec, Layout::Full, &[2]);
        assert_eq!(blocks.into_iter().min(), Some(4096), "{spec}");
    }
}
