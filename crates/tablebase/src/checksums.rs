//! The checksums of a layer.

use rayon::prelude::*;

use crate::TableError;
use crate::layer_file::LayerFile;
use crate::read_at::ReadAt;

/// Compares every checksum of a layer, and how its bytes follow each other: what is damaged, in order.
pub(crate) fn checksum_errors<R: ReadAt>(
    file: &LayerFile<R>,
) -> Result<Vec<TableError>, TableError> {
    let pages = match file.opened() {
        Ok(opened) => opened.index.pages(),
        Err(error) if error.is_damage() => return Ok(vec![error]),
        Err(error) => return Err(error),
    };
    let check = |page: usize| {
        let entries = file.page(page)?;
        entries
            .iter()
            .try_for_each(|entry| file.block_bytes(entry).map(drop))
    };
    let pages = (0..pages).into_par_iter().map(check);
    let errors: Vec<TableError> = pages.filter_map(Result::err).collect();
    let (damaged, mut failed): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(TableError::is_damage);
    match failed.is_empty() {
        true => Ok(damaged),
        false => Err(failed.swap_remove(0)),
    }
}
