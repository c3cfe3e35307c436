//! Check of a table of distances.

use std::ops::Range;

use hindsight_core::{PackedGame, Value};
use hindsight_run::{Limits, Monitor};
use hindsight_solve::distance::{self, Distances, NextStates};

use super::memory::verify_distances_memory;
use super::states::{compare_state_header, decode};
use super::verifier::Verifier;
use crate::error::TableError;
use crate::format::header_checks::state_header_faults;
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::reading::table::Table;
use crate::states::decode::{StateFields, StateLayer};
use crate::states::distances::LayerDistances;
use crate::states::state_source::StateSource;
use crate::verdict::{MAX_REPORTED, TableVerdict};

/// Checks everything in a table of distances: every byte by its checksum, and every distance by a
/// new search. Takes the time of a search, and [`crate::verify_distances_memory`] bytes.
///
/// # Errors
/// As [`crate::verify_states`].
pub fn verify_distances<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
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
        verifier.check_memory(0, verify_distances_memory(table, game)?)?;
        let distances = search_distances(game, limits, verifier.monitor)?;
        let mut layers = verifier.layers();
        layers.try_for_each(|layer| check_layer(verifier, game, layer, &distances))
    })
}

fn search_distances(
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Distances, TableError> {
    let found = distance::solve(game, NextStates::Allowed, limits, monitor);
    found.map_err(|error| match error {
        hindsight_run::Error::TooLarge { needed, limit, .. } => {
            TableError::Memory { layer: 0, needed, limit }
        }
        hindsight_run::Error::Time { positions, .. } => TableError::Time { positions },
        hindsight_run::Error::Stopped => TableError::Stopped,
        error => TableError::damaged(format!("the distances cannot be found: {error}")),
    })
}

/// Compares a layer of the table with the distances of a search.
fn check_layer<R: ReadAt>(
    verifier: &mut Verifier<'_, R>,
    game: &PackedGame,
    layer: u32,
    distances: &Distances,
) -> Result<(), TableError> {
    const RUN_RANKS: u64 = 1 << 16;
    let Some(decoded) = decode(verifier, game, layer, StateFields::All)? else {
        return Ok(());
    };
    let found = LayerDistances::new(game, layer, distances)?;
    compare_state_header(verifier, game, &found)?;
    verifier.recheck_runs(decoded.ranks(), RUN_RANKS, &|ranks| {
        compare_distances(&decoded, &found, ranks)
    })
}

/// Compares the distances of a range of ranks.
fn compare_distances(
    decoded: &StateLayer,
    found: &impl StateSource,
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
