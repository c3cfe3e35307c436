//! Writing of a layer whose runs were encoded elsewhere.

use std::io::Write;

use super::encoding::{LayerEncoding, blocks_of_run};
use super::layer_writer::LayerSections;
use super::run_bytes::take_run;
use crate::checkpoint::checkpoint_dir::CheckpointDir;
use crate::checkpoint::checkpoint_layer::write_layer_file;
use crate::error::TableError;
use crate::format::info::{LayerInfo, max_block_bytes};

impl CheckpointDir {
    /// Writes a layer whose runs were encoded elsewhere.
    ///
    /// `coder` is what [`LayerEncoding::choose_coder`] returned. `next_run` is called for each run
    /// of the layer in ascending order, and returns what
    /// [`BlockEncoder::encode_run`](crate::BlockEncoder::encode_run) returned for it.
    ///
    /// # Errors
    /// - The error of `next_run`. No file is written then.
    /// - [`TableError::Damaged`] if the coder or a run is not one of this layer.
    /// - [`TableError::Unfit`] if the encoding has another layout.
    /// - [`TableError::Checkpoint`] if the file cannot be written.
    pub fn put_layer_parts<E: From<TableError>>(
        &self,
        encoding: &LayerEncoding<'_>,
        coder: &[u8],
        next_run: &mut dyn FnMut(u64) -> Result<Vec<u8>, E>,
    ) -> Result<(), E> {
        if encoding.layout != self.layout() {
            let error = encoding.shape.unfit_error("it is encoded in another layout");
            return Err(error.into());
        }
        let mut refused = None;
        let mut next_run = |run: u64| {
            next_run(run).map_err(|error| {
                refused = Some(error);
                TableError::Stopped
            })
        };
        let identity = encoding.identity();
        let put = self.put_layer(identity.layer, |out| {
            write_layer_file(out, identity, |out| write_runs(encoding, coder, &mut next_run, out))
        });
        refused.map_or(put.map_err(E::from), Err)
    }
}

/// Writes blocks, coder and index.
fn write_runs(
    encoding: &LayerEncoding<'_>,
    coder_bytes: &[u8],
    next_run: &mut dyn FnMut(u64) -> Result<Vec<u8>, TableError>,
    out: &mut impl Write,
) -> Result<LayerInfo, TableError> {
    let coder = encoding.coder(coder_bytes)?;
    let block_ranks = coder.block_ranks(encoding.alphabet().symbol_layout);
    drop(coder);
    let shape = &encoding.shape;
    let longest = max_block_bytes(block_ranks, encoding.layout);
    let mut sections = LayerSections::new(out, coder_bytes, block_ranks);
    for run in 0..shape.runs() {
        let ordinals = blocks_of_run(shape.run(run), block_ranks);
        let bytes = next_run(run)?;
        let count = ordinals.clone().count();
        let blocks = take_run(&bytes, shape.layer(), run, count, longest)?;
        for (ordinals, block) in ordinals.zip(blocks) {
            let first = shape.address(ordinals.start);
            sections.put_block(first.expect("an ordinal of the layer"), block)?;
        }
    }
    Ok(encoding.info(sections.finish()?))
}
