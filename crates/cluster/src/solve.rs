//! Solve of every position of a game in several processes.

use std::time::Duration;

use hindsight_core::{PackedGame, Structure};
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::{Blobs, Damage};
use hindsight_engine::{Histogram, Monitor, StrongSolution, Summary};
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::value_bytes::{put_value, take_value};
use hindsight_tablebase::CheckpointDir;

use crate::engine::Steps;
use crate::error::{ClusterError, Reword};
use crate::layers::{LayerCounts, LayerFiles, PartSolver, Tools, commit, solve_layers};
use crate::needs::{ClusterNeeds, pair_needs, pair_takeover, retro_needs, retro_takeover};
use crate::pairs::PairParts;
use crate::retro::RetroParts;
use crate::shapes::Shapes;
use crate::store::{Commit, LayerParts, ProcessPlace, Reload, Resumed, SolvePoint, resume};
use crate::table::TableOfLayers;
use crate::task::{CheckpointUse, ClusterSolution, ClusterTask, WorkCounts};
use crate::workers::{Agreement, Cluster};

/// A solve that is ready to start, in one process.
#[must_use]
pub struct ClusterPlan<'a> {
    game: &'a PackedGame,
    cluster: &'a Cluster<'a>,
    task: ClusterTask<'a>,
    shapes: Shapes,
    /// Error of a game whose tiers are too many to list.
    too_large: Option<String>,
    needs: ClusterNeeds,
    takeover: TakeoverBytes,
    make: MakeSolver,
}

/// Bytes that a process takes while it takes over what workers of another number have left.
type TakeoverBytes = fn(&PackedGame, &Shapes, &Cluster<'_>, Commit) -> u64;

/// Maker of a worker's solver, which takes up what an earlier run has left.
pub(crate) type MakeSolver = for<'s> fn(
    &'s PackedGame,
    &'s Shapes,
    &ClusterTask<'_>,
    Option<&mut Reload<'_>>,
    &mut Tools<'_, '_>,
) -> Result<Box<dyn PartSolver + 's>, ClusterError>;

/// Way to solve the parts of a game.
struct Kernel {
    needs: fn(&PackedGame, &Shapes, &Cluster<'_>, &ClusterTask<'_>) -> ClusterNeeds,
    takeover: TakeoverBytes,
    make: MakeSolver,
}

impl Kernel {
    /// Solver of one large tier or many, ply by ply.
    fn by_plies() -> Self {
        Self {
            needs: |_, shapes, cluster, task| retro_needs(shapes, cluster, task),
            takeover: |_, shapes, cluster, commit| retro_takeover(shapes, cluster, commit),
            make: |game, shapes, _, reload, tools| {
                let mut solver = RetroParts::new(game, shapes, tools);
                if let Some(reload) = reload {
                    solver.reload(reload, tools)?;
                }
                Ok(Box::new(solver))
            },
        }
    }

    /// Solver of whole tiers that are pairs of squares.
    fn by_tiers() -> Self {
        Self {
            needs: pair_needs,
            takeover: pair_takeover,
            make: |game, shapes, task, reload, tools| {
                let mut solver = PairParts::new(game, shapes, tools, task.commit_interval);
                if let Some(reload) = reload {
                    solver.reload(reload, tools)?;
                }
                Ok(Box::new(solver))
            },
        }
    }
}

impl<'a> ClusterPlan<'a> {
    /// Plans a solve of a game that ranks its positions: of whole tiers if these are pairs of
    /// squares, else by plies.
    pub fn new(game: &'a PackedGame, cluster: &'a Cluster<'a>, task: ClusterTask<'a>) -> Self {
        let kernel = match game.structure() {
            Structure::PawnPairs => Kernel::by_tiers(),
            _ => Kernel::by_plies(),
        };
        Self::of_kernel(game, cluster, task, kernel)
    }

    /// Lists the tiers of a game, unless they are too many, and plans its solve.
    fn of_kernel(
        game: &'a PackedGame,
        cluster: &'a Cluster<'a>,
        task: ClusterTask<'a>,
        kernel: Kernel,
    ) -> Self {
        let limit = task.memory.saturating_mul(cluster.processes());
        let (shapes, too_large) = match TierPlan::check_roughly(game, false, limit) {
            Ok(()) => (Shapes::new(game), None),
            Err(error) => (Shapes::default(), Some(error.to_string())),
        };
        Self {
            needs: (kernel.needs)(game, &shapes, cluster, &task),
            game,
            cluster,
            task,
            shapes,
            too_large,
            takeover: kernel.takeover,
            make: kernel.make,
        }
    }
}

/// Ends of a run: a refusal before it, the last work after it.
pub struct PlanEnds<'a> {
    /// Reason why this process cannot begin, of which the others shall hear.
    pub refusal: Option<String>,
    /// Last work of this process, such as the writing of the table. If it fails, the solve has
    /// failed in all processes.
    pub last: &'a mut dyn FnMut(&ClusterSolution) -> Result<(), ClusterError>,
    /// Set to true once all processes have agreed to begin.
    pub has_begun: &'a mut bool,
    /// Rewords what the others hear of an error of this process.
    pub reword: Reword,
}

