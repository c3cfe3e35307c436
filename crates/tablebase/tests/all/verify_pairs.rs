//! Check of a table of pawn pairs by a second solve.

use hindsight_core::PackedGame;
use hindsight_run::{Limits, Monitor, Store};
use hindsight_solve::pawn_pairs;
use hindsight_solve::tiered::TierPlan;
use hindsight_tablebase::{ReadAt, Table, TableError, TableVerdict, verify_by_solving};

/// Checks a table by a second solve.
pub(crate) fn verify_pairs<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    let solve = &mut |store: &mut dyn Store, monitor: &mut dyn Monitor| {
        let plan = TierPlan::new(game);
        pawn_pairs::solve(game, &plan, store, limits, monitor).map(|_| true)
    };
    let verdict = verify_by_solving(table, game, limits, monitor, solve)?;
    Ok(verdict.expect("a solve without limits"))
}
