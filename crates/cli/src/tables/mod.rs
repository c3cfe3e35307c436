//! Tables: opened, checked and decoded for every command that reads one.

pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod info;
#[cfg(feature = "parquet")]
mod parquet_rows;
pub(crate) mod plot;
mod rows;
pub(crate) mod stats;
pub(crate) mod verify;

use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use hindsight_core::{Notation, PackedGame, Symmetry};
use hindsight_games::{TableBytes, Tablebase};
use hindsight_rules::Setup;
use hindsight_run::Layer;
use hindsight_solve::tiered::TierPlan;
use hindsight_tablebase::{StateLayer, Table, TableError, TableInfo};

use crate::context::Context;
use crate::spec::spec_error;

/// Opens a table of values. Reads only its header.
///
/// # Errors
/// When the file does not exist, is no table, is damaged, has another version of the format, or
/// keeps distances.
pub(crate) fn open(path: &Path) -> Result<Tablebase> {
    Ok(hindsight_games::open(path)?)
}

/// Opens a table of values or distances, like [`open`].
pub(crate) fn open_any(path: &Path) -> Result<Tablebase> {
    Ok(hindsight_games::open_any(path)?)
}

/// Adds the name of the file to an error of its table. An interruption keeps its type.
pub(crate) fn table_error(path: &Path, error: TableError) -> anyhow::Error {
    hindsight_games::Error::of_table(path, error).into()
}

/// Returns the game of a table, with all its symmetries; `spec` is the one in the header.
///
/// # Errors
/// When the spec names no game.
pub(crate) fn symmetric_game(spec: &str) -> Result<PackedGame> {
    // A spec in its normal form needs no other files, so none that a header might name is read.
    let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
    hindsight_rules::by_name(spec, &setup)
        .map_err(|error| spec_error(spec, &error))
        .context("the table is of a game that this program does not have")
}

/// Returns the error of a game that has no ranks, and so no tables.
pub(crate) fn unranked_error(game: &PackedGame) -> anyhow::Error {
    hindsight_games::Error::Unranked(game.spec()).into()
}

/// Formats the position at a tier and rank, if the game has it.
pub(crate) fn position_text(table: &Tablebase, tier: u64, rank: u64) -> Option<String> {
    let position = table.position_at(tier, rank)?;
    table.game().format(&position).ok()
}

/// Returns the layers that an option selects: all, or one.
pub(crate) fn selected_layers(info: &TableInfo, layer: Option<u32>) -> Result<Range<usize>> {
    let layers = info.layers.len();
    match layer.map(|layer| layer as usize) {
        None => Ok(0..layers),
        Some(layer) if layer < layers => Ok(layer..layer + 1),
        Some(layer) => bail!(
            "there is no layer {layer}: {} has the layers 0 to {}",
            info.spec,
            layers.saturating_sub(1)
        ),
    }
}

/// Returns the bytes of memory that [`decode_layer`] needs for a layer; 0 for an unreadable layer,
/// which `decode_layer` reports.
pub(crate) fn layer_bytes(opened: &Table<TableBytes>, game: &PackedGame, layer: u32) -> u64 {
    hindsight_tablebase::decode_layer_memory(opened, game, layer).unwrap_or(0)
}

/// Bytes of memory that [`decode_state_layer`] needs for a layer; 0 for an unreadable one.
pub(crate) fn state_layer_bytes(opened: &Table<TableBytes>, game: &PackedGame, layer: u32) -> u64 {
    hindsight_tablebase::decode_states_memory(opened, game, layer).unwrap_or(0)
}

/// Refuses work that does not fit in memory; `needed` yields the bytes of each step. Steps run one
/// after the other, so the largest decides.
pub(crate) fn check_memory(needed: impl Iterator<Item = u64>, context: &Context) -> Result<()> {
    let (needed, limit) = (needed.max().unwrap_or(0), context.limits().memory);
    match needed > limit {
        true => Err(hindsight_games::Error::Memory { needed, limit }.into()),
        false => Ok(()),
    }
}

/// Refuses a game whose tiers are too many to list; a header may name any game.
///
/// # Errors
/// When the lists of its tiers would take more memory than allowed.
pub(crate) fn check_game_size(game: &PackedGame, context: &Context) -> Result<()> {
    Ok(TierPlan::check_tier_lists(game, context.limits().memory)?)
}

/// Decodes all values of a layer.
///
/// # Errors
/// When the file is damaged, or cannot be read.
pub(crate) fn decode_layer(
    path: &Path,
    opened: &Table<TableBytes>,
    game: &PackedGame,
    layer: u32,
) -> Result<Layer> {
    let decoded = opened.decode_layer(game, layer);
    decoded.map_err(|error| table_error(path, error))
}

/// Decodes all states of a layer.
///
/// # Errors
/// When the file is damaged, or cannot be read.
pub(crate) fn decode_state_layer(
    path: &Path,
    opened: &Table<TableBytes>,
    game: &PackedGame,
    layer: u32,
) -> Result<StateLayer> {
    let decoded = opened.decode_states(game, layer);
    decoded.map_err(|error| table_error(path, error))
}
