//! A [`SolveTask`] on a game of a known type.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hindsight_checkpoint::{Blobs, Checkpoint};
use hindsight_core::{Game, Notation};
use hindsight_run::{Error, NullStore, Progress, Store};
use hindsight_solve::plan::{Request, SolveIo, SolvePlan, StartedWork, Storage};
use hindsight_tablebase::{CheckpointDir, Layout, TableError};

use crate::erased::ErasedOutcome;
use crate::error::GamesError;
use crate::solve_task::{SolveFolder, SolveTask, WrittenTable};
use crate::stores::{PlannedStore, Stores};
use crate::structure::Structure;
use crate::typed_game::TypedGame;
use crate::typed_solution::SolvedValues;

/// Time between two saves of unfinished work.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(240);

impl<G, S> TypedGame<G, S>
where
    G: Game + Notation + Send + 'static,
    S: Structure<G>,
{
    /// Solves the game, stores what the task asks for, and writes the table.
    pub(crate) fn run(self: Arc<Self>, task: SolveTask<'_>) -> Result<ErasedOutcome, GamesError> {
        if task.table.is_some() && task.folder.is_none() {
            return Err(GamesError::NoFolder);
        }
        let layout = S::layout(&self.spec, task.layout)?;
        let resumed = task.folder.filter(|folder| folder.resume);
        let resumed = resumed.map(|folder| CheckpointDir::resume(folder.path, &self.spec, layout));
        let resumed = resumed.transpose()?;
        let plan = self.plan(&task, layout, resumed.as_ref())?;
        let needs = plan.needs();
        let mut monitor = (task.begin)(&needs).map_err(GamesError::Refused)?;
        plan.check()?;
        let create =
            |folder: SolveFolder<'_>| CheckpointDir::create(folder.path, &self.spec, layout);
        let checkpoint = match resumed {
            None => task.folder.map(create).transpose()?,
            resumed => resumed,
        };
        // Unfinished work is saved only to a folder that can be resumed.
        let saved = checkpoint
            .as_ref()
            .filter(|_| task.folder.is_some_and(|folder| folder.is_checkpoint));
        let saved = saved.map(|checkpoint| checkpoint.blobs() as &dyn Blobs);
        let mut stores = match &checkpoint {
            Some(checkpoint) => S::stores(&self.game, checkpoint),
            None => Stores::Nothing,
        };
        let unfinished = saved.map(|blobs| Checkpoint::new(blobs, CHECKPOINT_INTERVAL));
        let mut io = SolveIo::new(&mut *monitor);
        match &mut stores {
            Stores::Nothing => {}
            Stores::Layers(store) => io.layers = Some(&mut **store),
            Stores::States(store) => io.states = Some(&mut **store),
        }
        io.checkpoint = unfinished.as_ref();
        if let Some(random) = task.random {
            io.random = Some(random);
        }
        let solved = plan.run(io)?;
        drop(stores);
        let table = match (&checkpoint, task.table) {
            (Some(checkpoint), Some(out)) => {
                let done = solved.summary.positions;
                let progress = Progress {
                    phase: "table",
                    done,
                    total: Some(done),
                };
                if !monitor.report(progress) {
                    return Err(Error::Stopped.into());
                }
                Some(write_table(checkpoint, layout, out, solved.times.storing)?)
            }
            _ => None,
        };
        if let Some(blobs) = saved {
            StartedWork::remove(blobs).map_err(TableError::from)?;
        }
        Ok(ErasedOutcome {
            times: solved.times,
            solution: Arc::new(SolvedValues { game: self, solved }),
            needs,
            table,
        })
    }
}

impl<G, S> TypedGame<G, S>
where
    G: Game + Notation + Send + 'static,
    S: Structure<G>,
{
    /// Plans the solve, with the memory that its stores take and the work that they hold.
    fn plan(
        &self,
        task: &SolveTask<'_>,
        layout: Layout,
        resumed: Option<&CheckpointDir>,
    ) -> Result<SolvePlan<'_, G>, GamesError> {
        let planned = PlannedStore::<G>::new(layout);
        let stored = resumed.map(|checkpoint| S::stores(&self.game, checkpoint));
        let layers: &dyn Store = match &stored {
            Some(Stores::Layers(store)) => &**store,
            _ if task.folder.is_some() => &planned,
            _ => &NullStore,
        };
        let request = Request {
            storage: Storage {
                table: task.table.is_some(),
                checkpoint: task.folder.is_some_and(|folder| folder.is_checkpoint),
                started: match resumed {
                    Some(checkpoint) => {
                        StartedWork::stored(checkpoint.blobs()).map_err(TableError::from)?
                    }
                    None => StartedWork::Nothing,
                },
                layers,
            },
            ..task.request()
        };
        Ok(S::plan(&self.game, &request)?)
    }
}

/// Writes the table of all finished layers. `storing` is the time that writing the layers took.
fn write_table(
    checkpoint: &CheckpointDir,
    layout: Layout,
    mut out: &mut dyn Write,
    storing: Duration,
) -> Result<WrittenTable, GamesError> {
    let begin = Instant::now();
    let bytes = checkpoint.finish(&mut out).map_err(|error| match error {
        // The destination names itself in its errors.
        TableError::Io { source, .. } => GamesError::Output(source),
        error => error.into(),
    })?;
    Ok(WrittenTable {
        layout,
        bytes,
        time: storing + begin.elapsed(),
    })
}
