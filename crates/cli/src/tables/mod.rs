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

use anyhow::{Result, bail};
use hindsight_games::{TableInfo, Tablebase};

/// Opens a table of values. Reads only its header.
///
/// # Errors
/// When the file does not exist, is no table, is damaged, has another version of the format, or
/// keeps distances.
pub(crate) fn open(path: &Path) -> Result<Tablebase> {
    Ok(hindsight_games::open(path)?)
}

/// Opens a table of values or distances, like `open`.
pub fn open_any(path: &Path) -> Result<Tablebase> {
    Ok(hindsight_games::open_any(path)?)
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
