//! Solves games and writes their tables: `table_size full|compact|wdl SPEC ..`. Prints the bytes
//! per rank of every layer, and the time per probe.
#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::time::Instant;

use hindsight_core::{Game, Packed, PackedGame, Probe, Ranked, Structure, Tiers};
use hindsight_engine::{Error, Limits, Monitor, NoMonitor, Store, StrongSolution};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::pawn_pairs;
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_tablebase::{
    CheckpointDir, KeptBlocks, Layout, Recompute, Table, TableError, TableVerdict, verify,
};

type Done = Result<(), Box<dyn std::error::Error>>;

/// Solves a game by the solver for its structure.
fn solve(
    game: &PackedGame,
    store: &mut dyn Store,
    monitor: &mut dyn Monitor,
) -> Result<StrongSolution, Error> {
    let (plan, limits) = (TierPlan::new(game), Limits::default());
    match game.structure() {
        Structure::PawnPairs => pawn_pairs::solve(game, &plan, store, limits, monitor),
        _ => tiered::solve(game, &plan, store, limits, monitor),
    }
}

fn check(table: &Table<std::fs::File>, game: &PackedGame) -> Result<TableVerdict, TableError> {
    let limits = Limits::default();
    if game.structure() != Structure::PawnPairs {
        return verify(table, game, Recompute::Successors, limits, &mut NoMonitor);
    }
    let again = &mut |store: &mut dyn Store, monitor: &mut dyn Monitor| {
        solve(game, store, monitor).map(|_| true)
    };
    verify(table, game, Recompute::Solve(again), limits, &mut NoMonitor)
}

fn measure(spec: &str, layout: Layout) -> Done {
    let game = &by_name(spec, &Setup::default())?;
    if !matches!(game.structure(), Structure::Ranked | Structure::PawnPairs | Structure::TwoSided) {
        return Err("a game whose positions have no ranks".into());
    }
    let dir = tempfile::tempdir()?;
    let checkpoint = CheckpointDir::create(dir.path(), spec, layout)?;
    let begin = Instant::now();
    solve(game, &mut checkpoint.layer_store(game), &mut NoMonitor)?;
    let path = dir.path().join("table");
    let bytes = checkpoint.finish_to(&path)?;
    println!("{spec} {layout}: {bytes} bytes, solved and written in {:.1?}", begin.elapsed());
    let table = Table::open(std::fs::File::open(&path)?)?;
    for layer in &table.info().layers {
        println!(
            "  {:32} {:>14} ranks {:.4} bytes a rank, sections {:?}, {} symbols, blocks of {}",
            layer.name,
            layer.ranks,
            layer.bytes() as f64 / layer.ranks as f64,
            layer.sections,
            layer.symbols.len(),
            layer.block_ranks
        );
    }
    let begin = Instant::now();
    let verdict = check(&table, game)?;
    println!("  verified {verdict:?} in {:.1?}", begin.elapsed());
    println!("  {:.4} bytes a position", bytes as f64 / verdict.positions_checked as f64);
    probe(&table, game)?;
    probe_many(&table, game)?;
    table.keep_blocks(&KeptBlocks::new(1 << 30));
    probe_many(&table, game)
}

/// Times probes: some all over the largest layer, some near each other.
fn probe(table: &Table<std::fs::File>, game: &PackedGame) -> Done {
    const PROBES: u64 = 10_000;
    let tiers = tiers_of_largest_layer(table, game);
    let reader = table.with(game);
    for (name, tiers, spread) in [("anywhere", &tiers[..], u64::MAX), ("near", &tiers[..1], 4096)] {
        let drawn = |i| random_position(game, tiers, spread, i);
        let positions: Vec<_> = (0..PROBES).filter_map(drawn).collect();
        let begin = Instant::now();
        for &position in &positions {
            reader.value(position)?;
        }
        let each = begin.elapsed().as_secs_f64() / positions.len().max(1) as f64;
        println!("  probe {name}: {:.2} us each of {}", each * 1e6, positions.len());
    }
    Ok(())
}

/// Times two equal batches of probes, all over the largest layer: the second one finds the blocks
/// that the table keeps, if it keeps any.
fn probe_many(table: &Table<std::fs::File>, game: &PackedGame) -> Done {
    const PROBES: u64 = 1_000_000;
    let tiers = tiers_of_largest_layer(table, game);
    let drawn = |i| random_position(game, &tiers, u64::MAX, i);
    let positions: Vec<_> = (0..PROBES).filter_map(drawn).collect();
    for batch in ["first", "second"] {
        let begin = Instant::now();
        let answers = table.with(game).probe_many(&positions)?;
        let rate = answers.len() as f64 / begin.elapsed().as_secs_f64();
        println!("  probe_many, {batch} batch: {rate:.0} a second of {}", answers.len());
    }
    Ok(())
}

fn tiers_of_largest_layer(table: &Table<std::fs::File>, game: &PackedGame) -> Vec<u64> {
    let layers = (0_u32..).zip(&table.info().layers);
    let largest = layers.max_by_key(|(_, layer)| layer.ranks);
    let (layer, _) = largest.expect("a table has layers");
    let mut tiers = Vec::new();
    game.tiers(layer, &mut tiers);
    tiers
}

/// Returns a position drawn by `i` among the first `spread` ranks of some tiers; `None` if its
/// value follows from the rules, or the rank is a hole.
fn random_position(game: &PackedGame, tiers: &[u64], spread: u64, i: u64) -> Option<Packed> {
    let random = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
    let tier = tiers[random as usize % tiers.len()];
    let position = game.unrank(tier, random % game.tier_len(tier).min(spread))?;
    (game.terminal(position).is_none() && game.immediate_value(position).is_none())
        .then_some(position)
}

fn main() -> Done {
    let mut arguments = std::env::args().skip(1);
    let layout = arguments.next().ok_or("which layout?")?.parse()?;
    for spec in arguments {
        measure(&spec, layout)?;
    }
    Ok(())
}
