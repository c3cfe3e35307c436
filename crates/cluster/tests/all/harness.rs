//! Several processes in one: a thread for each, connected through the loopback interface.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use hindsight_cluster::{
    CheckpointOf, CheckpointUse, Cluster, ClusterError, ClusterPlan, ClusterSolution, ClusterTask,
    Hosts, PlanEnds, ProcessFolder,
};
use hindsight_core::PackedGame;
use hindsight_engine::{Limits, Monitor, NoMonitor, Progress};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_tablebase::{CheckpointDir, Layout};

/// Shares of a solve.
#[derive(Clone)]
pub(crate) struct Shares {
    pub(crate) processes: usize,
    pub(crate) threads: usize,
    pub(crate) layout: Layout,
    pub(crate) checkpoint: Option<PathBuf>,
    /// True if each process has a folder of its own in it, as on a disk of its own.
    pub(crate) has_own_disks: bool,
    pub(crate) resume: bool,
    /// Process that is stopped, and the number of its report at which it is.
    pub(crate) stop: Option<(usize, u64)>,
    /// Spec that the last process solves in place of that of the others.
    pub(crate) other_spec: Option<&'static str>,
}

impl Shares {
    pub(crate) fn new(processes: usize, threads: usize) -> Self {
        Self {
            processes,
            threads,
            layout: Layout::Full,
            checkpoint: None,
            has_own_disks: false,
            resume: false,
            stop: None,
            other_spec: None,
        }
    }
}

/// Result of each process.
pub(crate) type Results = Vec<Result<ClusterSolution, ClusterError>>;

/// Solves a game by several processes. Process 0 writes the table to `table`, if it is given.
pub(crate) fn solve(spec: &str, shares: &Shares, table: Option<&Path>) -> Results {
    let hosts = Hosts::parse(&free_addresses(shares.processes)).expect("addresses");
    let hosts = &hosts;
    thread::scope(|scope| {
        let process = |process: usize| {
            let last = process + 1 == shares.processes;
            let spec = shares.other_spec.filter(|_| last).unwrap_or(spec);
            scope.spawn(move || {
                let cluster = Cluster {
                    hosts,
                    process,
                    threads: shares.threads,
                    listen: None,
                    wait: Duration::from_secs(20),
                    silence: Duration::from_secs(60),
                    version: "test",
                    tell: Arc::new(|_: &str| ()),
                };
                let game = by_name(spec, &Setup::default()).expect("a game");
                Share { spec, cluster: &cluster, shares, table }.run(&game)
            })
        };
        let running: Vec<_> = (0..shares.processes).map(process).collect();
        let results = running.into_iter().map(|thread| thread.join().expect("no panic"));
        results.collect()
    })
}

/// Hosts file of free ports.
fn free_addresses(processes: usize) -> String {
    let listeners: Vec<TcpListener> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    let address = |listener: &TcpListener| listener.local_addr().expect("an address").to_string();
    listeners.iter().map(|listener| address(listener) + "\n").collect()
}

/// Share of one process.
struct Share<'a> {
    spec: &'a str,
    cluster: &'a Cluster<'a>,
    shares: &'a Shares,
    table: Option<&'a Path>,
}

/// Monitor that stops the work at a report.
struct StopAt(Option<u64>);

impl Monitor for StopAt {
    fn report(&mut self, progress: Progress) -> bool {
        if progress.phase == "waiting" {
            return true;
        }
        match &mut self.0 {
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
            None => true,
        }
    }
}

impl Share<'_> {
    fn run(&self, game: &PackedGame) -> Result<ClusterSolution, ClusterError> {
        let (process, processes) = (self.cluster.process, self.shares.processes);
        let (spec, layout) = (self.spec, self.shares.layout);
        let game_of = CheckpointOf { spec, layout, resume: self.shares.resume };
        let checkpoint = self.shares.checkpoint.as_ref();
        let dir = checkpoint.map(|dir| {
            if self.shares.has_own_disks { dir.join(process.to_string()) } else { dir.clone() }
        });
        let folder = dir
            .as_ref()
            .map(|dir| ProcessFolder::open(dir, process, processes, game_of))
            .transpose();
        let (folder, refusal) = match folder {
            Ok(folder) => (folder, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let table = self.table.filter(|_| process == 0);
        let temporary = tempfile::tempdir().expect("a folder");
        let created = CheckpointDir::create(temporary.path(), spec, layout).expect("a folder");
        let layers = table.map(|_| folder.as_ref().map_or(&created, ProcessFolder::own));
        let task = ClusterTask {
            spec,
            layout,
            memory: u64::MAX,
            checkpoint: folder.as_ref(),
            checkpoint_use: match (checkpoint, self.shares.resume) {
                (None, _) => CheckpointUse::Nothing,
                (Some(_), false) => CheckpointUse::Begin,
                (Some(_), true) => CheckpointUse::Resume,
            },
            commit_interval: Duration::ZERO,
            has_table: self.table.is_some(),
            layers,
        };
        let stop = self.shares.stop.filter(|stop| stop.0 == process);
        let plan = ClusterPlan::new(game, self.cluster, task);
        let ends = PlanEnds {
            refusal,
            last: &mut |_| Ok(()),
            has_begun: &mut false,
            reword: Arc::new(|sentence| sentence),
        };
        let solved = plan.run(&mut StopAt(stop.map(|stop| stop.1)), ends)?;
        if let (Some(layers), Some(table)) = (layers, table) {
            layers.finish_to(table)?;
        }
        Ok(solved)
    }
}

/// Writes the table of a game by one process with the solver of the shared memory.
pub(crate) fn write_alone(spec: &str, layout: Layout, table: &Path) {
    let game = by_name(spec, &Setup::default()).expect("a game");
    let folder = tempfile::tempdir().expect("a folder");
    let dir = CheckpointDir::create(folder.path(), spec, layout).expect("a folder");
    let mut store = dir.layer_store(&game);
    let plan = TierPlan::new(&game);
    tiered::solve(&game, &plan, &mut store, Limits::default(), &mut NoMonitor).expect("a solve");
    dir.finish_to(table).expect("a table");
}
