//! The command `perft`: counts paths and positions by plies.

use anyhow::{Result, anyhow, bail};
use hindsight_core::{Notation, Packed, PackedGame};
use hindsight_report::{TextTable, unbroken};
use hindsight_solve::{PlyCount, perft, perft_divide};
use serde::Serialize;

use crate::args::PerftArgs;
use crate::context::Context;
use crate::output::{fitted, print_json, print_text};
use crate::progress::ProgressDisplay;
use crate::sizes::with_commas;

/// The JSON report of `perft`.
#[derive(Serialize)]
struct PerftReport {
    game: String,
    position: String,
    plies: Vec<PerftRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<DivideRow>>,
}

/// Counts of one ply.
#[derive(Serialize)]
struct PerftRow {
    ply: usize,
    paths: u128,
    positions: u64,
}

/// Paths that begin with one move.
#[derive(Serialize)]
struct DivideRow {
    r#move: String,
    paths: u128,
}

pub(crate) fn run(args: &PerftArgs, context: &Context) -> Result<()> {
    if args.divide && args.plies == 0 {
        bail!("--divide counts the paths below each first move; it needs --plies of at least 1");
    }
    let game = hindsight_games::game(&args.spec)?;
    let position = args.position.as_deref().map_or(Ok(game.start()), |text| game.parse(text))?;
    let report = PerftReport::new(game.rules(), game.packed(&position)?, args, context)?;
    if context.json { print_json(&report) } else { print_text(&report.text()) }
}

impl PerftReport {
    /// Counts from a position of a game.
    fn new(
        game: &PackedGame,
        position: Packed,
        args: &PerftArgs,
        context: &Context,
    ) -> Result<Self> {
        let (plies, limits) = (args.plies, context.limits());
        let mut display = ProgressDisplay::new(context.quiet).saving_nothing();
        let counts = perft(game, position, plies, limits, &mut display)
            .map_err(|error| explain(error, context))?;
        let divided = args.divide.then(|| {
            let divided = perft_divide(game, position, plies, limits, &mut display);
            divided.map_err(|error| explain(error, context))
        });
        let move_row = |(mv, paths)| DivideRow { r#move: game.format_move(position, mv), paths };
        let ply_row = |(ply, count): (usize, PlyCount)| PerftRow {
            ply,
            paths: count.paths,
            positions: count.positions,
        };
        let divided = divided.transpose()?;
        Ok(Self {
            game: game.spec(),
            position: game.format(position),
            plies: counts.into_iter().enumerate().map(ply_row).collect(),
            divide: divided.map(|moves| moves.into_iter().map(move_row).collect()),
        })
    }

    fn text(&self) -> String {
        let mut table = TextTable::new("rrr");
        table.push(["ply", "paths", "positions"]);
        for row in &self.plies {
            let counts = [with_commas(row.paths), with_commas(row.positions)];
            table.push([row.ply.to_string()].into_iter().chain(counts));
        }
        let mut text = format!("{}\n{}\n\n{}", self.game, unbroken(&self.position), fitted(&table));
        if let Some(moves) = &self.divide {
            let mut table = TextTable::new("lr");
            table.push(["move", "paths"]);
            for row in moves {
                table.push([&row.r#move, &with_commas(row.paths)]);
            }
            let all: u128 = moves.iter().map(|row| row.paths).sum();
            table.push(["all", &with_commas(all)]);
            text.push_str(&format!("\n{}", fitted(&table)));
        }
        text
    }
}

/// Turns an error of the solver into a sentence with its numbers and a remedy.
fn explain(error: hindsight_run::Error, context: &Context) -> anyhow::Error {
    match error {
        hindsight_run::Error::Memory { positions, edges, needed, limit } => anyhow!(
            "the positions of two plies do not fit in memory: \
             {} were held after {} moves, which need at least {}; count fewer --plies",
            with_commas(positions),
            with_commas(edges),
            context.needed_and_allowed(needed, limit)
        ),
        hindsight_run::Error::TooManyPaths(ply) => anyhow!(
            "there are more paths of {ply} plies than 128 bits can count; \
             count at most {} (--plies)",
            ply - 1
        ),
        other => other.into(),
    }
}
