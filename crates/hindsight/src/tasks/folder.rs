//! Folder of a task: its finished layers, and its progress if it is a checkpoint.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use hindsight_core::Symmetry;
use hindsight_engine::checkpoint::{BlobFolder, Checkpoint};
use hindsight_engine::{Error, Limits, Monitor, Progress};
use hindsight_solve::plan::StartedWork;
use hindsight_tablebase::{CheckpointDir, Layout, ReachableLayer, TableError};

use super::options::Options;
use super::solve::WrittenTable;
use super::{kept_limit, kept_symmetry};
use crate::error::GamesError;

/// Time between two saves of unfinished work.
pub(crate) const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(240);

/// Folder of finished layers and unfinished work.
#[derive(Clone, Copy, Debug)]
pub struct SolveFolder<'a> {
    /// Path of the folder.
    pub path: &'a Path,
    /// True to go on with the checkpoint in the folder.
    pub resume: bool,
    /// True if the folder is a checkpoint; false if it holds finished layers only until the table
    /// is written.
    pub is_checkpoint: bool,
    /// True to go on with the limit of memory with which the checkpoint was begun, if that is
    /// known, instead of the limit of the task.
    pub limit_as_begun: bool,
}

/// Unfinished work of a solve that is checked with its table.
#[derive(Clone, Copy)]
pub(crate) struct KeptWork<'a> {
    pub(crate) checkpoint: &'a Checkpoint<'a>,
    pub(crate) started: StartedWork,
}

/// Open folder of a task.
pub(crate) struct TaskFolder {
    layers: CheckpointDir,
    layout: Layout,
    is_checkpoint: bool,
    limit_as_begun: bool,
}

impl TaskFolder {
    /// Opens the checkpoint of some options: that of an earlier run, or a new one. `None` without
    /// one.
    pub(crate) fn of_options(
        options: &Options,
        spec: &str,
        layout: Layout,
        limits: Limits,
    ) -> Result<Option<Self>, GamesError> {
        if options.resume && options.checkpoint.is_none() {
            return Err(GamesError::NoCheckpoint);
        }
        let folder = options.checkpoint.as_deref().map(|path| SolveFolder {
            path,
            resume: options.resume && BlobFolder::is_checkpoint(path),
            is_checkpoint: true,
            limit_as_begun: options.memory.is_none(),
        });
        match Self::resumed(folder, spec, layout)? {
            None => Self::created(folder, spec, layout, limits),
            resumed => Ok(resumed),
        }
    }

    /// Opens the checkpoint of an earlier run, if the task goes on with one.
    pub(crate) fn resumed(
        folder: Option<SolveFolder<'_>>,
        spec: &str,
        layout: Layout,
    ) -> Result<Option<Self>, GamesError> {
        let resumed = folder.filter(|folder| folder.resume);
        let resumed = resumed.map(|folder| {
            Ok(Self {
                layers: CheckpointDir::resume(folder.path, spec, layout)?,
                layout,
                is_checkpoint: folder.is_checkpoint,
                limit_as_begun: folder.limit_as_begun,
            })
        });
        resumed.transpose()
    }

    /// Returns the limits of the task, with the memory with which the checkpoint was begun if it is
    /// to go on with that.
    pub(crate) fn limits(&self, limits: Limits) -> Limits {
        let kept = kept_limit::kept(self.layers.blobs()).filter(|_| self.limit_as_begun);
        Limits { memory: kept.unwrap_or(limits.memory), ..limits }
    }

    /// Makes the folder of a task that has one. A checkpoint keeps the limit of memory.
    pub(crate) fn created(
        folder: Option<SolveFolder<'_>>,
        spec: &str,
        layout: Layout,
        limits: Limits,
    ) -> Result<Option<Self>, GamesError> {
        let Some(folder) = folder else {
            return Ok(None);
        };
        let layers = if folder.is_checkpoint {
            CheckpointDir::create(folder.path, spec, layout)?
        } else {
            CheckpointDir::create_temporary(folder.path, spec, layout)?
        };
        if folder.is_checkpoint {
            kept_limit::keep(layers.blobs(), limits.memory).map_err(TableError::from)?;
        }
        Ok(Some(Self {
            layers,
            layout,
            is_checkpoint: folder.is_checkpoint,
            limit_as_begun: folder.limit_as_begun,
        }))
    }

    /// Refuses a checkpoint whose positions are merged by another symmetry.
    pub(crate) fn check_symmetry(&self, wanted: Symmetry) -> Result<(), GamesError> {
        let begun =
            kept_symmetry::kept_or(self.layers.blobs(), wanted).map_err(TableError::from)?;
        if begun == wanted { Ok(()) } else { Err(GamesError::OtherSymmetry { begun, wanted }) }
    }

    pub(crate) fn layers(&self) -> &CheckpointDir {
        &self.layers
    }

    /// Returns the blobs that a solver keeps its progress in; `None` for a folder that cannot be
    /// resumed.
    fn progress(&self) -> Option<&BlobFolder> {
        self.is_checkpoint.then(|| self.layers.blobs())
    }

    /// Returns the work that an earlier run has stored.
    pub(crate) fn started(&self) -> Result<StartedWork, GamesError> {
        let planes = StartedWork::stored(self.layers.blobs()).map_err(TableError::from)?;
        Ok(match planes {
            StartedWork::Nothing if self.layers.has_layers()? => StartedWork::Layers,
            planes => planes,
        })
    }

    /// Starts the clock of a checkpoint, if the folder is one.
    pub(crate) fn checkpoint(&self) -> Option<Checkpoint<'_>> {
        let blobs = self.progress()?;
        Some(Checkpoint::new(blobs, CHECKPOINT_INTERVAL))
    }

    /// Removes the progress of a solve that has ended.
    pub(crate) fn forget_progress(&self) -> Result<(), GamesError> {
        let forgotten = self.progress().map_or(Ok(()), |blobs| StartedWork::remove(blobs));
        Ok(forgotten.map_err(TableError::from)?)
    }

    /// Writes the table of all finished layers, of `positions` positions. `storing` is the time
    /// that storing them took; `reachable` has the keys of reachable positions. The monitor is
    /// asked once more, and hears no more then.
    pub(crate) fn write_table(
        &self,
        mut out: &mut dyn Write,
        positions: u64,
        storing: Duration,
        reachable: Option<(&ReachableLayer, Symmetry)>,
        mut monitor: Box<dyn Monitor + '_>,
    ) -> Result<WrittenTable, GamesError> {
        let progress = Progress { phase: "table", done: positions, total: Some(positions) };
        if !monitor.report(progress) {
            return Err(Error::Stopped.into());
        }
        drop(monitor);
        let begin = Instant::now();
        let written = match reachable {
            Some((layer, symmetry)) => self.layers.finish_reachable(&mut out, layer, symmetry),
            None => self.layers.finish(&mut out),
        };
        let bytes = written.map_err(|error| match error {
            // The destination names itself in its errors.
            TableError::Io { source, .. } => GamesError::Output(source),
            error => error.into(),
        })?;
        Ok(WrittenTable { layout: self.layout, bytes, time: storing + begin.elapsed() })
    }
}
