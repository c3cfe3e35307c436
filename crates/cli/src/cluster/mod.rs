//! The command `cluster`: solves in several processes.

mod local;
mod report;

use std::io::{self, Read as _, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_games::{
    AnyGame, Cluster, ClusterError, ClusterNeeds, ClusterOutcome, ClusterSolveTask, DiskNeeds,
    Error, Hosts, Monitor, Progress, SolverError, TableTarget, game,
};

use crate::args::{ClusterArgs, ClusterCommand, ClusterGameArgs, ClusterSolveArgs};
use crate::context::Context;
use crate::files::{disk_needs, layer_folder, open_table, report_and_check_needs};
use crate::inputs::input::read_text;
use crate::output::{Output, print_json, print_message, print_text};
use crate::process::signals::{StopListener, stop, stopped};
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::counted;

/// Most bytes of a hosts file.
const MAX_HOSTS: u64 = 1 << 20;

pub(crate) fn run(args: &ClusterArgs, context: &Context) -> Result<()> {
    match &args.command {
        ClusterCommand::Solve(args) => run_process(args, context),
        ClusterCommand::Local(args) => local::run(args, context),
    }
}

/// Runs one of the processes of a solve.
fn run_process(args: &ClusterSolveArgs, context: &Context) -> Result<()> {
    if args.end_with_input {
        start_thread(end_with_input)?;
    }
    let hosts = read_hosts(&args.hosts)?;
    let (process, processes) = (args.process, hosts.processes());
    if process >= processes {
        bail!(
            "--process {process} has no line in '{}', which has {}, numbered from 0",
            args.hosts.display(),
            counted(processes as u64, "process")
        );
    }
    let game = game(&args.game.spec)?;
    let listen = args.bind.map(|address| SocketAddr::new(address, hosts.port(process)));
    let cluster = Cluster {
        hosts: &hosts,
        process,
        threads: rayon::current_num_threads(),
        listen,
        wait: Duration::from_secs_f64(args.connect_seconds),
        silence: Duration::from_secs(args.silent_seconds.into()),
        version: env!("CARGO_PKG_VERSION"),
        tell: if context.quiet { Arc::new(|_: &str| ()) } else { Arc::new(print_message) },
    };
    let share = ProcessShare { game: &game, args: &args.game, cluster: &cluster, context };
    match process {
        0 => share.solve_and_print(),
        _ => share.solve(None, None).map(|_| ()),
    }
}

/// Starts a thread, which the system may refuse.
fn start_thread<T: Send + 'static>(
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>> {
    let started = thread::Builder::new().spawn(run);
    started.context("cannot make a thread; see the limits of the system (ulimit)")
}

fn read_hosts(path: &Path) -> Result<Hosts> {
    let name = path.display();
    let text = read_text(path, MAX_HOSTS).with_context(|| format!("cannot read '{name}'"))?;
    let text = text.with_context(|| format!("'{name}' is no text, or longer than a hosts file"))?;
    Hosts::parse(&text).map_err(|error| anyhow!("'{name}': {error}"))
}

/// Stops the solve when standard input ends.
fn end_with_input() {
    let mut rest = Vec::new();
    let _ = std::io::stdin().read_to_end(&mut rest);
    stop();
}

/// Share of a process in a solve.
struct ProcessShare<'a> {
    game: &'a AnyGame,
    args: &'a ClusterGameArgs,
    cluster: &'a Cluster<'a>,
    context: &'a Context,
}

