//! CSV file of the strategies of `solve --weak`: a line for each position in which the side of the
//! strategy is to move.

use std::io::Write;

use anyhow::Result;
use hindsight_core::{Notation, Wdl};
use hindsight_report::CsvLine;
use hindsight_solve::proof::{ProofSolution, Strategies};
use serde::Serialize;

use crate::output::Output;

/// File of strategies that was written.
#[derive(Serialize)]
pub(crate) struct StrategyFileSummary {
    file: String,
    /// Number of lines without the header.
    pub(crate) positions: u64,
}

/// Writes the strategy of the winner, or in a draw the strategy of each side.
/// Returns `None` and writes no file if a strategy is missing.
pub(crate) fn write_strategies<G: Notation>(
    game: &G,
    solution: &ProofSolution<G::Position>,
    strategies: &Strategies<G::Position>,
    mut out: Output,
) -> Result<Option<StrategyFileSummary>> {
    let needed = match solution.value() {
        Some(Wdl::Draw) => 2,
        Some(_) => 1,
        None => return Ok(None),
    };
    let strategies: Vec<_> = strategies.iter().flatten().collect();
    if strategies.len() < needed {
        return Ok(None);
    }
    let mut positions = 0;
    writeln!(out, "position,move,value,plies")?;
    for strategy in strategies {
        strategy.visit(game, |position, mv, plies| -> Result<()> {
            positions += 1;
            let (position, mv) = (game.format(position), game.format_move(position, mv));
            let line = CsvLine::default().quoted(&position).quoted(&mv);
            let line = line.field(if plies.is_some() { "win" } else { "draw" });
            Ok(out.write_all(line.optional(plies).end().as_bytes())?)
        })?;
    }
    let file = out.name().display().to_string();
    out.finish()?;
    Ok(Some(StrategyFileSummary { file, positions }))
}
