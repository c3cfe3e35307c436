//! Writes a table of positions in the other layout, without solving: `relayout FILE
//! full|compact|wdl OUT`.

use std::error::Error;
use std::fs::File;
use std::path::Path;

use hindsight_core::{Notation, Structure, Tiers};
use hindsight_engine::Store;
use hindsight_rules::{Setup, by_name};
use hindsight_tablebase::{CheckpointDir, Layout, Table, TableError};

/// Writes a table in another layout. Returns its bytes.
fn relayout(table: &Table<File>, layout: Layout, out: &Path) -> Result<u64, Box<dyn Error>> {
    let game = by_name(&table.info().spec, &Setup::default())?;
    if !matches!(game.structure(), Structure::Ranked | Structure::PawnPairs | Structure::TwoSided) {
        return Err(TableError::NotATable.into());
    }
    let checkpoint = CheckpointDir::create(&out.with_extension("layers"), &game.spec(), layout)?;
    for layer in 0..game.layers() {
        let decoded = table.decode_layer(&game, layer)?;
        let put = checkpoint.layer_store(&game).put(&decoded, &mut || Ok(()));
        put.map_err(|error| TableError::Damaged(error.to_string()))?;
    }
    Ok(checkpoint.finish_to(out)?)
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, layout, out] = args.as_slice() else {
        return Err("usage: relayout FILE full|compact|wdl OUT".into());
    };
    let table = Table::open(File::open(file)?)?;
    let positions = table.info().histogram().positions();
    let bytes = relayout(&table, layout.parse()?, Path::new(out))?;
    let each = bytes as f64 / positions as f64;
    println!("{}  {layout}  {bytes} bytes, {each:.4} a position", table.info().spec);
    Ok(())
}
