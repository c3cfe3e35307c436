//! Runs of a layer that a worker encodes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use hindsight_engine::Palette;
use hindsight_engine::checkpoint::Damage;
use hindsight_tablebase::{LayerPiece, RUN_RANKS};

use super::own_part::OwnPart;
use crate::engine::{ParcelHead, Post, Step, Steps};
use crate::error::ClusterError;
use crate::ranks::Deal;

/// Runs whose first ordinal a worker owns, with what other workers own of them.
pub(super) struct OwnRuns<'a> {
    deal: Deal,
    worker: usize,
    codes: &'a [u8],
    pub(super) palette: &'a Palette,
    /// Ends of runs that other workers own.
    tails: HashMap<u64, Vec<u8>>,
}

impl<'a> OwnRuns<'a> {
    /// Sends the beginning of each own stretch to the worker that encodes it, and gets the tails of
    /// the own runs. A stretch of a deal is at least as long as a run.
    pub(super) fn collect(part: &OwnPart<'a>, steps: &mut Steps<'_>) -> Result<Self, ClusterError> {
        let mut runs = Self {
            deal: part.deal,
            worker: part.worker,
            codes: part.codes,
            palette: part.palette,
            tails: HashMap::new(),
        };
        steps.run(&mut TailStep { runs: &mut runs, next: 0 })?;
        Ok(runs)
    }

    fn ordinals(&self, run: u64) -> Range<u64> {
        let begin = run * RUN_RANKS;
        begin..self.deal.ordinals().min(begin + RUN_RANKS)
    }

    /// Worker that encodes a run.
    pub(super) fn encoder(&self, run: u64) -> usize {
        self.deal.place(run * RUN_RANKS).worker
    }

    /// Own runs, ascending.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let stretches = 0..self.deal.runs(self.worker);
        stretches.flat_map(|stretch| {
            let ordinals = self.deal.ordinals_of_run(self.worker, stretch);
            ordinals.start.div_ceil(RUN_RANKS)..ordinals.end.div_ceil(RUN_RANKS)
        })
    }

    pub(super) fn codes(&self, run: u64) -> Result<Cow<'a, [u8]>, ClusterError> {
        let ordinals = self.ordinals(run);
        let len = (ordinals.end - ordinals.start) as usize;
        let begin = self.deal.place(ordinals.start).index as usize;
        let stretch = self.deal.stretch_end(ordinals.start);
        if stretch >= ordinals.end {
            return Ok(Cow::Borrowed(&self.codes[begin..begin + len]));
        }
        let own = (stretch - ordinals.start) as usize;
        let mut codes = self.codes[begin..begin + own].to_vec();
        codes.extend(self.tails.get(&run).into_iter().flatten());
        if codes.len() == len {
            Ok(Cow::Owned(codes))
        } else {
            Err(ClusterError::damaged(Damage("a run without its end".into())))
        }
    }

    pub(super) fn piece<'p>(&'p self, run: u64, codes: &'p [u8]) -> LayerPiece<'p> {
        LayerPiece { first: run * RUN_RANKS, codes, palette: self.palette }
    }
}

/// Step in which the ends of runs reach the workers that encode them.
struct TailStep<'s, 'a> {
    runs: &'s mut OwnRuns<'a>,
    /// Next own stretch.
    next: u64,
}

impl Step for TailStep<'_, '_> {
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
        let (deal, worker) = (self.runs.deal, self.runs.worker);
        if self.next == deal.runs(worker) {
            return Ok(false);
        }
        let ordinals = deal.ordinals_of_run(worker, self.next);
        let places = deal.places_of_run(worker, self.next);
        self.next += 1;
        let end = ordinals.start.next_multiple_of(RUN_RANKS).min(ordinals.end);
        let len = (end - ordinals.start) as usize;
        if len > 0 {
            let run = ordinals.start / RUN_RANKS;
            let tail = self.runs.codes[places.start..places.start + len].to_vec();
            match self.runs.encoder(run) {
                own if own == worker => {
                    self.runs.tails.insert(run, tail);
                }
                other => post.send(other, 0, run, tail),
            }
        }
        Ok(true)
    }

    fn receive(&mut self, head: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        self.runs.tails.insert(head.tag, body.to_vec());
        Ok(Vec::new())
    }
}
