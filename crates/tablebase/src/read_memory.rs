//! Memory that reading or checking a table takes, known before it starts: decoded layers, and
//! buffers for decoding.

use std::collections::BTreeSet;

use hindsight_core::{ForbiddenMove, Game, Ranked};
use hindsight_solve::distance;

use crate::error::TableError;
use crate::info::TableInfo;
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::states::decode::StateFields;
use crate::table::Table;

/// Returns the bytes of memory that [`crate::verify()`] needs: the largest set of layers decoded
/// together, and the buffers for decoding.
///
/// # Errors
/// If the table cannot be read.
pub fn verify_memory<G: Ranked, R: ReadAt>(table: &Table<R>, game: &G) -> Result<u64, TableError> {
    let layers = common_layers(table, game);
    let needed = layers
        .map(|layer| layers_memory(table, game, &layers_for_check(table.info(), game, layer)));
    max_of(needed)
}

/// Returns the bytes of memory that [`crate::verify_states`] needs, as [`verify_memory`].
///
/// # Errors
/// As [`verify_memory`].
pub fn verify_states_memory<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
) -> Result<u64, TableError> {
    let layers = common_layers(table, game.base());
    max_of(layers.map(|layer| states_check_memory(table, game, layer)))
}

/// Returns the bytes of memory that [`crate::verify_distances`] needs, as [`verify_memory`].
///
/// # Errors
/// As [`verify_memory`].
pub fn verify_distances_memory<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
) -> Result<u64, TableError> {
    let width = StateFields::All.width() as u64;
    let layer_memory = |layer: u32| {
        let ranks = ranks_of(table, layer).saturating_mul(width);
        Ok(ranks.saturating_add(decoding_memory::<G::Base, R>(table, &[layer].into())?))
    };
    let decoded = max_of(common_layers(table, game.base()).map(layer_memory))?;
    Ok(distance::peak(game).saturating_add(decoded))
}

/// Returns the bytes of memory that [`Table::decode_layer`] needs, decoding included.
///
/// # Errors
/// If the table cannot be read.
pub fn decode_layer_memory<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    layer: u32,
) -> Result<u64, TableError> {
    let mut layers = BTreeSet::from([layer]);
    if table.info().layout == Layout::Compact {
        layers.extend(game.layer_successors(layer));
    }
    layers_memory(table, game, &layers)
}

/// Returns the bytes of memory that [`Table::decode_states`] needs, decoding included.
///
/// # Errors
/// As [`decode_layer_memory`].
pub fn decode_states_memory<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    _: &G,
    layer: u32,
) -> Result<u64, TableError> {
    let decoded = ranks_of(table, layer).saturating_mul(StateFields::All.width() as u64);
    Ok(decoded.saturating_add(decoding_memory::<G::Base, R>(table, &[layer].into())?))
}

/// Layers that must be in memory for the check of a layer.
pub(crate) fn layers_for_check<G: Ranked>(info: &TableInfo, game: &G, layer: u32) -> BTreeSet<u32> {
    let mut layers = BTreeSet::from([layer]);
    layers.extend(game.layer_successors(layer));
    if info.layout == Layout::Compact {
        let loaded: Vec<u32> = layers.iter().copied().collect();
        layers.extend(
            loaded
                .into_iter()
                .flat_map(|layer| game.layer_successors(layer)),
        );
    }
    layers
}

/// Bytes of layers in memory: a code per rank, two numbers per tier, and the buffers for decoding.
pub(crate) fn layers_memory<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    _: &G,
    layers: &BTreeSet<u32>,
) -> Result<u64, TableError> {
    let all = &table.info().layers;
    let infos = layers.iter().filter_map(|&i| all.get(i as usize));
    let decoded = infos.fold(0, |sum: u64, layer| {
        let tiers = layer.tiers.saturating_mul(16);
        sum.saturating_add(layer.ranks).saturating_add(tiers)
    });
    Ok(decoded.saturating_add(decoding_memory::<G, R>(table, layers)?))
}

/// Bytes of a layer of states, of the values of its successor layers, and of decoding.
pub(crate) fn states_check_memory<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    layer: u32,
) -> Result<u64, TableError> {
    let layer_bytes = |layer: u32, fields: StateFields| {
        ranks_of(table, layer).saturating_mul(fields.width() as u64)
    };
    let successors = game.base().layer_successors(layer);
    let values = successors
        .iter()
        .map(|&layer| layer_bytes(layer, StateFields::ValuesOnly));
    let decoded = values.fold(layer_bytes(layer, StateFields::All), u64::saturating_add);
    let layers = successors.iter().copied().chain([layer]).collect();
    Ok(decoded.saturating_add(decoding_memory::<G::Base, R>(table, &layers)?))
}

/// Bytes that decoding takes: the largest coder of the layers, and the buffers of each thread.
fn decoding_memory<G: Game, R: ReadAt>(
    table: &Table<R>,
    layers: &BTreeSet<u32>,
) -> Result<u64, TableError> {
    /// Bytes of a block, its symbols, its tiers, and zstd.
    const BLOCK_BYTES: u64 = 1 << 20;
    /// Positions per thread, in a list that may have doubled.
    const POSITIONS: u64 = 2 << 14;
    let coders = layers.iter().filter_map(|&layer| table.layer(layer).ok());
    let coder = max_of(coders.map(|file| file.open_memory()))?;
    let position_bytes = size_of::<(u64, G::Position)>() as u64;
    let thread_bytes = BLOCK_BYTES + POSITIONS * position_bytes;
    Ok(coder.saturating_add(rayon::current_num_threads() as u64 * thread_bytes))
}

fn ranks_of<R: ReadAt>(table: &Table<R>, layer: u32) -> u64 {
    let info = table.info().layers.get(layer as usize);
    info.map_or(0, |info| info.ranks)
}

/// Layers that both the table and the game have; a file may name more.
fn common_layers<G: Ranked, R: ReadAt>(table: &Table<R>, game: &G) -> std::ops::Range<u32> {
    0..game.layers().min(table.info().layers.len() as u32)
}

fn max_of(mut bytes: impl Iterator<Item = Result<u64, TableError>>) -> Result<u64, TableError> {
    bytes.try_fold(0, |max: u64, bytes| Ok(max.max(bytes?)))
}
