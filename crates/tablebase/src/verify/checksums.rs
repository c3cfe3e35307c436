//! Check of a layer's checksums.

use rayon::prelude::*;

use crate::error::TableError;
use crate::format::layer_file::LayerFile;
use crate::read_at::ReadAt;

/// Compares every checksum of a layer, and checks that its sections are gapless. Returns the
/// damage, in order.
pub(super) fn checksum_errors<R: ReadAt>(
    file: &LayerFile<R>,
) -> Result<Vec<TableError>, TableError> {
    let pages = match file.opened() {
        Ok(opened) => opened.index.pages(),
        Err(error) if error.is_damage() => return Ok(vec![error]),
        Err(error) => return Err(error),
    };
    let check = |page: usize| {
        let entries = file.page(page)?;
        entries.iter().try_for_each(|entry| file.block_bytes(entry).map(drop))
    };
    let pages = (0..pages).into_par_iter().map(check);
    let errors: Vec<TableError> = pages.filter_map(Result::err).collect();
    let (damaged, mut failed): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(TableError::is_damage);
    if failed.is_empty() { Ok(damaged) } else { Err(failed.swap_remove(0)) }
}