impl ProcessShare<'_> {
    /// Solves the game, writes the table and prints the answer.
    fn solve_and_print(&self) -> Result<()> {
        // A stop that comes before the display listens leaves no files, and a table that has its
        // name is not stopped any more.
        let _listener = StopListener::new();
        let opened = open_table(&self.args.files, &self.args.spec, self.context.force);
        let (mut out, refusal) = match opened {
            Ok(out) => (out, None),
            Err(error) => (None, Some(format!("{error:#}"))),
        };
        let outcome = self.solve(out.as_mut(), refusal)?;
        let answer = report::answer(self.game, self.cluster, &outcome, out.as_ref())?;
        out.map_or(Ok(()), Output::finish)?;
        if self.context.json {
            print_json(&answer)
        } else {
            print_text(&report::text(&answer, self.game, &outcome, self.context)?)
        }
    }

    /// Solves the game together with the other processes. Process 0 gives the file of the table.
    fn solve(&self, out: Option<&mut Output>, refusal: Option<String>) -> Result<ClusterOutcome> {
        let files = &self.args.files;
        let (layers, refusal) = match (&out, &files.checkpoint) {
            (Some(_), None) => match layer_folder(files) {
                Ok(folder) => (folder, refusal),
                Err(error) => (None, Some(format!("{error:#}"))),
            },
            _ => (None, refusal),
        };
        let mut begin = |needs: &ClusterNeeds| {
            self.report_needs(needs)?;
            let is_shown = self.cluster.process == 0 && !self.context.quiet;
            Ok(Box::new(SolveDisplay(ProgressDisplay::new(!is_shown))) as Box<dyn Monitor>)
        };
        let mut out = out.map(StoppableOutput);
        let task = ClusterSolveTask {
            cluster: self.cluster,
            memory: self.context.limits().memory,
            limit_as_begun: !self.context.memory_is_given,
            layout: self.args.layout.map(Into::into),
            checkpoint: files.checkpoint.as_deref(),
            resume: files.resume,
            has_table: files.out.is_some(),
            table: out.as_mut().map(|out| TableTarget {
                out,
                layers: layers.as_ref().map(|folder| folder.path()),
            }),
            refusal,
            reword: match &layers {
                Some(folder) => Arc::new(folder.naming_table(files)),
                None => Arc::new(|sentence| sentence),
            },
            begin: &mut begin,
        };
        let solved = self.game.solve_in_cluster(task).map_err(cluster_error);
        solved.map_err(|error| match &layers {
            Some(folder) => folder.name_table(error, files),
            None => error,
        })
    }

    /// Prints the needs of this process, and refuses those that exceed the free space of a disk.
    fn report_needs(&self, needs: &ClusterNeeds) -> Result<()> {
        let (process, processes) = (self.cluster.process, self.cluster.hosts.processes());
        let work = format!(
            "process {process} of {processes}, {}: every position of {}, {} in {}",
            counted(self.cluster.threads as u64, "thread"),
            self.game.spec(),
            counted(needs.ranks, "rank"),
            counted(needs.layers, "layer"),
        );
        let files = &self.args.files;
        let whole = match process {
            0 => DiskNeeds::of_values(self.game.rules(), needs.ranks, files.out.is_some()),
            _ => DiskNeeds::default(),
        };
        let disk = DiskNeeds {
            layers: if files.out.is_some() { whole.layers } else { 0 },
            unfinished: files.checkpoint.as_ref().map_or(0, |_| 2 * needs.solving),
            ..whole
        };
        if needs.memory > self.context.limits().memory {
            return Ok(());
        }
        report_and_check_needs(&work, needs.memory, disk_needs(files, disk), "", self.context)
    }
}

/// File of a table whose copying a signal stops.
struct StoppableOutput<'a>(&'a mut Output);

impl Write for StoppableOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if stopped() { Err(io::Error::other("stopped")) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Display of a solve; a process that waits for others has no progress to show.
struct SolveDisplay(ProgressDisplay);

impl Monitor for SolveDisplay {
    fn report(&mut self, progress: Progress) -> bool {
        match progress.phase {
            "waiting" => !stopped(),
            _ => self.0.report(progress),
        }
    }
}

/// Turns the error of a solve into a sentence.
fn cluster_error(error: Error) -> anyhow::Error {
    match error {
        Error::Cluster(ClusterError::Solve(SolverError::Stopped)) => SolverError::Stopped.into(),
        // Two processes that are stopped at once may hear of each other first.
        Error::Cluster(ClusterError::Lost(_)) | Error::Output(_) if stopped() => {
            SolverError::Stopped.into()
        }
        Error::Cluster(ClusterError::Solve(error)) => error.into(),
        error => error.into(),
    }
}
