//! A [`SolveTask`] on a packed game.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use hindsight_core::{Game, Packed};
use hindsight_engine::{Error, Limits, Monitor, NullStore, Progress, Store};
use hindsight_solve::plan::{
    Extent, Method, Request, SolveIo, SolveNeeds, SolvePlan, SolveTimes, Solved, Storage,
};
use hindsight_tablebase::{Layout, ReachableLayer};

use super::reachable::sorted_layer;
use super::solution::SolvedValues;
use super::structure::GameParts;
use crate::error::GamesError;
use crate::tasks::folder::{SolveFolder, TaskFolder};
use crate::tasks::solve::{SolveTask, WrittenTable};
use crate::tasks::stores::{PlannedStore, Stores};

/// Result of a [`SolveTask`].
pub(crate) struct SolvedTask {
    pub(crate) solution: Arc<SolvedValues>,
    pub(crate) needs: SolveNeeds,
    pub(crate) times: SolveTimes,
    pub(crate) table: Option<WrittenTable>,
    pub(crate) folder: Option<TaskFolder>,
}

impl GameParts {
    /// Plans the solve of a task. Its folder, if it goes on with one, is not looked into.
    pub(crate) fn needs(&self, task: &SolveTask<'_>) -> Result<SolveNeeds, GamesError> {
        let layout = self.structure.layout(task.layout)?;
        Ok(self.plan(task, layout, None)?.needs())
    }

    /// Solves the game, stores what the task asks for, and writes the table.
    pub(crate) fn run(self: Arc<Self>, mut task: SolveTask<'_>) -> Result<SolvedTask, GamesError> {
        if task.table.is_some() && task.folder.is_none() {
            return Err(GamesError::NoFolder);
        }
        let layout = self.structure.layout(task.layout)?;
        let resumed = TaskFolder::resumed(task.folder, &self.named.table_spec, layout)?;
        if let Some(folder) = &resumed {
            task.limits = folder.limits(task.limits);
        }
        let start = self.start_of(&task)?;
        let plan = self.plan(&task, layout, resumed.as_ref())?;
        let needs = plan.needs();
        let mut monitor = (task.begin)(&needs).map_err(GamesError::Refused)?;
        plan.check()?;
        let folder = match resumed {
            None => TaskFolder::created(task.folder, &self.named.table_spec, layout, task.limits)?,
            resumed => resumed,
        };
        let mut stores = match &folder {
            Some(folder) => self.structure.stores(folder.layers()),
            None => Stores::Nothing,
        };
        if let Some(folder) = folder.as_ref().filter(|_| needs.extent == Extent::Sorted) {
            folder.check_symmetry(self.symmetry)?;
        }
        let checkpoint = folder.as_ref().and_then(TaskFolder::checkpoint);
        let mut io = SolveIo::new(&mut *monitor);
        match &mut stores {
            Stores::Nothing => {}
            Stores::Layers(store) => io.layers = Some(&mut **store),
            Stores::States(store) => io.states = Some(&mut **store),
        }
        io.checkpoint = checkpoint.as_ref();
        if let Some(sample) = task.sample {
            io.random = Some(sample.random);
        }
        let solved = plan.run(io)?;
        drop(stores);
        let table = match (&folder, task.table) {
            (Some(folder), Some(out)) => {
                let (positions, begin) = (solved.summary.positions, Instant::now());
                let reachable = match needs.method {
                    Method::Reachable => {
                        Some(self.sort_and_store(&solved, folder, &mut *monitor)?)
                    }
                    _ => None,
                };
                let reachable = reachable.as_ref().map(|layer| (layer, self.symmetry));
                let storing = solved.times.storing + begin.elapsed();
                Some(folder.write_table(out, positions, storing, reachable, monitor)?)
            }
            _ => None,
        };
        Ok(SolvedTask {
            times: solved.times,
            solution: Arc::new(SolvedValues { game: self, start, solved }),
            needs,
            table,
            folder,
        })
    }

    /// Writes the table of a solved graph.
    pub(crate) fn save(
        &self,
        solved: &Solved,
        layout: Option<Layout>,
        folder: SolveFolder<'_>,
        out: &mut dyn Write,
        mut monitor: Box<dyn Monitor + '_>,
    ) -> Result<WrittenTable, GamesError> {
        let layout = self.structure.layout(layout)?;
        let limits = Limits::default();
        let folder = TaskFolder::created(Some(folder), &self.named.table_spec, layout, limits)?;
        let folder = folder.expect("it has a path");
        let begin = Instant::now();
        let layer = self.sort_and_store(solved, &folder, &mut *monitor)?;
        let reachable = Some((&layer, self.symmetry));
        let (positions, storing) = (solved.summary.positions, begin.elapsed());
        folder.write_table(out, positions, storing, reachable, monitor)
    }

    /// Sorts the positions of a graph, and stores their values as a layer.
    fn sort_and_store(
        &self,
        solved: &Solved,
        folder: &TaskFolder,
        monitor: &mut dyn Monitor,
    ) -> Result<ReachableLayer, GamesError> {
        let sorted = sorted_layer(&self.named.game, solved)?;
        let done = sorted.layer.codes.len() as u64;
        let mut poll = || {
            let progress = Progress { phase: "storing", done, total: Some(done) };
            if monitor.report(progress) { Ok(()) } else { Err(Error::Stopped) }
        };
        folder.layers().layer_store(&sorted.game).put(&sorted.layer, &mut poll)?;
        Ok(sorted)
    }

    /// Plans the solve, with the memory that its stores take and the work that they hold.
    pub(crate) fn plan(
        &self,
        task: &SolveTask<'_>,
        layout: Layout,
        resumed: Option<&TaskFolder>,
    ) -> Result<SolvePlan<'_>, GamesError> {
        let planned = PlannedStore::new(layout);
        let stored = resumed.map(|folder| self.structure.stores(folder.layers()));
        let layers: &dyn Store = match &stored {
            Some(Stores::Layers(store)) => &**store,
            _ if task.folder.is_some() => &planned,
            _ => &NullStore,
        };
        let started = resumed.map(TaskFolder::started).transpose()?;
        let request = Request {
            storage: Storage {
                table: task.table.is_some(),
                checkpoint: task.folder.is_some_and(|folder| folder.is_checkpoint),
                started: started.unwrap_or_default(),
                layers,
                position_bytes: ReachableLayer::sorting_bytes(&self.named.game),
            },
            ..task.request()
        };
        Ok(self.structure.plan(self.start_of(task)?, &request)?)
    }

    /// Returns the position from which a task solves the game.
    fn start_of(&self, task: &SolveTask<'_>) -> Result<Packed, GamesError> {
        let start = task.start.map(|start| self.named.unwrap(start));
        start.unwrap_or_else(|| Ok(self.named.game.start()))
    }
}
