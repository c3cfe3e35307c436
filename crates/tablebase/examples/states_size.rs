//! Solves games with forbidden moves and writes tables of their states: `states_size SPEC ..`.
//! Prints the bytes per rank of every layer, and the time per probe.
#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::fs::File;
use std::time::{Duration, Instant};

use hindsight_core::{Game, PackedGame, States, Structure, Tiers};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::forbidden_move;
use hindsight_tablebase::{CheckpointDir, Layout, Recompute, Table, verify};

type Done = Result<(), Box<dyn std::error::Error>>;

fn measure(spec: &str) -> Done {
    let game = &by_name(spec, &Setup::default())?;
    if game.structure() != Structure::ForbiddenMove {
        return Err("a game without forbidden moves".into());
    }
    let dir = tempfile::tempdir()?;
    let checkpoint = CheckpointDir::create(dir.path(), spec, Layout::States)?;
    let begin = Instant::now();
    let mut spent = Duration::ZERO;
    forbidden_move::solve(game, Limits::default(), &mut NoMonitor, &mut |solved| {
        let begin = Instant::now();
        checkpoint.put_states(game, &solved, u64::MAX).expect("a layer is kept");
        spent += begin.elapsed();
    })?;
    let path = dir.path().join("table");
    let bytes = checkpoint.finish_to(&path)?;
    println!(
        "{spec}: {bytes} bytes, solved and written in {:.1?}, of which written in {spent:.1?}",
        begin.elapsed(),
    );
    let table = Table::open(File::open(&path)?)?;
    for layer in &table.info().layers {
        println!(
            "  {:24} {:>12} ranks {:.4} bytes a rank, sections {:?}, {} symbols, blocks of {}",
            layer.name,
            layer.ranks,
            layer.bytes() as f64 / layer.ranks as f64,
            layer.sections,
            layer.symbols.len(),
            layer.block_ranks
        );
    }
    let positions = table.info().histogram().positions();
    println!(
        "  {:.4} bytes, {:.3} bits a position of {positions}",
        bytes as f64 / positions as f64,
        8.0 * bytes as f64 / positions as f64
    );
    let begin = Instant::now();
    let verdict = verify(&table, game, Recompute::Successors, Limits::default(), &mut NoMonitor)?;
    println!("  verified {verdict:?} in {:.1?}", begin.elapsed());
    probe(&path, game)
}

/// Times probes: the first of a table just opened, some all over the largest layer, some near each
/// other.
fn probe(path: &std::path::Path, game: &PackedGame) -> Done {
    const PROBES: u64 = 10_000;
    let begin = Instant::now();
    let table = Table::open(File::open(path)?)?;
    let reader = table.with_states(game);
    reader.value(game.start())?;
    println!("  opened, and the start probed: {:.1?}", begin.elapsed());
    let tier = u64::from(game.base().layers()) - 1;
    let len = game.base().tier_len(tier);
    for (name, among) in [("anywhere", len), ("near", len.min(1024))] {
        let begin = Instant::now();
        for i in 0..PROBES {
            let random = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
            reader.value_and_exception(tier, random % among)?;
        }
        let each = begin.elapsed().as_secs_f64() / PROBES as f64;
        println!("  probe {name}: {:.2} us each", each * 1e6);
    }
    Ok(())
}

fn main() -> Done {
    for spec in std::env::args().skip(1) {
        measure(&spec)?;
    }
    Ok(())
}
