//! Memory that reading or checking a table takes, known before it starts: decoded layers, and
//! buffers for decoding.

use std::collections::BTreeSet;

use hindsight_core::{Packed, PackedGame, States, Structure, Tiers};

use crate::error::TableError;
use crate::format::info::{Reachable, TableInfo};
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::reading::table::Table;
use crate::states::decode::StateFields;
use crate::symbols::restore_plies::layers_for_plies;

/// Returns the bytes of memory that [`crate::verify()`] needs to recompute values from their
/// successors, or, beside those of its search, to compare distances: the largest set of layers
/// decoded together, and the buffers for decoding.
///
/// # Errors
/// [`TableError::OtherContent`] if the game has no such table, and any error of reading it.
pub fn verify_memory<R: ReadAt>(table: &Table<R>, game: &PackedGame) -> Result<u64, TableError> {
    let layout = table.info().layout;
    if game.structure() != Structure::ForbiddenMove {
        layout.check_content(Layout::Full)?;
    } else if layout != Layout::Distances {
        layout.check_content(Layout::States)?;
    }
    match layout {
        Layout::Full | Layout::Compact | Layout::Wdl => {
            largest_need(table, game.layers(), |layer| {
                layers_memory(table, &layers_for_check(table.info(), game, layer))
            })
        }
        Layout::States => largest_need(table, game.base().layers(), |layer| {
            states_check_memory(table, game, layer)
        }),
        Layout::Distances => largest_need(table, game.base().layers(), |layer| {
            decode_states_memory(table, game, layer)
        }),
    }
}

/// Returns the bytes of memory that [`Table::decode_layer`] needs, decoding included.
///
/// # Errors
/// If the table cannot be read.
pub fn decode_layer_memory<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
    layer: u32,
) -> Result<u64, TableError> {
    let mut layers = BTreeSet::from([layer]);
    layers.extend(layers_for_plies(game, layer, table.info().layout));
    layers_memory(table, &layers)
}

/// Returns the bytes of memory that [`Table::decode_states`] needs, decoding included.
///
/// # Errors
/// As [`decode_layer_memory`].
pub fn decode_states_memory<R: ReadAt>(
    table: &Table<R>,
    _: &PackedGame,
    layer: u32,
) -> Result<u64, TableError> {
    decoding_memory::<R>(table, &[(layer, StateFields::All.width())])
}

/// Layers that must be in memory for the check of a layer.
pub(super) fn layers_for_check(info: &TableInfo, game: &PackedGame, layer: u32) -> BTreeSet<u32> {
    let mut layers = BTreeSet::from([layer]);
    layers.extend(game.layer_successors(layer));
    let checked: Vec<u32> = layers.iter().copied().collect();
    layers.extend(checked.into_iter().flat_map(|layer| layers_for_plies(game, layer, info.layout)));
    layers
}

/// Bytes of layers of positions in memory, with two numbers per tier, of decoding them, and of the
/// keys of positions.
pub(super) fn layers_memory<R: ReadAt>(
    table: &Table<R>,
    layers: &BTreeSet<u32>,
) -> Result<u64, TableError> {
    let infos = layers.iter().filter_map(|&layer| table.layer(layer).ok());
    let tiers = infos.fold(0, |sum: u64, file| sum.saturating_add(file.info.tiers));
    let codes: Vec<(u32, usize)> = layers.iter().map(|&layer| (layer, 1)).collect();
    let decoded = decoding_memory::<R>(table, &codes)?;
    let keys = table.info().reachable.map_or(0, |Reachable { keys, .. }| keys.top + keys.pages);
    Ok(decoded.saturating_add(tiers.saturating_mul(16)).saturating_add(keys))
}

/// Bytes of the buffers by which a layer in memory is compared with a table.
pub(super) fn comparison_memory<R: ReadAt>(
    table: &Table<R>,
    layer: u32,
) -> Result<u64, TableError> {
    /// Bytes of the symbols to be stored, of a thread's block, and of the solver's small items.
    const THREAD_BYTES: u64 = 1 << 20;
    let decoding = decoding_memory::<R>(table, &[(layer, 0)])?;
    Ok(decoding + rayon::current_num_threads() as u64 * THREAD_BYTES)
}

/// Bytes of a layer of states, of the values of its successor layers, and of decoding.
pub(super) fn states_check_memory<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
    layer: u32,
) -> Result<u64, TableError> {
    let successors = game.base().layer_successors(layer).into_iter();
    let values = successors.map(|layer| (layer, StateFields::ValuesOnly.width()));
    let own = (layer, StateFields::All.width());
    decoding_memory::<R>(table, &values.chain([own]).collect::<Vec<_>>())
}

/// Bytes of decoded layers, of the largest coder among them, and of the buffers of each thread.
/// `layers` has the number of each layer, and its bytes per rank.
fn decoding_memory<R: ReadAt>(
    table: &Table<R>,
    layers: &[(u32, usize)],
) -> Result<u64, TableError> {
    /// Bytes of a block, its symbols, its tiers, and zstd.
    const BLOCK_BYTES: u64 = 1 << 20;
    /// Positions per thread, in two lists that may have doubled: the rules fill one of their own.
    const POSITIONS: u64 = 4 << 14;
    let position_bytes = size_of::<(u64, Packed)>() as u64;
    let thread_bytes = BLOCK_BYTES + POSITIONS * position_bytes;
    let (mut decoded, mut coder) = (rayon::current_num_threads() as u64 * thread_bytes, 0);
    for &(layer, width) in layers {
        // A game may have more layers than the table.
        if let Ok(file) = table.layer(layer) {
            decoded = decoded.saturating_add(file.info.ranks.saturating_mul(width as u64));
            coder = file.open_memory()?.max(coder);
        }
    }
    Ok(decoded.saturating_add(coder))
}

/// Largest need of the layers that both the table and the game have; a file may name more.
fn largest_need<R: ReadAt>(
    table: &Table<R>,
    game_layers: u32,
    need: impl Fn(u32) -> Result<u64, TableError>,
) -> Result<u64, TableError> {
    let layers = 0..game_layers.min(table.info().layers.len() as u32);
    layers.map(need).try_fold(0, |max, bytes| Ok(max.max(bytes?)))
}
