//! Agreement of all processes on the point from which a solve goes on.

use std::fs::{self, File};
use std::io;

use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::{Blobs, CheckpointError};
use hindsight_tablebase::CheckpointDir;

use super::folders::{Commit, ProcessFolder, SeenFolder};
use super::keys::COMMIT;
use crate::engine::Steps;
use crate::error::ClusterError;

/// Work of an earlier run, from which a solve goes on.
pub(crate) struct Resumed {
    pub(crate) commit: Commit,
    /// Folders of the earlier run that this process reads, with the number of their process; empty
    /// if the number of processes is the same.
    pub(crate) sources: Vec<Source>,
}

/// Folder of a process of an earlier run.
pub(crate) struct Source {
    pub(crate) seen: SeenFolder,
    pub(crate) folder: CheckpointDir,
}

/// Plan on which all agree: which folders are read, and by which process each.
#[derive(Default)]
struct ReadingPlan {
    /// Number of processes of the run to go on from; 0 if there is none.
    processes: usize,
    /// Reader of the folder of each process.
    readers: Vec<usize>,
}

/// Finds what an earlier run has left. All workers call it; `folder` is given in the first worker
/// of each process.
///
/// # Errors
/// [`ClusterError::Checkpoint`] if a folder is missing, damaged or in use.
pub(crate) fn resume(
    steps: &mut Steps<'_>,
    folder: Option<&ProcessFolder>,
    place: ProcessPlace,
) -> Result<Option<Resumed>, ClusterError> {
    let mut own = vec![u8::from(folder.is_some_and(ProcessFolder::has_parts))];
    for seen in folder.map_or(&[][..], ProcessFolder::seen) {
        put_varint(&mut own, seen.processes as u64);
        put_varint(&mut own, seen.process as u64);
    }
    let plan = steps.agree(own, |all| {
        let folder = folder.expect("worker 0 is the first of its process");
        Ok(make_plan(folder, &all, place)?.to_bytes())
    })?;
    let plan = ReadingPlan::from_bytes(&plan)?;
    if plan.processes == 0 {
        return Ok(None);
    }
    let mut sources = Vec::new();
    if let Some(folder) = folder.filter(|_| plan.processes != place.processes) {
        for (process, _) in plan.readers.iter().enumerate().filter(|(_, r)| **r == place.process) {
            let seen = SeenFolder { processes: plan.processes, process };
            let folder = folder.open_other(seen)?;
            sources.push(Source { seen, folder });
        }
    }
    let mut own = Vec::new();
    if let (0, Some(folder)) = (place.process, folder) {
        let source = sources.first().map_or(folder.own(), |source| &source.folder);
        let commit = Commit::get(source.blobs())?;
        let commit = commit.ok_or_else(|| {
            CheckpointError::damaged(&source.blobs().name(COMMIT), "it is missing")
        })?;
        own = commit.to_bytes();
        if !sources.is_empty() {
            link_layers(source, folder.own())?;
        }
    }
    let commit = steps.broadcast(own)?;
    let commit = Commit::from_bytes(&commit, "a commit").map_err(ClusterError::damaged)?;
    Ok(Some(Resumed { commit, sources }))
}

/// This process among all.
#[derive(Clone, Copy)]
pub(crate) struct ProcessPlace {
    pub(crate) process: usize,
    pub(crate) processes: usize,
    pub(crate) threads: usize,
}

