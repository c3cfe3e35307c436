//! Loop over the layers of a game, in one worker.

use std::time::{Duration, Instant};

use hindsight_core::{PackedGame, Value};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, Damage};
use hindsight_engine::{Histogram, Palette};
use hindsight_tablebase::LayerTally;

use crate::engine::Steps;
use crate::error::ClusterError;
use crate::ranks::Deal;
use crate::report::LayerShare;
use crate::shapes::Shapes;
use crate::store::{LayerParts, SolvePoint, tally_key};
use crate::table::{OwnPart, TableOfLayers};
use crate::task::WorkCounts;

/// Solver of the parts that a worker owns, layer after layer.
pub(crate) trait PartSolver {
    /// Solves the own part of a layer, together with all other workers.
    fn solve(&mut self, layer: u32, tools: &mut Tools<'_, '_>) -> Result<SolvedPart, ClusterError>;

    /// Takes a layer that was counted and stored. With a checkpoint, keeps what the next layers
    /// need of it.
    fn finish(
        &mut self,
        layer: u32,
        part: SolvedPart,
        parts: Option<&LayerParts<'_>>,
    ) -> Result<(), ClusterError>;

    /// Forgets what the layers from `next` on do not need.
    fn forget(&mut self, next: u32, parts: Option<&LayerParts<'_>>) -> Result<(), ClusterError>;
}

/// Tools of a worker.
pub(crate) struct Tools<'t, 'w> {
    pub(crate) steps: &'t mut Steps<'w>,
    pub(crate) work: WorkCounts,
    /// Where unfinished parts are kept.
    pub(crate) parts: Option<LayerParts<'t>>,
}

/// Part of a solved layer.
pub(crate) struct SolvedPart {
    pub(crate) deal: Deal,
    pub(crate) codes: Vec<u8>,
    pub(crate) palette: Palette,
}

/// Places where counts and layers are stored; `counts` is given in worker 0 alone.
#[derive(Clone, Copy, Default)]
pub(crate) struct LayerFiles<'a> {
    /// Blobs of the checkpoint, for the counts of finished layers.
    pub(crate) counts: Option<&'a dyn Blobs>,
    /// Destination of the layers of the table; all workers have one or none has.
    pub(crate) table: Option<TableOfLayers<'a>>,
}

/// Counts of all layers.
#[derive(Debug, Default)]
pub(crate) struct LayerCounts {
    pub(crate) start: Option<Value>,
    pub(crate) histogram: Histogram,
    pub(crate) table_time: Duration,
}

impl LayerCounts {
    fn add(&mut self, tally: &LayerTally) {
        self.start = self.start.or(tally.start());
        self.histogram.merge(&tally.histogram());
    }
}

/// Solves the layers from `from` on. In worker 0 the counts are those of all layers.
pub(crate) fn solve_layers(
    game: &PackedGame,
    shapes: &Shapes,
    from: u32,
    files: LayerFiles<'_>,
    tools: &mut Tools<'_, '_>,
    solver: &mut dyn PartSolver,
) -> Result<LayerCounts, ClusterError> {
    let mut counts = LayerCounts::default();
    if let Some(blobs) = files.counts {
        for layer in 0..from {
            counts.add(&read_tally(blobs, layer)?);
        }
    }
    for layer in 0..shapes.len() {
        let shape = shapes.layer(layer);
        tools.steps.report.begin_layer(shapes.ranks(layer));
        if layer < from {
            continue;
        }
        let solved = solver.solve(layer, tools)?;
        let worker = tools.steps.worker();
        tools.work.ranks += solved.deal.part_len(worker);
        let own = OwnPart {
            game,
            shape,
            deal: solved.deal,
            worker,
            codes: &solved.codes,
            palette: &solved.palette,
        };
        let tally = own.count(tools.steps)?;
        counts.add(&tally);
        if let Some(table) = &files.table {
            let begin = Instant::now();
            tools.steps.report.share(LayerShare { phase: "writing the table", done: 1.0 })?;
            own.write(tools.steps, &tally, table)?;
            counts.table_time += begin.elapsed();
        }
        if let Some(blobs) = files.counts {
            let key = tally_key(layer);
            packed::put(blobs, &key, &tally.to_bytes(), PackedArray::Bytes(&[]))?;
        }
        solver.finish(layer, solved, tools.parts.as_ref())?;
        commit(tools, SolvePoint { layer: layer + 1, pass: 0 })?;
        solver.forget(layer + 1, tools.parts.as_ref())?;
    }
    Ok(counts)
}

/// Commits a point once all workers have kept their parts, if there is a checkpoint.
pub(crate) fn commit(tools: &mut Tools<'_, '_>, point: SolvePoint) -> Result<(), ClusterError> {
    let Some(parts) = &tools.parts else {
        return Ok(());
    };
    tools.steps.agree(Vec::new(), |_| {
        parts.commit(point)?;
        Ok(Vec::new())
    })?;
    parts.forget_before(point)
}

/// Reads the counts of a finished layer.
fn read_tally(blobs: &dyn Blobs, layer: u32) -> Result<LayerTally, ClusterError> {
    /// Longest counts in bytes: 256 values with an address each.
    const MAX_BYTES: usize = 1 << 16;
    let key = tally_key(layer);
    let blob = packed::get(blobs, &key, MAX_BYTES)?;
    let blob = blob.ok_or_else(|| Damage(format!("{} is missing", blobs.name(&key))))?;
    Ok(LayerTally::from_bytes(&blob.fields)?)
}
