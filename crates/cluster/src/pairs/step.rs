//! A pass over some of the tiers that a worker owns.

use std::ops::Range;

use hindsight_engine::Layer;
use hindsight_engine::checkpoint::Damage;
use hindsight_solve::pawn_pairs::PairTierSolver;

use super::send::{TableBuffers, tables};
use super::tier_index::TierIndex;
use crate::engine::{ParcelHead, Post, Step};
use crate::error::ClusterError;
use crate::ranks::Deal;
use crate::report::LayerShare;
use crate::task::WorkCounts;

/// Tiers of a portion.
const PORTION: u64 = 128;

/// Step that solves own tiers and lowers the exit codes of the tiers before them.
pub(super) struct PairStep<'s, 'g> {
    pub(super) solver: &'s mut PairTierSolver<'g>,
    /// Tiers of the layer.
    pub(super) shape: &'s Layer,
    pub(super) deal: Deal,
    /// Tiers of the next layer, and their deal.
    pub(super) above: &'s TierIndex,
    pub(super) above_deal: Deal,
    pub(super) worker: usize,
    /// Codes of the own tiers of the layer.
    pub(super) codes: &'s mut [u8],
    /// Exit codes of the own tiers of the next layer.
    pub(super) next: &'s mut [u8],
    pub(super) buffers: &'s mut TableBuffers,
    pub(super) work: &'s mut WorkCounts,
    /// Own tiers to be solved, counted through the part.
    pub(super) tiers: Range<u64>,
    /// Number of all own tiers.
    pub(super) all_tiers: u64,
    /// Tiers before the one that was solved last, and the other workers that own some.
    pub(super) before: Vec<u64>,
    pub(super) owners: Vec<usize>,
}

impl PairStep<'_, '_> {
    /// Solves the own tier with a number, and tells the tiers before it.
    fn solve(&mut self, number: u64, post: &mut Post) -> Result<(), ClusterError> {
        let ranks = self.solver.tier_ranks();
        let begin = number as usize * ranks;
        let ordinal = self.deal.ordinal(self.worker, begin as u64);
        let index = (ordinal / ranks as u64) as u32;
        let tier = self.shape.tiers[index as usize];
        let table = &mut self.codes[begin..begin + ranks];
        self.solver.solve(tier, table)?;
        self.solver.tiers_before(tier, &mut self.before);
        let mut is_own = false;
        self.owners.clear();
        for &before in &self.before {
            let Some(above) = self.above.get(before) else {
                continue;
            };
            self.work.edges += ranks as u64 / 2;
            let owner = self.above_deal.place(above * ranks as u64).worker;
            if owner == self.worker {
                is_own = true;
                continue;
            }
            self.work.edges_away += ranks as u64 / 2;
            if !self.owners.contains(&owner) {
                self.owners.push(owner);
                self.buffers.add(owner, index, &self.codes[begin..begin + ranks], post);
            }
        }
        if is_own {
            self.lower(tier, begin..begin + ranks);
        }
        Ok(())
    }

    fn lower(&mut self, tier: u64, table: Range<usize>) {
        let finder = OwnTiers::new(self);
        self.solver.lower(tier, &self.codes[table], self.next, &mut |before| finder.offset(before));
    }
}

/// Finder of the exit codes of own tiers of the next layer.
struct OwnTiers<'a> {
    above: &'a TierIndex,
    deal: Deal,
    worker: usize,
    ranks: u64,
}

impl<'a> OwnTiers<'a> {
    fn new(step: &PairStep<'a, '_>) -> Self {
        Self {
            above: step.above,
            deal: step.above_deal,
            worker: step.worker,
            ranks: step.solver.tier_ranks() as u64,
        }
    }

    #[inline]
    fn offset(&self, tier: u64) -> Option<usize> {
        let place = self.deal.place(self.above.get(tier)? * self.ranks);
        (place.worker == self.worker).then_some(place.index as usize)
    }
}

impl Step for PairStep<'_, '_> {
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
        let end = self.tiers.end.min(self.tiers.start + PORTION);
        while self.tiers.start < end {
            self.solve(self.tiers.start, post)?;
            self.tiers.start += 1;
        }
        if self.tiers.start < self.tiers.end {
            return Ok(true);
        }
        self.buffers.send_all(post);
        Ok(false)
    }

    fn share(&self) -> Option<LayerShare> {
        Some(LayerShare {
            phase: "solving",
            done: self.tiers.start as f64 / self.all_tiers.max(1) as f64,
        })
    }

    fn receive(&mut self, _: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        if !body.len().is_multiple_of(4 + self.solver.tier_ranks()) {
            let damage = Damage("a table of another length".into());
            return Err(ClusterError::damaged(damage));
        }
        let finder = OwnTiers::new(self);
        for sent in tables(body, self.solver.tier_ranks()) {
            let tier = self.shape.tiers.get(sent.index as usize);
            let tier =
                *tier.ok_or_else(|| ClusterError::damaged(Damage("a table of no tier".into())))?;
            self.solver.lower(tier, sent.table, self.next, &mut |before| finder.offset(before));
        }
        Ok(Vec::new())
    }
}
