//! Writes a table of positions in the other layout, without solving: `relayout FILE
//! full|compact|wdl OUT`.

use std::fs::File;
use std::path::Path;

use hindsight_core::{Notation, PawnPairs, Ranked, Retro};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::Store;
use hindsight_tablebase::{CheckpointDir, Layout, Table, TableError};

struct Relayout<'a> {
    table: Table<File>,
    layout: Layout,
    out: &'a Path,
}

impl Relayout<'_> {
    fn run<G: Ranked + Notation>(self, game: &G) -> Result<u64, TableError> {
        let folder = self.out.with_extension("layers");
        let checkpoint = CheckpointDir::create(&folder, &game.spec(), self.layout)?;
        for layer in 0..game.layers() {
            let decoded = self.table.decode_layer(game, layer)?;
            let put = checkpoint.layer_store(game).put(&decoded, &mut || Ok(()));
            put.map_err(|error| TableError::Damaged(error.to_string()))?;
        }
        checkpoint.finish_to(self.out)
    }
}

impl Visitor for Relayout<'_> {
    type Output = Result<u64, TableError>;

    fn visit<G: Notation>(self, _: G) -> Self::Output {
        Err(TableError::NotATable)
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Self::Output {
        self.run(&game)
    }

    fn pawn_pairs<G: PawnPairs + Retro + Notation>(self, game: G) -> Self::Output {
        self.run(&game)
    }
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, layout, out] = args.as_slice() else {
        return Err("usage: relayout FILE full|compact|wdl OUT".into());
    };
    let table = Table::open(File::open(file)?)?;
    let spec = table.info().spec.clone();
    let positions = table.info().histogram().positions();
    let relayout = Relayout { table, layout: layout.parse()?, out: Path::new(out) };
    let bytes = by_name(&spec, &Setup::default(), relayout)??;
    let each = bytes as f64 / positions as f64;
    println!("{spec}  {layout}  {bytes} bytes, {each:.4} a position");
    Ok(())
}
