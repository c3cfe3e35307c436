//! States of a table that only a sacrifice wins.

use hindsight_core::{PackedGame, States, Tiers};
use hindsight_engine::{Limits, Progress};
use hindsight_puzzles::{PuzzleError, SacrificeLayers, find_sacrifices};
use hindsight_tablebase::Table;

use crate::error::GamesError;
use crate::parts::numbered_values::TakeSacrifices;
use crate::parts::table_ranks::TableFile;
use crate::table_bytes::TableBytes;
use crate::tasks::options::check_memory;

/// Ranks that are looked at between two looks at the limits.
const CHUNK_RANKS: u64 = 1 << 20;

/// Hands over the states of a table that only a sacrifice wins, layer by layer. Returns the number
/// of positions in the layers that were finished.
pub(super) fn find(
    file: &TableFile,
    game: &PackedGame,
    limits: Limits,
    take: TakeSacrifices<'_>,
) -> Result<u64, GamesError> {
    let (table, base) = (&file.table, game.base());
    let explain = |error| GamesError::of_table(&file.path, error);
    check_memory((0..base.layers()).map(|layer| memory_needed(table, game, layer)), limits)?;
    let total = table.info().layers.iter().map(|layer| layer.ranks).sum();
    let (mut scanned, mut positions) = (0, 0);
    for layer in 0..base.layers() {
        let states = table.decode_states(game, layer).map_err(explain)?;
        let successors: Result<Vec<_>, _> = base
            .layer_successors(layer)
            .into_iter()
            .map(|layer| table.decode_unrestricted(game, layer))
            .collect();
        let layers =
            SacrificeLayers { layer: &states, successor_layers: &successors.map_err(explain)? };
        for first in (0..states.ranks()).step_by(CHUNK_RANKS as usize) {
            let ranks = first..states.ranks().min(first + CHUNK_RANKS);
            scanned += ranks.end - ranks.start;
            let found = find_sacrifices(game, layers, ranks, || table.with_states(game));
            let found = found.map_err(|error| match error {
                PuzzleError::Probe(error) => explain(error),
                PuzzleError::Inconsistent | PuzzleError::TooLong(_) => GamesError::Inconsistent,
            })?;
            let progress = Progress { phase: "sacrifices", done: scanned, total: Some(total) };
            if !take(found, progress)? {
                return Ok(positions);
            }
        }
        positions += table.info().layers[layer as usize].histogram.positions();
    }
    Ok(positions)
}

/// Bytes of memory for a layer of states and the layers that its moves lead to.
fn memory_needed(table: &Table<TableBytes>, game: &PackedGame, layer: u32) -> u64 {
    let own = hindsight_tablebase::decode_states_memory(table, game, layer).unwrap_or(0);
    let successors = game.base().layer_successors(layer).into_iter();
    let successors = successors.filter_map(|layer| table.info().layers.get(layer as usize));
    successors.fold(own, |sum, layer| sum.saturating_add(layer.ranks))
}
