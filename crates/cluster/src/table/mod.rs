//! Writing of a finished layer to the table, by all workers.
//!
//! The ordinals of a layer are cut into runs of [`RUN_RANKS`], which blocks of a table never cross.
//! The worker that owns the first ordinal of a run encodes it. Where its part ends within the run,
//! the owner of the rest sends it first. Process 0 chooses the coder by a sample, and puts the
//! encoded runs in order.

mod encode;
mod own_part;
mod runs;
mod sample;

use hindsight_tablebase::{
    CheckpointDir, LayerEncoding, LayerPiece, LayerShape, LayerTally, Layout,
};

use crate::engine::Steps;
use crate::error::ClusterError;
use encode::encode_layer;
pub(crate) use own_part::OwnPart;
use runs::OwnRuns;
use sample::choose_coder;

impl OwnPart<'_> {
    /// Counts the values of the whole layer. All workers get the counts of all.
    pub(crate) fn count(&self, steps: &mut Steps<'_>) -> Result<LayerTally, ClusterError> {
        let shape = LayerShape::new(self.game, self.shape)?;
        let mut tally = LayerTally::default();
        for run in 0..self.deal.runs(self.worker) {
            let piece = LayerPiece {
                first: self.deal.ordinals_of_run(self.worker, run).start,
                codes: &self.codes[self.deal.places_of_run(self.worker, run)],
                palette: self.palette,
            };
            tally.merge(&LayerTally::count(&shape, piece)?);
            steps.report.again()?;
        }
        let all = steps.agree(tally.to_bytes(), |all| {
            let mut joined = LayerTally::default();
            for bytes in all {
                joined.merge(&LayerTally::from_bytes(&bytes)?);
            }
            Ok(joined.to_bytes())
        })?;
        Ok(LayerTally::from_bytes(&all)?)
    }

    /// Writes the layer to the folder of process 0, which its first worker gives.
    pub(crate) fn write(
        &self,
        steps: &mut Steps<'_>,
        tally: &LayerTally,
        to: &TableOfLayers<'_>,
    ) -> Result<(), ClusterError> {
        let shape = LayerShape::new(self.game, self.shape)?;
        let encoding = LayerEncoding::new(shape, to.layout, tally)?;
        let runs = OwnRuns::collect(self, steps)?;
        let coder = choose_coder(&encoding, &runs, steps, to.memory)?;
        encode_layer(&encoding, &coder, &runs, steps, to.folder)
    }
}

/// Destination of finished layers.
#[derive(Clone, Copy)]
pub(crate) struct TableOfLayers<'a> {
    pub(crate) layout: Layout,
    /// Bytes that process 0 may take besides its parts.
    pub(crate) memory: u64,
    /// Folder of process 0; `None` in all workers but its first.
    pub(crate) folder: Option<&'a CheckpointDir>,
}
