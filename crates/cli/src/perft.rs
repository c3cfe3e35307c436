//! The command `perft`: counts paths and positions by plies.

use anyhow::{Result, anyhow, bail};
use hindsight_answers::report::{TextTable, unbroken};
use hindsight_answers::{DivideRow, PerftAnswer, PerftRow};
use hindsight_core::{Notation, Packed, PackedGame};
use hindsight_solve::{PlyCount, perft, perft_divide};

use crate::args::PerftArgs;
use crate::context::Context;
use crate::output::{fitted, print_json, print_text};
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::with_commas;

pub(crate) fn run(args: &PerftArgs, context: &Context) -> Result<()> {
    if args.divide && args.plies == 0 {
        bail!("--divide counts the paths below each first move; it needs --plies of at least 1");
    }
    let game = hindsight_games::game(&args.spec)?;
    let position = args.position.as_deref().map_or(Ok(game.start()), |text| game.parse(text))?;
    let answer = count(game.rules(), game.packed(&position)?, args, context)?;
    if context.json { print_json(&answer) } else { print_text(&text(&answer)) }
}

/// Counts from a position of a game.
fn count(
    game: &PackedGame,
    position: Packed,
    args: &PerftArgs,
    context: &Context,
) -> Result<PerftAnswer> {
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
    Ok(PerftAnswer {
        game: game.spec(),
        position: game.format(position),
        plies: counts.into_iter().enumerate().map(ply_row).collect(),
        divide: divided.map(|moves| moves.into_iter().map(move_row).collect()),
    })
}

fn text(answer: &PerftAnswer) -> String {
    let mut table = TextTable::new("rrr");
    table.push(["ply", "paths", "positions"]);
    for row in &answer.plies {
        let counts = [with_commas(row.paths), with_commas(row.positions)];
        table.push([row.ply.to_string()].into_iter().chain(counts));
    }
    let mut text = format!("{}\n{}\n\n{}", answer.game, unbroken(&answer.position), fitted(&table));
    if let Some(moves) = &answer.divide {
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

/// Turns an error of the solver into a sentence with its numbers and a remedy.
fn explain(error: hindsight_games::SolverError, context: &Context) -> anyhow::Error {
    match error {
        hindsight_games::SolverError::Memory { positions, edges, needed, limit } => anyhow!(
            "the positions of two plies do not fit in memory: \
             {} were held after {} moves, which need at least {}; count fewer --plies",
            with_commas(positions),
            with_commas(edges),
            context.needed_and_allowed(needed, limit)
        ),
        hindsight_games::SolverError::TooManyPaths(ply) => anyhow!(
            "there are more paths of {ply} plies than 128 bits can count; \
             count at most {} (--plies)",
            ply - 1
        ),
        other => other.into(),
    }
}
