//! Solves in several processes.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use hindsight_cluster::{
    CheckpointOf, CheckpointUse, Cluster, ClusterError, ClusterNeeds, ClusterSolution, ClusterTask,
    ProcessFolder, Reword,
};
use hindsight_engine::Monitor;
use hindsight_tablebase::{CheckpointDir, Layout, TableError};

use super::kept_limit;
use super::solve::WrittenTable;
use crate::error::GamesError;

/// Time between two commits within a layer of whole tiers.
const COMMIT_INTERVAL: Duration = Duration::from_secs(60);

/// Share of this process in a solve of every position by several. All processes must be given the
/// same, but for their files and their memory.
pub struct ClusterSolveTask<'a> {
    /// The processes, and this one among them.
    pub cluster: &'a Cluster<'a>,
    /// Bytes of memory that this process may take.
    pub memory: u64,
    /// True to go on with the limit of memory with which the checkpoint was begun, if that is
    /// known.
    pub limit_as_begun: bool,
    /// Layout of stored layers; `None` for the default of the game.
    pub layout: Option<Layout>,
    /// Folder of the checkpoint; each process makes a folder of its own in it.
    pub checkpoint: Option<&'a Path>,
    /// True to go on with the checkpoint, if there is one.
    pub resume: bool,
    /// True if process 0 writes a table.
    pub has_table: bool,
    /// Destination of the table, in process 0.
    pub table: Option<TableTarget<'a>>,
    /// Reason why this process cannot begin, of which all hear.
    pub refusal: Option<String>,
    /// Rewords what the others hear of an error of this process.
    pub reword: Reword,
    /// Receives the needs before the solve starts, and returns its monitor. An error refuses the
    /// solve.
    pub begin: &'a mut BeginClusterSolve<'a>,
}

/// See [`ClusterSolveTask::begin`].
pub(crate) type BeginClusterSolve<'a> =
    dyn FnMut(&ClusterNeeds) -> Result<Box<dyn Monitor + 'a>, Box<dyn Error + Send + Sync>> + 'a;

/// Destination of a table.
pub struct TableTarget<'a> {
    /// The table is written here.
    pub out: &'a mut dyn Write,
    /// Folder for its finished layers, unless there is a checkpoint.
    pub layers: Option<&'a Path>,
}

/// Result of a [`ClusterSolveTask`].
#[derive(Debug)]
pub struct ClusterOutcome {
    /// Values and work of all processes.
    pub solved: ClusterSolution,
    /// Needs of this process, as they were known before.
    pub needs: ClusterNeeds,
    /// Table that was written, in process 0.
    pub table: Option<WrittenTable>,
}

/// Files of a process: its checkpoint, or a folder of finished layers.
pub(crate) struct ClusterFiles {
    checkpoint: Option<ProcessFolder>,
    layers: Option<CheckpointDir>,
    /// Bytes of memory that this process may take.
    memory: u64,
    /// Refusal of this process, of which the others shall hear.
    pub(crate) refusal: Option<String>,
}

impl ClusterFiles {
    /// Opens the files of a task for a game with this spec.
    pub(crate) fn open(task: &ClusterSolveTask<'_>, spec: &str, layout: Layout) -> Self {
        let mut files = Self {
            checkpoint: None,
            layers: None,
            memory: task.memory,
            refusal: task.refusal.clone(),
        };
        let (process, processes) = (task.cluster.process, task.cluster.hosts.processes());
        if let Some(dir) = task.checkpoint {
            let resume = task.resume;
            let game = CheckpointOf { spec, layout, resume };
            match ProcessFolder::open(dir, process, processes, game) {
                Ok(folder) => {
                    let blobs = folder.own().blobs();
                    let kept = kept_limit::kept(blobs).filter(|_| task.limit_as_begun);
                    files.memory = kept.unwrap_or(task.memory);
                    let begun = folder.is_new().then(|| kept_limit::keep(blobs, task.memory));
                    if let Some(Err(error)) = begun {
                        let error = ClusterError::Checkpoint(error);
                        files.refusal.get_or_insert_with(|| error.with_causes());
                    }
                    files.checkpoint = Some(folder);
                }
                Err(error) => {
                    files.refusal.get_or_insert_with(|| error.with_causes());
                }
            }
            return files;
        }
        if let Some(layers) = task.table.as_ref().and_then(|table| table.layers) {
            match CheckpointDir::create_temporary(layers, spec, layout) {
                Ok(folder) => files.layers = Some(folder),
                Err(error) => {
                    let error = ClusterError::Table(error);
                    files.refusal.get_or_insert_with(|| error.with_causes());
                }
            }
        }
        files
    }

    /// Removes the folder of a checkpoint that this run has made, of a solve that was not begun.
    pub(crate) fn discard(self) {
        if let Some(folder) = self.checkpoint {
            folder.discard();
        }
    }

    /// Folder of the layers of a table, in the process that writes it.
    fn layers(&self) -> Option<&CheckpointDir> {
        let checkpoint = self.checkpoint.as_ref().map(ProcessFolder::own);
        checkpoint.or(self.layers.as_ref())
    }

    /// Makes the task of the solver.
    pub(crate) fn task<'t>(
        &'t self,
        task: &ClusterSolveTask<'_>,
        spec: &'t str,
        layout: Layout,
    ) -> ClusterTask<'t> {
        ClusterTask {
            spec,
            layout,
            memory: self.memory,
            checkpoint: self.checkpoint.as_ref(),
            checkpoint_use: match (task.checkpoint, task.resume) {
                (None, _) => CheckpointUse::Nothing,
                (Some(_), false) => CheckpointUse::Begin,
                (Some(_), true) => CheckpointUse::Resume,
            },
            commit_interval: COMMIT_INTERVAL,
            has_table: task.has_table,
            layers: self.layers().filter(|_| task.table.is_some()),
        }
    }

    /// Writes the table of all finished layers. `storing` is the time that these took.
    pub(crate) fn write_table(
        &self,
        target: Option<TableTarget<'_>>,
        layout: Layout,
        storing: Duration,
    ) -> Result<Option<WrittenTable>, GamesError> {
        let (Some(mut target), Some(layers)) = (target, self.layers()) else {
            return Ok(None);
        };
        let begin = std::time::Instant::now();
        let bytes = layers.finish(&mut target.out).map_err(|error| match error {
            TableError::Io { source, .. } => GamesError::Output(source),
            error => error.into(),
        })?;
        Ok(Some(WrittenTable { layout, bytes, time: storing + begin.elapsed() }))
    }
}
