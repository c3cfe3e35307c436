//! Names of the files in a checkpoint.

use std::path::PathBuf;

use hindsight_bitplanes::Tile;

/// The file that names game, layout and format version.
pub(crate) const MANIFEST_NAME: &str = "checkpoint";

/// The file of a layer whose solve was stopped.
pub(crate) const STOPPED_NAME: &str = "stopped.part";

/// The file of unfinished bit planes.
pub(crate) const PLANES_NAME: &str = "planes.part";

/// The file with the progress of an out-of-core solve.
pub(crate) const SLICES_NAME: &str = "slices.part";

/// Name of the file of a finished layer.
pub(crate) fn layer_file_name(layer: u32) -> String {
    format!("layer-{layer:06}.part")
}

/// Name of the file of a tile.
pub(crate) fn tile_file_name(tile: Tile) -> PathBuf {
    let Tile {
        plane,
        part: [row, column],
        second,
    } = tile;
    let copy = if second { 'b' } else { 'a' };
    format!("tile-{plane:05}-{row:03}-{column:03}-{copy}.part").into()
}

/// Returns true if a complete file of a checkpoint may have this name.
pub(crate) fn is_checkpoint_name(name: &str) -> bool {
    [MANIFEST_NAME, STOPPED_NAME, PLANES_NAME, SLICES_NAME].contains(&name)
        || is_layer_file_name(name)
        || is_tile_file_name(name)
}

fn is_layer_file_name(name: &str) -> bool {
    let number = name
        .strip_prefix("layer-")
        .and_then(|rest| rest.strip_suffix(".part"));
    number.is_some_and(|number| is_number(number, 6))
}

fn is_tile_file_name(name: &str) -> bool {
    let numbers = name.strip_prefix("tile-").and_then(|rest| {
        let rest = rest.strip_suffix(".part")?;
        rest.strip_suffix("-a").or_else(|| rest.strip_suffix("-b"))
    });
    numbers.is_some_and(|numbers| {
        numbers.split('-').count() == 3 && numbers.split('-').all(|number| is_number(number, 3))
    })
}

/// Returns true if a text is a decimal number of at least `min_digits` digits.
fn is_number(text: &str, min_digits: usize) -> bool {
    text.len() >= min_digits && text.bytes().all(|byte| byte.is_ascii_digit())
}
