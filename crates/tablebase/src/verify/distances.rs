//! Check of a table of distances.

use std::ops::Range;

use hindsight_core::{PackedGame, Value};
use hindsight_engine::{Error, Limits, Monitor, StateSource};

use super::memory::verify_memory;
use super::states::{compare_state_header, decode};
use super::verifier::Verifier;
use crate::error::TableError;
use crate::format::header_checks::state_header_faults;
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::reading::table::Table;
use crate::states::decode::{StateFields, StateLayer};
use crate::verdict::{MAX_REPORTED, TableVerdict};

/// Search for the distances of a game.
pub struct DistanceSearch<'a> {
    /// Bytes of memory that it takes.
    pub bytes: u64,
    /// Returns the distances of each layer, and keeps to the limits.
    #[expect(clippy::type_complexity)]
    pub run: &'a dyn Fn(Limits, &mut dyn Monitor) -> Result<Vec<Box<dyn StateSource>>, Error>,
}

/// Compares every distance with that of a new search.
pub(super) fn verify_distances<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
    search: &DistanceSearch<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    table.info().layout.check_content(Layout::Distances)?;
    let header_faults = state_header_faults(table.info(), game);
    Verifier::run(table, header_faults, limits, monitor, |verifier| {
        let mut is_sound = true;
        for layer in verifier.layers() {
            is_sound &= verifier.check_checksums(layer)?;
        }
        if !is_sound {
            return Ok(());
        }
        let needed = search.bytes.saturating_add(verify_memory(table, game)?);
        verifier.check_memory(0, needed)?;
        let found = (search.run)(limits, verifier.monitor).map_err(search_error)?;
        found.iter().try_for_each(|found| check_layer(verifier, game, &**found))
    })
}

fn search_error(error: Error) -> TableError {
    match error {
        Error::TooLarge { needed, limit, .. } => TableError::Memory { layer: 0, needed, limit },
        Error::Time { positions, .. } => TableError::Time { positions },
        Error::Stopped => TableError::Stopped,
        error => TableError::damaged(format!("the distances cannot be found: {error}")),
    }
}

/// Compares a layer of the table with the distances of a search.
fn check_layer<R: ReadAt>(
    verifier: &mut Verifier<'_, R>,
    game: &PackedGame,
    found: &dyn StateSource,
) -> Result<(), TableError> {
    const RUN_RANKS: u64 = 1 << 16;
    let Some(decoded) = decode(verifier, game, found.layer(), StateFields::All)? else {
        return Ok(());
    };
    compare_state_header(verifier, game, found)?;
    verifier.recheck_runs(decoded.ranks(), RUN_RANKS, &|ranks| {
        compare_distances(&decoded, found, ranks)
    })
}

/// Compares the distances of a range of ranks.
fn compare_distances(
    decoded: &StateLayer,
    found: &dyn StateSource,
    ranks: Range<u64>,
) -> TableVerdict {
    let mut verdict =
        TableVerdict { positions_checked: ranks.end - ranks.start, ..TableVerdict::default() };
    let differs = |rank: &u64| {
        (decoded.value(*rank), decoded.exception(*rank))
            != (found.value(*rank), found.exception(*rank))
    };
    for rank in ranks.filter(differs).take(MAX_REPORTED) {
        let fault = format!(
            "the table says {}, a search finds {}",
            distances_text(decoded.value(rank), decoded.exception(rank)),
            distances_text(found.value(rank), found.exception(rank))
        );
        verdict.push_fault(Some(decoded.layer()), Some((decoded.tier(), rank)), fault);
    }
    verdict
}

/// Describes the distances of a rank.
fn distances_text(value: Option<Value>, exception: Option<(u8, Value)>) -> String {
    let plies = |value: Value| match value.remoteness() {
        Some(1) => String::from("1 ply"),
        Some(plies) => format!("{plies} plies"),
        None => String::from("unreachable"),
    };
    match (value, exception) {
        (None, _) => String::from("no position"),
        (Some(value), None) => plies(value),
        (Some(value), Some((move_id, without))) => {
            format!("{}, and {} if move {move_id} is allowed", plies(value), plies(without))
        }
    }
}
