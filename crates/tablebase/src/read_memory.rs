//! Memory that a check of a table takes, known before it starts: of layers in memory, and of what decoding takes.

use std::collections::BTreeSet;

use hindsight_core::{ForbiddenMove, Game, Ranked};
use hindsight_solve::distance;

use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::states::StateFields;
use crate::{Table, TableError};

/// Bytes of memory that [`crate::verify()`] needs: those of the layer that needs most with all it leads to, with what
/// decoding takes.
///
/// # Errors
/// When the table cannot be read.
pub fn verify_memory<G: Ranked, R: ReadAt>(table: &Table<R>, game: &G) -> Result<u64, TableError> {
    let layers = common_layers(table, game);
    let needed = layers
        .map(|layer| layers_memory(table, game, &layers_for_check(table.info(), game, layer)));
    max_of(needed)
}

/// Bytes of memory that [`crate::verify_states`] needs, as [`memory_needed`].
///
/// # Errors
/// As [`memory_needed`].
pub fn verify_states_memory<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
) -> Result<u64, TableError> {
    let layers = common_layers(table, game.base());
    max_of(layers.map(|layer| states_check_memory(table, game, layer)))
}

/// Bytes of memory that [`crate::verify_distances`] needs, as [`memory_needed`].
///
/// # Errors
/// As [`memory_needed`].
pub fn verify_distances_memory<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
) -> Result<u64, TableError> {
    let width = StateFields::All.width() as u64;
    let of_layer = |layer: u32| {
        let ranks = ranks_of(table, layer).saturating_mul(width);
        Ok(ranks.saturating_add(decoding_memory::<G::Base, R>(table, &[layer].into())?))
    };
    let decoded = max_of(common_layers(table, game.base()).map(of_layer))?;
    Ok(distance::peak(game).saturating_add(decoded))
}

/// Bytes of memory that [`Table::decode_layer`] needs, with what decoding takes.
///
/// # Errors
/// When the table cannot be read.
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

/// Bytes of memory that [`Table::decode_states`] needs, with what decoding takes.
///
/// # Errors
/// As [`layer_memory_needed`].
pub fn decode_states_memory<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    _: &G,
    layer: u32,
) -> Result<u64, TableError> {
    let held = ranks_of(table, layer).saturating_mul(StateFields::All.width() as u64);
    Ok(held.saturating_add(decoding_memory::<G::Base, R>(table, &[layer].into())?))
}

/// The layers that must be in memory for the check of one.
pub(crate) fn layers_for_check<G: Ranked>(
    info: &crate::TableInfo,
    game: &G,
    layer: u32,
) -> BTreeSet<u32> {
    let mut layers = BTreeSet::from([layer]);
    layers.extend(game.layer_successors(layer));
    if info.layout == Layout::Compact {
        let next: Vec<u32> = layers.iter().copied().collect();
        layers.extend(
            next.into_iter()
                .flat_map(|layer| game.layer_successors(layer)),
        );
    }
    layers
}

/// Bytes of some layers in memory, a code a rank and two numbers a tier, with what decoding them takes.
pub(crate) fn layers_memory<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    _: &G,
    layers: &BTreeSet<u32>,
) -> Result<u64, TableError> {
    let all = &table.info().layers;
    let infos = layers.iter().filter_map(|&i| all.get(i as usize));
    let held = infos.fold(0, |sum: u64, layer| {
        let tiers = layer.tiers.saturating_mul(16);
        sum.saturating_add(layer.ranks).saturating_add(tiers)
    });
    Ok(held.saturating_add(decoding_memory::<G, R>(table, layers)?))
}

/// Bytes of a layer of states, and of the values of those that it leads to, with what decoding takes.
pub(crate) fn states_check_memory<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    layer: u32,
) -> Result<u64, TableError> {
    let of =
        |layer: u32, part: StateFields| ranks_of(table, layer).saturating_mul(part.width() as u64);
    let next = game.base().layer_successors(layer);
    let values = next.iter().map(|&next| of(next, StateFields::ValuesOnly));
    let held = values.fold(of(layer, StateFields::All), u64::saturating_add);
    let layers = next.iter().copied().chain([layer]).collect();
    Ok(held.saturating_add(decoding_memory::<G::Base, R>(table, &layers)?))
}

/// Bytes that decoding takes: those of the largest coder of some layers, and of blocks and their positions in each
/// thread.
fn decoding_memory<G: Game, R: ReadAt>(
    table: &Table<R>,
    layers: &BTreeSet<u32>,
) -> Result<u64, TableError> {
    /// Bytes of a block, of its symbols and tiers, and of zstd.
    const OF_THREAD: u64 = 1 << 20;
    /// Positions that a thread has at once, in a list that may have doubled.
    const POSITIONS: u64 = 2 << 14;
    let coders = layers.iter().filter_map(|&layer| table.layer(layer).ok());
    let coder = max_of(coders.map(|file| file.open_memory()))?;
    let of_position = size_of::<(u64, G::Position)>() as u64;
    let of_thread = OF_THREAD + POSITIONS * of_position;
    Ok(coder.saturating_add(rayon::current_num_threads() as u64 * of_thread))
}

fn ranks_of<R: ReadAt>(table: &Table<R>, layer: u32) -> u64 {
    let info = table.info().layers.get(layer as usize);
    info.map_or(0, |info| info.ranks)
}

/// The layers that both a table and its game have: a file may name more.
fn common_layers<G: Ranked, R: ReadAt>(table: &Table<R>, game: &G) -> std::ops::Range<u32> {
    0..game.layers().min(table.info().layers.len() as u32)
}

fn max_of(mut bytes: impl Iterator<Item = Result<u64, TableError>>) -> Result<u64, TableError> {
    bytes.try_fold(0, |most: u64, bytes| Ok(most.max(bytes?)))
}
