//! Layers written piece by piece are those written as a whole, byte for byte.

use hindsight_core::{Notation, Ranked, Retro, Value};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_solve::{Layer, Limits, MemoryStore, NoMonitor, Store};
use hindsight_tablebase::{
    CheckpointDir, LayerEncoding, LayerPiece, LayerShape, LayerTally, Layout, Table, TableError,
};

use crate::table::graph::Random;

const LAYOUTS: [Layout; 2] = [Layout::Full, Layout::Compact];

/// Codes of some runs of a layer, as one process holds them.
struct HeldRuns {
    codes: Vec<(u64, Vec<u8>)>,
    palette: Vec<Option<Value>>,
}

impl HeldRuns {
    /// Runs `number`, `number + processes`, .. of a layer. The codes are permuted, and the first
    /// value of the palette gets a second code.
    fn deal<G: Ranked>(
        shape: &LayerShape<'_, G>,
        layer: &Layer,
        number: u64,
        processes: u64,
    ) -> Self {
        let mut random = Random(number + 17 * processes);
        let mut order: Vec<usize> = (0..layer.palette.len()).collect();
        order.sort_by_cached_key(|_| random.next());
        let mut palette: Vec<_> = order.iter().map(|&code| layer.palette[code]).collect();
        let twin = (palette.len() < 256).then(|| order.first().copied());
        palette.extend(twin.iter().flatten().map(|&code| layer.palette[code]));
        let other = |&code: &u8| {
            let code = usize::from(code);
            let new = order.iter().position(|&old| old == code).expect("a code");
            let second = twin == Some(Some(code)) && random.below(2) == 0;
            if second { order.len() as u8 } else { new as u8 }
        };
        let mut other = other;
        let runs = (number..shape.runs()).step_by(processes as usize);
        let held = runs.map(|run| {
            let ordinals = shape.run(run);
            let codes = &layer.codes[ordinals.start as usize..ordinals.end as usize];
            (run, codes.iter().map(&mut other).collect())
        });
        Self {
            codes: held.collect(),
            palette,
        }
    }

    /// The pieces, each of which is a run.
    fn pieces<'a, G: Ranked>(
        &'a self,
        shape: &LayerShape<'_, G>,
    ) -> impl Iterator<Item = LayerPiece<'a>> {
        let firsts: Vec<u64> = self
            .codes
            .iter()
            .map(|run| shape.run(run.0).start)
            .collect();
        let runs = self.codes.iter().zip(firsts);
        runs.map(|((_, codes), first)| LayerPiece {
            first,
            codes,
            palette: &self.palette,
        })
    }

    fn piece<'a, G: Ranked>(
        held: &'a [Self],
        shape: &LayerShape<'_, G>,
        run: u64,
    ) -> LayerPiece<'a> {
        let first = shape.run(run).start;
        let owner = &held[run as usize % held.len()];
        let mut pieces = owner.pieces(shape);
        pieces.find(|piece| piece.first == first).expect("a run")
    }
}

/// Counts the runs of all processes and merges the tallies in a random order, as bytes.
fn merged_tally<G: Ranked>(shape: &LayerShape<'_, G>, held: &[HeldRuns], seed: u64) -> LayerTally {
    let pieces = held.iter().flat_map(|held| held.pieces(shape));
    let tallies = pieces.map(|piece| LayerTally::count(shape, piece).expect("counts"));
    let mut tallies: Vec<Vec<u8>> = tallies.map(|tally| tally.to_bytes()).collect();
    let mut random = Random(seed);
    tallies.sort_by_cached_key(|_| random.next());
    let mut sum = LayerTally::default();
    for bytes in tallies {
        sum.merge(&LayerTally::from_bytes(&bytes).expect("a tally"));
    }
    sum
}

/// Writes a layer as some processes do.
fn put_in_parts<G: Ranked>(
    checkpoint: &CheckpointDir,
    game: &G,
    layout: Layout,
    layer: &Layer,
    processes: u64,
) -> Result<(), TableError> {
    let tiers = Layer::without_codes(game, layer.layer, &layer.tiers);
    let shape = LayerShape::new(game, &tiers)?;
    let held = (0..processes).map(|number| HeldRuns::deal(&shape, layer, number, processes));
    let held: Vec<HeldRuns> = held.collect();
    let tally = merged_tally(&shape, &held, processes);
    assert_eq!(tally.histogram(), layer.histogram(game));
    let start = game.rank(game.start());
    let start = start.and_then(|(tier, rank)| layer.value(tier, rank));
    assert_eq!(tally.start(), start);
    // Every process makes its own encoding.
    let encoding = || LayerEncoding::new(shape, layout, &tally);
    let encodings: Vec<_> = held.iter().map(|_| encoding()).collect::<Result<_, _>>()?;
    let owner = |run: u64| &encodings[(run % processes) as usize];
    let sampled = encodings[0].sampled_runs();
    let sample = |run| owner(run).sample(HeldRuns::piece(&held, &shape, run));
    let samples: Vec<Vec<u16>> = sampled.map(sample).collect::<Result<_, _>>()?;
    let memory = if processes == 2 { 0 } else { u64::MAX };
    let coder = encodings[0].choose_coder(samples, memory)?;
    let mut next = 0;
    let put = checkpoint.put_layer_parts(&encodings[0], &coder, &mut |run| {
        assert_eq!(run, next);
        next += 1;
        let encoder = owner(run).encoder(&coder)?;
        encoder.encode_run(HeldRuns::piece(&held, &shape, run))
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
fn compare<G: Ranked>(
    spec: &str,
    game: &G,
    layers: &[Layer],
    layout: Layout,
    processes: &[u64],
) -> Vec<u32> {
    let whole = table(spec, layout, |checkpoint| {
        let mut store = checkpoint.layer_store(game);
        for layer in layers {
            store.put(layer).expect("a layer is kept");
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

/// Solves a game and compares its tables.
struct SolveAndCompare<'a> {
    spec: &'a str,
    layout: Layout,
    processes: &'a [u64],
}

impl Visitor for SolveAndCompare<'_> {
    type Output = Vec<u32>;

    fn visit<G: Notation>(self, _: G) -> Vec<u32> {
        panic!("a game with ranks");
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Vec<u32> {
        let mut kept = MemoryStore::default();
        let (plan, limits) = (TierPlan::new(&game), Limits::default());
        tiered::solve(&game, &plan, &mut kept, limits, &mut NoMonitor).expect("a solution");
        compare(self.spec, &game, &kept.0, self.layout, self.processes)
    }
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
            let visitor = SolveAndCompare {
                spec,
                layout,
                processes: &[1, 2, 3, 5],
            };
            by_name(spec, &Setup::default(), visitor).expect("a spec");
        }
    }
}

#[test]
fn layers_that_models_encode_are_written_in_parts() {
    let specs = [
        ("onitama:3x3:boar,ox,horse,crab,elephant", 16_384),
        ("onitama:4x4:tiger,tiger,crab,crab,monkey:students=1", 4096),
    ];
    for (spec, block_ranks) in specs {
        let visitor = SolveAndCompare {
            spec,
            layout: Layout::Full,
            processes: &[2],
        };
        let blocks = by_name(spec, &Setup::default(), visitor).expect("a spec");
        assert_eq!(blocks.into_iter().min(), Some(block_ranks), "{spec}");
    }
}
