//! Memory that a check of a table takes, known before it starts: of layers in memory, and of what decoding takes.

use std::collections::BTreeSet;

use hindsight_core::{ForbiddenMove, Game, Ranked};
use hindsight_solve::distance;

use crate::layout::Layout;
use crate::read::ReadAt;
use crate::states::Part;
use crate::{Error, Table};

/// Bytes of memory that [`crate::verify()`] needs: those of the layer that needs most with all it leads to, with what
/// decoding takes.
///
/// # Errors
/// When the table cannot be read.
pub fn memory_needed<G: Ranked, R: ReadAt>(table: &Table<R>, game: &G) -> Result<u64, Error> {
    let layers = layers(table, game);
    let needed = layers.map(|layer| of_layers(table, game, &together(table.info(), game, layer)));
    most(needed)
}

/// Bytes of memory that [`crate::verify_states`] needs, as [`memory_needed`].
///
/// # Errors
/// As [`memory_needed`].
pub fn states_memory_needed<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
) -> Result<u64, Error> {
    let layers = layers(table, game.base());
    most(layers.map(|layer| of_states(table, game, layer)))
}

/// Bytes of memory that [`crate::verify_distances`] needs, as [`memory_needed`].
///
/// # Errors
/// As [`memory_needed`].
pub fn distances_memory_needed<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
) -> Result<u64, Error> {
    let width = Part::States.width() as u64;
    let of_layer = |layer: u32| {
        let ranks = ranks(table, layer).saturating_mul(width);
        Ok(ranks.saturating_add(of_decoding::<G::Base, R>(table, &[layer].into())?))
    };
    let decoded = most(layers(table, game.base()).map(of_layer))?;
    Ok(distance::peak(game).saturating_add(decoded))
}

/// Bytes of memory that [`Table::decode_layer`] needs, with what decoding takes.
///
/// # Errors
/// When the table cannot be read.
pub fn layer_memory_needed<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    layer: u32,
) -> Result<u64, Error> {
    let mut layers = BTreeSet::from([layer]);
    if table.info().layout == Layout::Compact {
        layers.extend(game.layer_successors(layer));
    }
    of_layers(table, game, &layers)
}

/// Bytes of memory that [`Table::decode_states`] needs, with what decoding takes.
///
/// # Errors
/// As [`layer_memory_needed`].
pub fn state_layer_memory_needed<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    _: &G,
    layer: u32,
) -> Result<u64, Error> {
    let held = ranks(table, layer).saturating_mul(Part::States.width() as u64);
    Ok(held.saturating_add(of_decoding::<G::Base, R>(table, &[layer].into())?))
}

/// The layers that must be in memory for the check of one.
pub(crate) fn together<G: Ranked>(info: &crate::Info, game: &G, layer: u32) -> BTreeSet<u32> {
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
pub(crate) fn of_layers<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    _: &G,
    layers: &BTreeSet<u32>,
) -> Result<u64, Error> {
    let all = &table.info().layers;
    let infos = layers.iter().filter_map(|&i| all.get(i as usize));
    let held = infos.fold(0, |sum: u64, layer| {
        let tiers = layer.tiers.saturating_mul(16);
        sum.saturating_add(layer.ranks).saturating_add(tiers)
    });
    Ok(held.saturating_add(of_decoding::<G, R>(table, layers)?))
}

/// Bytes of a layer of states, and of the values of those that it leads to, with what decoding takes.
pub(crate) fn of_states<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    layer: u32,
) -> Result<u64, Error> {
    let of = |layer: u32, part: Part| ranks(table, layer).saturating_mul(part.width() as u64);
    let next = game.base().layer_successors(layer);
    let values = next.iter().map(|&next| of(next, Part::Plain));
    let held = values.fold(of(layer, Part::States), u64::saturating_add);
    let layers = next.iter().copied().chain([layer]).collect();
    Ok(held.saturating_add(of_decoding::<G::Base, R>(table, &layers)?))
}

/// Bytes that decoding takes: those of the largest coder of some layers, and of blocks and their positions in each
/// thread.
fn of_decoding<G: Game, R: ReadAt>(table: &Table<R>, layers: &BTreeSet<u32>) -> Result<u64, Error> {
    /// Bytes of a block, of its symbols and tiers, and of zstd.
    const OF_THREAD: u64 = 1 << 20;
    /// Positions that a thread has at once, in a list that may have doubled.
    const POSITIONS: u64 = 2 << 14;
    let coders = layers.iter().filter_map(|&layer| table.layer(layer).ok());
    let coder = most(coders.map(|file| file.bytes_to_open()))?;
    let of_position = size_of::<(u64, G::Position)>() as u64;
    let of_thread = OF_THREAD + POSITIONS * of_position;
    Ok(coder.saturating_add(rayon::current_num_threads() as u64 * of_thread))
}

fn ranks<R: ReadAt>(table: &Table<R>, layer: u32) -> u64 {
    let info = table.info().layers.get(layer as usize);
    info.map_or(0, |info| info.ranks)
}

/// The layers that both a table and its game have: a file may name more.
fn layers<G: Ranked, R: ReadAt>(table: &Table<R>, game: &G) -> std::ops::Range<u32> {
    0..game.layers().min(table.info().layers.len() as u32)
}

fn most(mut bytes: impl Iterator<Item = Result<u64, Error>>) -> Result<u64, Error> {
    bytes.try_fold(0, |most: u64, bytes| Ok(most.max(bytes?)))
}