impl ClusterPlan<'_> {
    /// Needs of the solve in this process.
    pub fn needs(&self) -> ClusterNeeds {
        self.needs
    }

    /// Solves the game, together with all other processes.
    ///
    /// # Errors
    /// [`ClusterError::Refused`] or [`ClusterError::Unreachable`] before anything was begun; any
    /// other error ends all processes.
    pub fn run(
        &self,
        monitor: &mut dyn Monitor,
        ends: PlanEnds<'_>,
    ) -> Result<ClusterSolution, ClusterError> {
        let refused = ends.refusal.map(ClusterError::Refused);
        let agreement = Agreement {
            spec: self.task.spec,
            settings: self.settings(),
            own: refused.map_or_else(|| self.check(), Err),
            has_begun: ends.has_begun,
            reword: ends.reword,
        };
        let outcome = self.cluster.run(agreement, monitor, &|steps| self.run_worker(steps))?;
        let total = Total::from_bytes(&outcome.results[0]).map_err(ClusterError::damaged)?;
        let solved = ClusterSolution {
            solution: total.solution,
            work: total.work,
            traffic: outcome.traffic,
            time: outcome.time,
            table_time: total.table_time,
        };
        outcome.finish((ends.last)(&solved), monitor)?;
        Ok(solved)
    }

    fn place(&self) -> ProcessPlace {
        ProcessPlace {
            process: self.cluster.process,
            processes: self.cluster.hosts.processes(),
            threads: self.cluster.threads,
        }
    }

    /// Checks what this process can know by itself.
    fn check(&self) -> Result<(), ClusterError> {
        if let Some(error) = &self.too_large {
            return Err(ClusterError::Refused(error.clone()));
        }
        self.needs.check(self.task.memory)?;
        let places = self.needs.part;
        if places > u64::from(u32::MAX) {
            return Err(ClusterError::Refused(format!(
                "{} gives a thread {places} ranks of one layer, and {} are the most: \
                 more processes or threads are needed",
                self.task.spec,
                u32::MAX
            )));
        }
        let (processes, ranks) = (self.cluster.hosts.processes(), self.shapes.total());
        if processes as u64 > ranks {
            return Err(ClusterError::Refused(format!(
                "{} has {ranks} ranks, too few for {processes} processes",
                self.task.spec
            )));
        }
        Ok(())
    }

    /// Facts that must be the same in all processes, in words.
    fn settings(&self) -> String {
        let table = if self.task.has_table {
            format!("writes a table of layout {}", self.task.layout)
        } else {
            "writes no table".into()
        };
        let checkpoint = match self.task.checkpoint_use {
            CheckpointUse::Nothing => "keeps no checkpoint",
            CheckpointUse::Begin => "begins a checkpoint",
            CheckpointUse::Resume => "resumes a checkpoint",
        };
        format!("{table} and {checkpoint}")
    }

    /// Solves the parts of one worker. Returns the bytes of the [`Total`].
    fn run_worker(&self, steps: &mut Steps<'_>) -> Result<Vec<u8>, ClusterError> {
        let (place, task) = (self.place(), &self.task);
        steps.report.begin(self.shapes.total());
        let worker = steps.worker();
        let is_first = worker.is_multiple_of(place.threads);
        let resumed = match task.checkpoint {
            Some(folder) => resume(steps, Some(folder).filter(|_| is_first), place)?,
            None => None,
        };
        if let (Some(folder), None) = (task.checkpoint, &resumed) {
            // The processes take turns: their folders may be the same.
            for process in 0..place.processes {
                if is_first && process == place.process {
                    folder.remove_others()?;
                }
                steps.broadcast(Vec::new())?;
            }
        }
        let deal = Commit {
            point: SolvePoint::default(),
            processes: place.processes,
            threads: place.threads,
        };
        let blobs = task.checkpoint.map(|folder| folder.own().blobs() as &dyn Blobs);
        let parts = blobs.map(|blobs| LayerParts::new(blobs, worker, deal));
        let mut tools = Tools { steps, work: WorkCounts::default(), parts };
        let reload = resumed.as_ref().zip(task.checkpoint);
        let mut reload =
            reload.map(|(resumed, folder)| Reload::new(resumed, folder, place, worker));
        if reload.as_ref().is_some_and(|reload| reload.point().layer > self.shapes.len()) {
            return Err(Damage("the commit is of no layer of the game".into()).into());
        }
        if let Some(reload) = reload.as_ref().filter(|reload| reload.takes_over()) {
            self.check_takeover(reload.commit())?;
        }
        let from = reload.as_ref().map_or(0, |reload| reload.point().layer);
        if let (true, Some(layers)) = (worker == 0, task.layers) {
            check_layers(layers, from)?;
        }
        let mut solver = (self.make)(self.game, &self.shapes, task, reload.as_mut(), &mut tools)?;
        if let Some(reload) = reload.as_ref().filter(|reload| !reload.is_own()) {
            commit(&mut tools, reload.point())?;
            self.forget_other_deals(&tools, resumed.as_ref().filter(|_| is_first))?;
        }
        let is_writer = worker == 0;
        let files = LayerFiles {
            counts: blobs.filter(|_| is_writer),
            table: task.has_table.then(|| TableOfLayers {
                layout: task.layout,
                memory: task.memory.saturating_sub(self.needs.solving),
                folder: task.layers.filter(|_| is_writer),
            }),
        };
        let counts = solve_layers(self.game, &self.shapes, from, files, &mut tools, &mut *solver)?;
        drop(solver);
        self.join(&mut tools, &counts)
    }

    /// Checks that the process has the memory to take over what other workers have left.
    fn check_takeover(&self, commit: Commit) -> Result<(), ClusterError> {
        let needed = (self.takeover)(self.game, &self.shapes, self.cluster, commit);
        let lacking = needed.saturating_sub(self.task.memory).div_ceil(1 << 20);
        if lacking == 0 {
            return Ok(());
        }
        Err(ClusterError::Refused(format!(
            "{} lacks {lacking} MiB of memory to deal out the parts of --threads {} in {}: give it \
             more, or go on with the same numbers of processes and threads",
            self.cluster.hosts.name(self.cluster.process),
            commit.threads,
            match commit.processes {
                1 => "one process".into(),
                processes => format!("{processes} processes"),
            }
        )))
    }

    /// Removes the parts of an earlier run that were dealt otherwise, once those of this run are
    /// committed. The first worker of each process gives what was resumed.
    fn forget_other_deals(
        &self,
        tools: &Tools<'_, '_>,
        resumed: Option<&Resumed>,
    ) -> Result<(), ClusterError> {
        let (Some(folder), Some(resumed)) = (self.task.checkpoint, resumed) else {
            return Ok(());
        };
        if let Some(parts) = &tools.parts {
            parts.forget_other_deals()?;
        }
        let mut sources = resumed.sources.iter();
        sources.try_for_each(|source| folder.remove_other(source.seen))
    }

    /// Joins the counts of all workers.
    fn join(
        &self,
        tools: &mut Tools<'_, '_>,
        counts: &LayerCounts,
    ) -> Result<Vec<u8>, ClusterError> {
        let mut own = Vec::new();
        put_work(&mut own, tools.work);
        tools.steps.agree(own, |all| {
            let work = all.iter().map(|bytes| {
                take_work(&mut Cursor::new(bytes, "counts of a worker"))
                    .map_err(ClusterError::damaged)
            });
            let start = counts.start.ok_or_else(|| Damage("no layer has the start".into()));
            let histogram = counts.histogram.clone();
            let total = Total {
                solution: StrongSolution {
                    start: start?,
                    summary: Summary::of(&histogram),
                    histogram,
                },
                work: work.collect::<Result<_, _>>()?,
                table_time: counts.table_time,
            };
            Ok(total.to_bytes())
        })
    }
}

