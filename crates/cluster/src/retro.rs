//! Parts of games whose moves can be taken back.

use hindsight_core::PackedGame;
use hindsight_tablebase::RUN_RANKS;

use crate::error::ClusterError;
use crate::layers::{PartSolver, SolvedPart, Tools};
use crate::ranks::Deal;
use crate::shapes::Shapes;
use crate::store::{LayerParts, Reload, SolvePoint};
use crate::tier::{FinishedPart, LayerContext, StartedPart, solve_layer};

/// Solver of a worker's parts by plies.
pub(crate) struct RetroParts<'a> {
    game: &'a PackedGame,
    shapes: &'a Shapes,
    workers: usize,
    worker: usize,
    /// Own parts of the layers that are looked up.
    finished: Vec<FinishedPart<'a>>,
    /// Part of the layer in which an earlier run was stopped.
    started: Option<StartedPart>,
}

impl<'a> RetroParts<'a> {
    pub(crate) fn new(game: &'a PackedGame, shapes: &'a Shapes, tools: &Tools<'_, '_>) -> Self {
        Self {
            game,
            shapes,
            workers: tools.steps.workers(),
            worker: tools.steps.worker(),
            finished: Vec::new(),
            started: None,
        }
    }

    /// Takes up what an earlier run has left.
    pub(crate) fn reload(
        &mut self,
        reload: &mut Reload<'_>,
        tools: &mut Tools<'_, '_>,
    ) -> Result<(), ClusterError> {
        let SolvePoint { layer, pass } = reload.point();
        for earlier in 0..layer.min(self.shapes.len()) {
            if !self.shapes.is_used_after(earlier, layer - 1) {
                continue;
            }
            let deal = self.deal(earlier);
            let part = reload.finished(tools.steps, earlier, deal)?;
            if let (Some(parts), false) = (&tools.parts, reload.is_own()) {
                parts.keep_finished(earlier, &part.codes, &part.palette)?;
            }
            self.keep(earlier, part);
        }
        if pass > 0 {
            let part = reload.part(tools.steps, self.deal(layer))?;
            if let (Some(parts), false) = (&mut tools.parts, reload.is_own()) {
                parts.begin_layer(self.deal(layer).part_len(self.worker));
                parts.keep_pass(&part, reload.point())?;
            }
            self.started = Some(StartedPart { part, pass });
        }
        Ok(())
    }

    fn deal(&self, layer: u32) -> Deal {
        Deal::new(self.shapes.ranks(layer), RUN_RANKS, self.workers)
    }

    fn keep(&mut self, layer: u32, part: SolvedPart) {
        self.finished.push(FinishedPart {
            shape: self.shapes.layer(layer),
            deal: part.deal,
            codes: part.codes,
            palette: part.palette,
        });
    }
}

impl PartSolver for RetroParts<'_> {
    fn solve(&mut self, layer: u32, tools: &mut Tools<'_, '_>) -> Result<SolvedPart, ClusterError> {
        let context = LayerContext {
            game: self.game,
            shape: self.shapes.layer(layer),
            deal: self.deal(layer),
            worker: self.worker,
            workers: self.workers,
            finished: &self.finished,
        };
        let part = solve_layer(&context, tools, self.started.take())?;
        Ok(SolvedPart { deal: context.deal, palette: part.values.palette(), codes: part.codes })
    }

    fn finish(
        &mut self,
        layer: u32,
        part: SolvedPart,
        parts: Option<&LayerParts<'_>>,
    ) -> Result<(), ClusterError> {
        if self.shapes.is_used_after(layer, layer) {
            if let Some(parts) = parts {
                parts.keep_finished(layer, &part.codes, &part.palette)?;
            }
            self.keep(layer, part);
        }
        Ok(())
    }

    fn forget(&mut self, next: u32, parts: Option<&LayerParts<'_>>) -> Result<(), ClusterError> {
        let is_needed = |layer: u32| self.shapes.is_used_after(layer, next - 1);
        for finished in &self.finished {
            let layer = finished.shape.layer;
            if let (Some(parts), false) = (parts, is_needed(layer)) {
                parts.forget_finished(layer)?;
            }
        }
        let shapes = self.shapes;
        self.finished.retain(|finished| shapes.is_used_after(finished.shape.layer, next - 1));
        Ok(())
    }
}