/// Decides which folders are read. Worker 0 calls it, with the folders that each worker sees.
fn make_plan(
    folder: &ProcessFolder,
    all: &[Vec<u8>],
    place: ProcessPlace,
) -> Result<ReadingPlan, ClusterError> {
    let own = (0..place.processes).collect();
    if folder.own().blobs().get(COMMIT)?.is_some() {
        return Ok(ReadingPlan { processes: place.processes, readers: own });
    }
    let mut seen: Vec<(SeenFolder, usize)> = Vec::new();
    for (worker, bytes) in all.iter().enumerate() {
        let mut cursor = Cursor::new(bytes, "a list of folders");
        if cursor.byte().map_err(ClusterError::damaged)? != 0 && folder.is_new() {
            return Err(misplaced(worker / place.threads, place.processes));
        }
        while cursor.remaining() > 0 {
            let mut number = || cursor.varint().map(|n| n as usize).map_err(ClusterError::damaged);
            let (processes, process) = (number()?, number()?);
            seen.push((SeenFolder { processes, process }, worker / place.threads));
        }
    }
    let has_commit = |seen: &SeenFolder| folder.has_commit(*seen);
    let first = |of: &SeenFolder| of.process == 0 && has_commit(of);
    let mut runs: Vec<usize> =
        folder.seen().iter().filter(|of| first(of)).map(|of| of.processes).collect();
    runs.dedup();
    match runs[..] {
        [] => {
            // A run that was killed before its first commit has left nothing.
            let is_here = |of: &SeenFolder| {
                let first = SeenFolder { process: 0, ..*of };
                folder.seen().contains(&first)
            };
            let mut seen = seen.iter().map(|(seen, _)| *seen);
            return match seen.find(|of| !is_here(of)) {
                Some(of) => Err(lacks(&[of], 0)),
                None => Ok(ReadingPlan::default()),
            };
        }
        [_] => {}
        [one, other, ..] => {
            return Err(ClusterError::Refused(format!(
                "the folder holds checkpoints of {one} and of {other} processes; \
                 remove the older one"
            )));
        }
    }
    let processes = runs[0];
    let reader = |process| {
        let wanted = SeenFolder { processes, process };
        let mut found = seen.iter().filter(|(seen, _)| *seen == wanted).map(|(_, by)| *by);
        let found: Vec<usize> = found.by_ref().collect();
        let reader = found.iter().find(|by| **by == process).or(found.first());
        reader.copied().ok_or_else(|| lacks(&[SeenFolder { processes, process }], process))
    };
    let readers = (0..processes).map(reader).collect::<Result<_, _>>()?;
    Ok(ReadingPlan { processes, readers })
}

/// Error of parts that one process has, while process 0 has no folder of an earlier run.
fn misplaced(process: usize, processes: usize) -> ClusterError {
    ClusterError::Refused(format!(
        "process {process} has parts of a checkpoint of {processes} processes, and process 0 has \
         none: put the folder process-0-of-{processes} where process 0 runs"
    ))
}

/// Error of a folder that nobody has.
fn lacks(seen: &[SeenFolder], process: usize) -> ClusterError {
    let processes = seen.first().map_or(0, |seen| seen.processes);
    ClusterError::Refused(format!(
        "the checkpoint of {processes} processes lacks the folder \
         process-{process}-of-{processes}; put it beside that of a process of this run"
    ))
}

/// Gives the finished layers and counts of an earlier run names in the folder of this one.
fn link_layers(from: &CheckpointDir, to: &CheckpointDir) -> Result<(), ClusterError> {
    for key in from.blobs().keys()? {
        if !key.starts_with("layer-") && !key.starts_with("tally-") {
            continue;
        }
        let (old, new) = (from.blobs().path(&key), to.blobs().path(&key));
        if new.exists() {
            continue;
        }
        if fs::hard_link(&old, &new).is_err() {
            let copy = &mut |out: &mut dyn io::Write| {
                io::copy(&mut File::open(&old)?, out)?;
                Ok(())
            };
            to.blobs().put(&key, copy)?;
        }
    }
    Ok(())
}

impl ReadingPlan {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, self.processes as u64);
        self.readers.iter().for_each(|&reader| put_varint(&mut bytes, reader as u64));
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, ClusterError> {
        let mut cursor = Cursor::new(bytes, "a plan");
        let processes = cursor.varint().map_err(ClusterError::damaged)? as usize;
        let mut readers = Vec::new();
        while cursor.remaining() > 0 {
            readers.push(cursor.varint().map_err(ClusterError::damaged)? as usize);
        }
        Ok(Self { processes, readers })
    }
}