/// Checks that the layers before one are stored, of which an earlier run has finished the solve.
fn check_layers(layers: &CheckpointDir, from: u32) -> Result<(), ClusterError> {
    for layer in 0..from {
        if !layers.has_layer(layer)? {
            return Err(ClusterError::Refused(
                "the checkpoint has no layers of a table, as it was begun without one: go on \
                 without a table, or begin again in another folder"
                    .into(),
            ));
        }
    }
    Ok(())
}

/// Result of a solve, as worker 0 tells it to all.
struct Total {
    solution: StrongSolution,
    work: Vec<WorkCounts>,
    table_time: Duration,
}

impl Total {
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_value(&mut out, self.solution.start);
        put_varint(&mut out, self.table_time.as_micros() as u64);
        let rows = self.solution.histogram.rows();
        put_varint(&mut out, rows.len() as u64);
        for (value, positions) in rows {
            put_value(&mut out, value);
            put_varint(&mut out, positions);
        }
        self.work.iter().for_each(|&work| put_work(&mut out, work));
        out
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        let mut cursor = Cursor::new(bytes, "the result");
        let start = take_value(&mut cursor)?;
        let table_time = Duration::from_micros(cursor.varint()?);
        let mut histogram = Histogram::default();
        for _ in 0..cursor.count()? {
            let value = take_value(&mut cursor)?;
            histogram.add(value, cursor.varint()?);
        }
        let mut work = Vec::new();
        while cursor.remaining() > 0 {
            work.push(take_work(&mut cursor)?);
        }
        Ok(Self {
            solution: StrongSolution { start, summary: Summary::of(&histogram), histogram },
            work,
            table_time,
        })
    }
}

fn put_work(out: &mut Vec<u8>, work: WorkCounts) {
    for number in [work.ranks, work.edges, work.edges_away] {
        put_varint(out, number);
    }
}

fn take_work(cursor: &mut Cursor<'_>) -> Result<WorkCounts, Damage> {
    Ok(WorkCounts {
        ranks: cursor.varint()?,
        edges: cursor.varint()?,
        edges_away: cursor.varint()?,
    })
}
