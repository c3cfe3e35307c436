//! Parts of games whose tiers are pairs of squares: whole tiers for each worker.
//!
//! Tiers of a layer are independent. A worker that has solved a tier lowers the exit codes of its
//! own tiers of the next layer, and sends the table once to each worker that owns another tier
//! before it. So nothing is looked up, and a worker keeps its parts of two layers.

mod send;
mod step;
mod tier_index;

use std::time::{Duration, Instant};

use hindsight_core::PackedGame;
use hindsight_solve::pawn_pairs::{NO_EXIT, PairTierSolver, palette};
use hindsight_tablebase::RUN_RANKS;

use crate::error::ClusterError;
use crate::layers::{PartSolver, SolvedPart, Tools, commit};
use crate::ranks::Deal;
use crate::shapes::Shapes;
use crate::store::{LayerParts, Reload, SolvePoint};
pub(crate) use send::TABLE_BYTES;
use send::TableBuffers;
use step::PairStep;
pub(crate) use tier_index::TierIndex;

/// Passes over a layer of many ranks; unfinished work is kept between two. Passes are cut by
/// ordinals, so that they do not depend on the number of workers.
const PASSES: u32 = 8;
/// Ranks below which a layer takes one pass.
const RANKS_OF_ONE_PASS: u64 = 1 << 16;

/// Solver of a worker's tiers.
pub(crate) struct PairParts<'a> {
    shapes: &'a Shapes,
    solver: PairTierSolver<'a>,
    tier_ranks: u64,
    workers: usize,
    worker: usize,
    /// Codes of the own tiers of the layer in work: values of those that are solved, exit codes of
    /// the others.
    codes: Vec<u8>,
    /// Exit codes of the own tiers of the next layer.
    next: Vec<u8>,
    /// Passes over the layer that an earlier run has done.
    passes_done: u32,
    /// Time between two commits within a layer.
    commit_interval: Duration,
    last_commit: Instant,
}

/// Deal of the tiers of a layer, in runs of whole tiers that are at least [`RUN_RANKS`] long.
pub(crate) fn pair_deal(ranks: u64, tier_ranks: u64, workers: usize) -> Deal {
    /// Runs of a worker, if there are enough tiers. With fewer and longer runs more of the tiers
    /// before a tier belong to its own worker; with more and shorter ones the times are more even.
    const RUNS: u64 = 8;
    let tiers = ranks / tier_ranks.max(1);
    let least = RUN_RANKS.div_ceil(tier_ranks.max(1));
    let run = least.max(tiers.div_ceil(RUNS * workers as u64));
    Deal::new(ranks, run * tier_ranks.max(1), workers)
}

impl<'a> PairParts<'a> {
    pub(crate) fn new(
        game: &'a PackedGame,
        shapes: &'a Shapes,
        tools: &Tools<'_, '_>,
        commit_interval: Duration,
    ) -> Self {
        let solver = PairTierSolver::new(game);
        let mut parts = Self {
            shapes,
            tier_ranks: solver.tier_ranks() as u64,
            solver,
            workers: tools.steps.workers(),
            worker: tools.steps.worker(),
            codes: Vec::new(),
            next: Vec::new(),
            passes_done: 0,
            commit_interval,
            last_commit: Instant::now(),
        };
        parts.codes = parts.no_exits(0);
        parts
    }

    /// Takes up what an earlier run has left.
    pub(crate) fn reload(
        &mut self,
        reload: &mut Reload<'_>,
        tools: &mut Tools<'_, '_>,
    ) -> Result<(), ClusterError> {
        let SolvePoint { layer, pass } = reload.point();
        if layer >= self.shapes.len() {
            return Ok(());
        }
        let tier_ranks = self.tier_ranks;
        let deal = |ranks| move |workers| pair_deal(ranks, tier_ranks, workers);
        self.codes = reload.array(tools.steps, 0, &deal(self.shapes.ranks(layer)))?;
        if pass > 0 {
            let ranks = self.ranks_or_none(layer + 1);
            self.next = reload.array(tools.steps, 1, &deal(ranks))?;
        }
        self.passes_done = pass;
        if let (Some(parts), false) = (&tools.parts, reload.is_own()) {
            parts.keep_arrays(reload.point(), &[&self.codes, &self.next])?;
        }
        Ok(())
    }

