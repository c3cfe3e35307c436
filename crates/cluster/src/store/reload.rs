//! Parts of an earlier run, given to the workers that own them now.

use hindsight_engine::checkpoint::{Blobs, CheckpointError};
use hindsight_tablebase::{CheckpointDir, RUN_RANKS};

use super::folders::{Commit, ProcessFolder, SolvePoint};
use super::keys::Owner;
use super::parts::{LogEntry, read_array, read_finished, read_part};
use super::redeal::{NewPart, OldPart, Redeal, RedealStep, meanings_of};
use super::resume::{ProcessPlace, Resumed};
use crate::engine::Steps;
use crate::error::ClusterError;
use crate::layers::SolvedPart;
use crate::ranks::Deal;
use crate::tier::{TierPart, apply};

/// Reader of the parts of an earlier run, in one worker.
pub(crate) struct Reload<'a> {
    resumed: &'a Resumed,
    /// Blobs of this process.
    own: &'a dyn Blobs,
    place: ProcessPlace,
    worker: usize,
    /// True in the first worker of a process, which reads for all.
    is_reader: bool,
}

impl<'a> Reload<'a> {
    pub(crate) fn new(
        resumed: &'a Resumed,
        folder: &'a ProcessFolder,
        place: ProcessPlace,
        worker: usize,
    ) -> Self {
        Self {
            resumed,
            own: folder.own().blobs(),
            place,
            worker,
            is_reader: worker.is_multiple_of(place.threads),
        }
    }

    /// Point from which the solve goes on.
    pub(crate) fn point(&self) -> SolvePoint {
        self.resumed.commit.point
    }

    /// Commit of the earlier run.
    pub(crate) fn commit(&self) -> Commit {
        self.resumed.commit
    }

    /// True if the parts are dealt as before, so that each worker has its own.
    pub(crate) fn is_own(&self) -> bool {
        let commit = self.resumed.commit;
        (commit.processes, commit.threads) == (self.place.processes, self.place.threads)
    }

    /// True if this worker reads parts of workers of another number.
    pub(crate) fn takes_over(&self) -> bool {
        !self.is_own() && !self.old_workers().is_empty()
    }

    /// Deal of the same ordinals in the earlier run.
    fn old_deal(&self, deal: Deal) -> Deal {
        Deal::new(deal.ordinals(), RUN_RANKS, self.resumed.commit.workers())
    }

    /// Workers of the earlier run whose parts this worker reads, and their folders.
    fn old_workers(&self) -> Vec<(usize, &dyn Blobs)> {
        let threads = self.resumed.commit.threads;
        let workers = |process: usize| process * threads..(process + 1) * threads;
        if !self.is_reader {
            return Vec::new();
        }
        if self.resumed.commit.processes == self.place.processes {
            return workers(self.place.process).map(|worker| (worker, self.own)).collect();
        }
        let sources = self.resumed.sources.iter();
        let all = sources.flat_map(|source| {
            let blobs = |folder: &'a CheckpointDir| folder.blobs() as &dyn Blobs;
            workers(source.seen.process).map(move |worker| (worker, blobs(&source.folder)))
        });
        all.collect()
    }

    /// Deals the parts of an earlier run out again. `read` reads the part of one of its workers.
    fn redeal(
        &self,
        steps: &mut Steps<'_>,
        deals: Redeal,
        mut part: NewPart,
        read: &dyn Fn(&dyn Blobs, usize) -> Result<OldPart, ClusterError>,
    ) -> Result<NewPart, ClusterError> {
        let mut old_workers = self.old_workers().into_iter();
        let mut load = || {
            let next = old_workers.next();
            next.map(|(worker, blobs)| read(blobs, worker)).transpose()
        };
        steps.run(&mut RedealStep {
            deals,
            worker: self.worker,
            load: &mut load,
            part: &mut part,
            current: None,
        })?;
        Ok(part)
    }

    /// Owner of the part of a worker of the earlier run.
    fn owner(&self, worker: usize) -> Owner {
        Owner { worker, workers: self.resumed.commit.workers() }
    }

    /// Own part of the layer in work, at the point.
    pub(crate) fn part(&self, steps: &mut Steps<'_>, deal: Deal) -> Result<TierPart, ClusterError> {
        let point = self.point();
        let read = |blobs: &dyn Blobs, deal: Deal, worker: usize| {
            let mut apply = |part: &mut TierPart, entry: LogEntry<'_>| {
                // The pass before which the log was kept is two after its ply.
                let ply = (entry.pass - 2) as u16;
                apply(part, entry.kind, ply, entry.list)
            };
            let places = deal.part_len(worker);
            read_part(blobs, self.owner(worker), point, places, &mut apply)
        };
        if self.is_own() {
            return read(self.own, deal, self.worker);
        }
        let old = self.old_deal(deal);
        let new = NewPart::new(deal.part_len(self.worker), true);
        let part = self.redeal(steps, Redeal { old, new: deal }, new, &|blobs, worker| {
            let part = read(blobs, old, worker)?;
            Ok(OldPart {
                worker,
                meanings: Some(part.values.assigned()),
                codes: part.codes,
                counts: part.counts,
            })
        })?;
        Ok(TierPart::restored(part.values, part.codes, part.counts))
    }

    /// Own part of a finished layer.
    pub(crate) fn finished(
        &self,
        steps: &mut Steps<'_>,
        layer: u32,
        deal: Deal,
    ) -> Result<SolvedPart, ClusterError> {
        if self.is_own() {
            let (own, places) = (self.owner(self.worker), deal.part_len(self.worker));
            let part = read_finished(self.own, own, layer, places)?;
            return Ok(SolvedPart { deal, codes: part.codes, palette: part.palette });
        }
        let old = self.old_deal(deal);
        let new = NewPart::new(deal.part_len(self.worker), false);
        let part = self.redeal(steps, Redeal { old, new: deal }, new, &|blobs, worker| {
            let places = old.part_len(worker);
            let kept = read_finished(blobs, self.owner(worker), layer, places)?;
            let meanings = meanings_of(&kept.palette).ok_or_else(|| {
                CheckpointError::damaged(&blobs.name("finished"), "a code has no value")
            })?;
            Ok(OldPart { worker, meanings: Some(meanings), codes: kept.codes, counts: Vec::new() })
        })?;
        Ok(SolvedPart { deal, palette: part.values.palette(), codes: part.codes })
    }

    /// Own part of an array that was kept, whose codes mean the same everywhere. `deal` deals it to
    /// a number of workers.
    pub(crate) fn array(
        &self,
        steps: &mut Steps<'_>,
        number: usize,
        deal: &dyn Fn(usize) -> Deal,
    ) -> Result<Vec<u8>, ClusterError> {
        let point = self.point();
        let (old, new) = (deal(self.resumed.commit.workers()), deal(steps.workers()));
        let read = |blobs: &dyn Blobs, worker: usize| {
            let places = old.part_len(worker);
            read_array(blobs, self.owner(worker), point, number, places)
        };
        if self.is_own() {
            return read(self.own, self.worker);
        }
        let part = NewPart::new(new.part_len(self.worker), false);
        let part = self.redeal(steps, Redeal { old, new }, part, &|blobs, worker| {
            Ok(OldPart { worker, meanings: None, codes: read(blobs, worker)?, counts: Vec::new() })
        })?;
        Ok(part.codes)
    }
}
