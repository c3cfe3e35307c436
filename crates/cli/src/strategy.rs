//! A strategy that `solve --weak` found, in a file: a line for each position in which its side has to move.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use game::{Notation, Wdl};
use serde::Serialize;
use solve::proof::{Solution, Strategies, Strategy};

use crate::output::Output;

/// A file that was written.
#[derive(Serialize)]
pub(crate) struct Written {
    file: String,
    /// Lines of it, without the first.
    pub(crate) positions: u64,
}

/// Writes what the winner has to play, or in a draw what each side has; `None`, and no file, where that
/// was not found.
pub(crate) fn write<G: Notation>(
    game: &G,
    solution: &Solution<G::Position>,
    [first, second]: &Strategies<G::Position>,
    path: &Path,
    mut out: Output,
) -> Result<Option<Written>> {
    let strategies = match solution.value() {
        Some(Wdl::Win) => vec![first],
        Some(Wdl::Loss) => vec![second],
        Some(Wdl::Draw) => vec![second, first],
        None => return Ok(None),
    };
    let Some(strategies) = strategies
        .into_iter()
        .map(Option::as_ref)
        .collect::<Option<Vec<&Strategy<G::Position>>>>()
    else {
        return Ok(None);
    };
    let mut positions = 0;
    writeln!(out, "position,move,value,plies")?;
    for strategy in strategies {
        strategy.visit(game, |position, mv, plies| {
            positions += 1;
            let (position, mv) = (game.format(position), game.format_move(position, mv));
            match plies {
                Some(plies) => writeln!(out, "\"{position}\",\"{mv}\",win,{plies}"),
                None => writeln!(out, "\"{position}\",\"{mv}\",draw,"),
            }
        })?;
    }
    out.finish()?;
    Ok(Some(Written {
        file: path.display().to_string(),
        positions,
    }))
}