    /// Ranks of a layer; 0 after the last.
    fn ranks_or_none(&self, layer: u32) -> u64 {
        if layer < self.shapes.len() { self.shapes.ranks(layer) } else { 0 }
    }

    fn deal(&self, layer: u32) -> Deal {
        pair_deal(self.ranks_or_none(layer), self.tier_ranks, self.workers)
    }

    /// Exit codes of the own tiers of a layer before any is lowered.
    fn no_exits(&self, layer: u32) -> Vec<u8> {
        vec![NO_EXIT; self.deal(layer).part_len(self.worker) as usize]
    }

    fn passes(&self, layer: u32) -> u32 {
        match self.ranks_or_none(layer) {
            0..RANKS_OF_ONE_PASS => 1,
            _ => PASSES,
        }
    }

    /// Keeps the work on a layer now and then, if there is a checkpoint.
    fn keep(&mut self, point: SolvePoint, tools: &mut Tools<'_, '_>) -> Result<(), ClusterError> {
        let Some(parts) = &tools.parts else {
            return Ok(());
        };
        let is_due = self.last_commit.elapsed() >= self.commit_interval;
        if tools.steps.broadcast(vec![is_due.into()])? == [0] {
            return Ok(());
        }
        parts.keep_arrays(point, &[&self.codes, &self.next])?;
        commit(tools, point)?;
        self.last_commit = Instant::now();
        Ok(())
    }
}

impl PartSolver for PairParts<'_> {
    fn solve(&mut self, layer: u32, tools: &mut Tools<'_, '_>) -> Result<SolvedPart, ClusterError> {
        let deal = self.deal(layer);
        if self.passes_done == 0 {
            self.next = self.no_exits(layer + 1);
        }
        let above_deal = self.deal(layer + 1);
        let above = if layer + 1 < self.shapes.len() {
            TierIndex::new(&self.shapes.layer(layer + 1).tiers)
        } else {
            TierIndex::default()
        };
        let passes = self.passes(layer);
        let mut buffers = TableBuffers::new(self.workers);
        for pass in self.passes_done..passes {
            let tiers = deal.part_len(self.worker) / self.tier_ranks;
            let all = deal.ordinals() / self.tier_ranks;
            let bound = |pass: u32| {
                let ordinal = all * u64::from(pass) / u64::from(passes) * self.tier_ranks;
                deal.places_before(self.worker, ordinal) / self.tier_ranks
            };
            let mut step = PairStep {
                solver: &mut self.solver,
                shape: self.shapes.layer(layer),
                deal,
                above: &above,
                above_deal,
                worker: self.worker,
                codes: &mut self.codes,
                next: &mut self.next,
                buffers: &mut buffers,
                work: &mut tools.work,
                tiers: bound(pass)..bound(pass + 1),
                all_tiers: tiers,
                before: Vec::new(),
                owners: Vec::new(),
            };
            tools.steps.run(&mut step)?;
            if pass + 1 < passes {
                let pass = pass + 1;
                self.keep(SolvePoint { layer, pass }, tools)?;
            }
        }
        self.passes_done = 0;
        Ok(SolvedPart { deal, codes: std::mem::take(&mut self.codes), palette: palette() })
    }

    fn finish(
        &mut self,
        layer: u32,
        part: SolvedPart,
        parts: Option<&LayerParts<'_>>,
    ) -> Result<(), ClusterError> {
        drop(part);
        self.codes = std::mem::take(&mut self.next);
        let point = SolvePoint { layer: layer + 1, pass: 0 };
        if let Some(parts) = parts.filter(|_| point.layer < self.shapes.len()) {
            parts.keep_arrays(point, &[&self.codes, &[]])?;
        }
        self.last_commit = Instant::now();
        Ok(())
    }

    fn forget(&mut self, _: u32, _: Option<&LayerParts<'_>>) -> Result<(), ClusterError> {
        Ok(())
    }
}
