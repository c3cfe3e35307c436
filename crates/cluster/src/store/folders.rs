//! Folders of a checkpoint, one for each process.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{BlobFolder, Blobs, CheckpointError, Damage};
use hindsight_tablebase::{CheckpointDir, Layout, TableError};

use super::keys::COMMIT;
use crate::error::ClusterError;

/// Point of a solve: the layer in work, and the next pass over it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct SolvePoint {
    pub(crate) layer: u32,
    pub(crate) pass: u32,
}

/// Point from which all parts can go on, and how they are dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Commit {
    pub(crate) point: SolvePoint,
    /// Processes and threads of each, when the parts were kept.
    pub(crate) processes: usize,
    pub(crate) threads: usize,
}

/// Checkpoint of a process: its folder, and those beside it.
#[derive(Debug)]
pub struct ProcessFolder {
    /// Folder of the whole checkpoint.
    dir: PathBuf,
    own: CheckpointDir,
    spec: String,
    layout: Layout,
    /// Folders of other numbers of processes, from which the solve may go on.
    others: Vec<SeenFolder>,
    /// True if this run has made the own folder.
    is_new: bool,
    /// True if a folder of this number of processes has parts of an earlier run.
    has_parts: bool,
}

/// Folder of a process of an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SeenFolder {
    pub(crate) processes: usize,
    pub(crate) process: usize,
}

impl SeenFolder {
    fn name(self) -> String {
        format!("process-{}-of-{}", self.process, self.processes)
    }

    fn parse(name: &str) -> Option<Self> {
        let (process, processes) = name.strip_prefix("process-")?.split_once("-of-")?;
        let (process, processes) = (process.parse().ok()?, processes.parse().ok()?);
        let seen = Self { processes, process };
        (process < processes && seen.name() == name).then_some(seen)
    }
}

impl ProcessFolder {
    /// Starts or resumes the checkpoint of process `process` of `processes` in a folder.
    ///
    /// # Errors
    /// [`ClusterError::Refused`] if the folder has a checkpoint and `resume` is false, or if it is
    /// of another game or layout, or in use. [`ClusterError::Checkpoint`] if it cannot be read or
    /// written.
    pub fn open(
        dir: &Path,
        process: usize,
        processes: usize,
        game: CheckpointOf<'_>,
    ) -> Result<Self, ClusterError> {
        let CheckpointOf { spec, layout, resume } = game;
        let own = SeenFolder { processes, process };
        let mut seen = seen_folders(dir)?;
        if BlobFolder::is_checkpoint(dir) {
            return refused(format!(
                "'{}' holds a checkpoint of a solve by one process; name another folder",
                dir.display()
            ));
        }
        // Other processes of this run may have made their folders already.
        let is_earlier = |seen: &SeenFolder| *seen == own || seen.processes != processes;
        if !resume && seen.iter().any(is_earlier) {
            return Err(refusal(CheckpointError::Exists(dir.to_path_buf())));
        }
        let layout_name = layout.to_string();
        for folder in &seen {
            BlobFolder::check(&dir.join(folder.name()), spec, &layout_name).map_err(refusal)?;
        }
        let path = dir.join(own.name());
        let opened = if seen.contains(&own) {
            CheckpointDir::resume(&path, spec, layout)
        } else {
            CheckpointDir::create(&path, spec, layout)
        };
        let opened = opened.map_err(|error| match error {
            TableError::Checkpoint(error) => refusal(error),
            error => error.into(),
        })?;
        let is_new = !seen.contains(&own);
        let mut of_this_number = seen.iter().filter(|folder| folder.processes == processes);
        let has_parts = of_this_number.any(|folder| has_parts(&dir.join(folder.name())));
        seen.retain(|folder| folder.processes != processes);
        Ok(Self {
            dir: dir.to_path_buf(),
            own: opened,
            spec: spec.into(),
            layout,
            others: seen,
            is_new,
            has_parts,
        })
    }

    /// Folder of this process.
    #[must_use]
    pub fn own(&self) -> &CheckpointDir {
        &self.own
    }

    /// Folders of earlier runs, of this process and of others.
    pub(crate) fn seen(&self) -> &[SeenFolder] {
        &self.others
    }

    /// True if the folder was made for this run.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// True if an earlier run with as many processes has left parts beside the own folder or in it.
    pub(crate) fn has_parts(&self) -> bool {
        self.has_parts
    }

    /// Removes the own folder if this run has made it: for a solve that was not begun.
    pub fn discard(self) {
        let Self { dir, own, is_new: true, .. } = self else {
            return;
        };
        let path = own.blobs().path(COMMIT);
        drop(own);
        if let Some(folder) = path.parent() {
            let _ = fs::remove_dir_all(folder);
        }
        // The folder of all processes goes with the last of them.
        let _ = fs::remove_dir(dir);
    }

