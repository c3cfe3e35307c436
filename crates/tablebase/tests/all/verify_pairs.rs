//! Check of a table of pawn pairs by a second solve.

use hindsight_core::PackedGame;
use hindsight_engine::{Limits, Monitor, Store};
use hindsight_solve::pawn_pairs;
use hindsight_solve::tiered::TierPlan;
use hindsight_tablebase::{ReadAt, Recompute, Table, TableError, TableVerdict, verify};

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
    verify(table, game, Recompute::Solve(solve), limits, monitor)
}