    /// True if the folder of an earlier run has a commit.
    pub(crate) fn has_commit(&self, seen: SeenFolder) -> bool {
        BlobFolder::contains(&self.dir.join(seen.name()), COMMIT)
    }

    /// Takes up the folder of an earlier run with another number of processes.
    pub(crate) fn open_other(&self, seen: SeenFolder) -> Result<CheckpointDir, ClusterError> {
        Ok(CheckpointDir::resume(&self.dir.join(seen.name()), &self.spec, self.layout)?)
    }

    /// Removes the folders of runs that have left nothing to go on from, but for those in use.
    pub(crate) fn remove_others(&self) -> Result<(), ClusterError> {
        for &seen in &self.others {
            match self.open_other(seen) {
                Ok(opened) => {
                    drop(opened);
                    self.remove_other(seen)?;
                }
                // Another process of this run has removed it, or another run is at work in it.
                Err(ClusterError::Table(TableError::Checkpoint(
                    CheckpointError::NotACheckpoint(_) | CheckpointError::InUse { .. },
                ))) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Removes a folder of an earlier run, whose parts are kept elsewhere.
    pub(crate) fn remove_other(&self, seen: SeenFolder) -> Result<(), ClusterError> {
        let path = self.dir.join(seen.name());
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(CheckpointError::file("remove", &path)(error).into())
            }
            _ => Ok(()),
        }
    }
}

/// Game of a checkpoint, and whether it is to be resumed.
#[derive(Clone, Copy, Debug)]
pub struct CheckpointOf<'a> {
    /// Game, in its normal form.
    pub spec: &'a str,
    /// Layout of its layers.
    pub layout: Layout,
    /// True if an earlier run may have begun it.
    pub resume: bool,
}

/// Folders of processes in a folder, ascending.
fn seen_folders(dir: &Path) -> Result<Vec<SeenFolder>, ClusterError> {
    let failed = CheckpointError::file("read", dir);
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error).into()),
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let seen = names.filter_map(|name| SeenFolder::parse(&name));
    let begun = seen.filter(|seen| BlobFolder::is_checkpoint(&dir.join(seen.name())));
    let mut begun: Vec<SeenFolder> = begun.collect();
    begun.sort_unstable();
    Ok(begun)
}

/// True if a folder has parts that a worker has kept.
fn has_parts(folder: &Path) -> bool {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = names.filter_map(|entry| entry.file_name().into_string().ok());
    names.any(|name| name.contains("-of-") && BlobFolder::is_file_name(&name))
}

/// Makes the refusal of a checkpoint that cannot be used.
fn refusal(error: CheckpointError) -> ClusterError {
    match error {
        CheckpointError::File { .. } => ClusterError::Checkpoint(error),
        error => ClusterError::Refused(error.to_string()),
    }
}

fn refused<T>(message: String) -> Result<T, ClusterError> {
    Err(ClusterError::Refused(message))
}

impl Commit {
    /// Writes the commit. It replaces the one before it.
    pub(crate) fn put(self, blobs: &dyn Blobs) -> Result<(), CheckpointError> {
        packed::put(blobs, COMMIT, &self.to_bytes(), PackedArray::Bytes(&[]))
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let SolvePoint { layer, pass } = self.point;
        for number in [layer as usize, pass as usize, self.processes, self.threads] {
            put_varint(&mut bytes, number as u64);
        }
        bytes
    }

    /// Reads the commit; `None` if there is none yet.
    pub(crate) fn get(blobs: &dyn Blobs) -> Result<Option<Self>, CheckpointError> {
        let Some(blob) = packed::get(blobs, COMMIT, 64)? else {
            return Ok(None);
        };
        Ok(Some(Self::from_bytes(&blob.fields, &blob.name)?))
    }

    /// Reads the bytes of [`Commit::to_bytes`].
    pub(crate) fn from_bytes(fields: &[u8], name: &str) -> Result<Self, Damage> {
        let mut cursor = Cursor::new(fields, name);
        let mut number = || {
            let number = u32::try_from(cursor.varint()?);
            number.map_err(|_| cursor.fail("too many layers or processes"))
        };
        let commit = Self {
            point: SolvePoint { layer: number()?, pass: number()? },
            processes: number()? as usize,
            threads: number()? as usize,
        };
        let workers = commit.processes.checked_mul(commit.threads);
        if !(1..1 << 30).contains(&workers.unwrap_or(0)) {
            return Err(cursor.fail("it is of no workers"));
        }
        cursor.end()?;
        Ok(commit)
    }

    /// Number of workers that kept parts.
    pub(crate) fn workers(self) -> usize {
        self.processes * self.threads
    }
}
