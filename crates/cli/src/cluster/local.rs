//! All processes of a solve on this machine. They stop with this one, as it sends them the signal,
//! or by the end of their standard input.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use hindsight_games::SolverError;
use rustix::process::{Pid, Signal, kill_process};

use super::start_thread;
use crate::args::{ClusterGameArgs, ClusterLocalArgs, LocalCommand};
use crate::context::Context;
use crate::output::print_message;
use crate::process::signals::{StopListener, first_signal, stopped};

/// Time between two looks at the processes.
const LOOK: Duration = Duration::from_millis(50);
/// Time in which all processes end by themselves once one has failed.
const END_TIME: Duration = Duration::from_secs(5);

/// Starts all processes and waits for them.
pub(super) fn run(args: &ClusterLocalArgs, context: &Context) -> Result<()> {
    let LocalCommand::Solve(game) = &args.command;
    let processes = usize::from(args.processes);
    let folder = tempfile::tempdir().context("cannot make a folder for the hosts file")?;
    let hosts = folder.path().join("hosts");
    write_hosts(&hosts, &free_addresses(processes)?)?;
    let _listener = StopListener::new();
    let mut running = Vec::new();
    for process in 0..processes {
        let mut command = process_command(game, context, processes)?;
        command.arg("--hosts").arg(&hosts);
        command.args(["--process", &process.to_string()]);
        match start(command, process) {
            Ok(started) => running.push(started),
            Err(error) => {
                running.iter().for_each(|running| terminate(&running.child));
                let _ = wait_for(&mut running);
                return Err(error);
            }
        }
    }
    wait_for(&mut running)
}

/// Hosts file with a free port of this machine for each process.
fn free_addresses(processes: usize) -> Result<String> {
    let bind = |_| TcpListener::bind("127.0.0.1:0");
    let listeners: std::io::Result<Vec<TcpListener>> = (0..processes).map(bind).collect();
    let listeners = listeners.context("cannot listen on 127.0.0.1")?;
    let lines = listeners.iter().map(|listener| {
        let address = listener.local_addr().context("a listener without an address")?;
        Ok(format!("{address}\n"))
    });
    lines.collect()
}

/// Command line of `cluster solve`, without what differs from process to process.
fn process_command(game: &ClusterGameArgs, context: &Context, processes: usize) -> Result<Command> {
    let mut command = own_program()?;
    command.args(["cluster", "solve", &game.spec, "--end-with-input"]);
    if let Some(layout) = game.layout.as_ref().and_then(clap::ValueEnum::to_possible_value) {
        command.args(["--layout", layout.get_name()]);
    }
    if let Some(out) = &game.files.out {
        command.arg("--out").arg(out);
    }
    if let Some(checkpoint) = &game.files.checkpoint {
        command.arg("--checkpoint").arg(checkpoint);
    }
    let threads = match context.threads {
        Some(threads) => threads,
        None => (rayon::current_num_threads() / processes).max(1),
    };
    command.args(["--threads", &threads.to_string()]);
    command.args(["--memory", &(context.memory / processes as u64).to_string()]);
    let flags = [
        ("--resume", game.files.resume),
        ("--json", context.json),
        ("--quiet", context.quiet),
        ("--plain", context.plain),
        ("--force", context.force),
    ];
    command.args(flags.into_iter().filter(|flag| flag.1).map(|flag| flag.0));
    Ok(command)
}

/// This program, as it was called: by itself, or as a script of another one.
fn own_program() -> Result<Command> {
    let program = env::current_exe().context("this program has no path")?;
    let mut command = Command::new(program);
    let line: Vec<OsString> = env::args_os().collect();
    let script = line.len() - crate::own_arguments().min(line.len());
    command.args(line.get(1..script).unwrap_or(&[]));
    Ok(command)
}

/// A process that was started.
struct Running {
    process: usize,
    child: Child,
    /// Thread that passes on what the process says.
    voice: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(voice) = self.voice.take() {
            let _ = voice.join();
        }
    }
}

/// Starts a process. What the others but process 0 say is printed with their number.
fn start(mut command: Command, process: usize) -> Result<Running> {
    command.stdin(Stdio::piped());
    if process > 0 {
        command.stdout(Stdio::null()).stderr(Stdio::piped());
    }
    let spawned = command.spawn();
    let mut child = spawned.with_context(|| format!("cannot start process {process}"))?;
    let stderr = child.stderr.take();
    let mut running = Running { process, child, voice: None };
    if let Some(stderr) = stderr {
        match start_thread(move || pass_on(stderr, process)) {
            Ok(voice) => running.voice = Some(voice),
            Err(error) => {
                let _ = running.child.kill();
                let _ = running.child.wait();
                return Err(error);
            }
        }
    }
    Ok(running)
}

fn pass_on(stderr: ChildStderr, process: usize) {
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        print_message(&format!("[{process}] {line}"));
    }
}

/// Waits until all processes have ended.
fn wait_for(running: &mut Vec<Running>) -> Result<()> {
    let mut failed: Option<(usize, ExitStatus)> = None;
    let mut failed_at: Option<Instant> = None;
    let mut told_at: Option<Instant> = None;
    while !running.is_empty() {
        let is_late = failed_at.is_some_and(|at| at.elapsed() > END_TIME);
        if (stopped() || is_late) && told_at.is_none() {
            told_at = Some(Instant::now());
            running.iter().for_each(|running| terminate(&running.child));
        }
        if told_at.is_some_and(|at| at.elapsed() > 2 * END_TIME) {
            running.iter_mut().for_each(|running| drop(running.child.kill()));
        }
        let mut ended = Vec::new();
        for (i, running) in running.iter_mut().enumerate() {
            let status = running.child.try_wait().context("cannot wait for a process")?;
            if let Some(status) = status {
                ended.push(i);
                if !status.success() {
                    failed.get_or_insert((running.process, status));
                    failed_at.get_or_insert(Instant::now());
                }
            }
        }
        ended.into_iter().rev().for_each(|i| drop(running.swap_remove(i)));
        thread::sleep(LOOK);
    }
    match failed {
        None => Ok(()),
        Some(_) if stopped() => Err(SolverError::Stopped.into()),
        Some((process, status)) => bail!("process {process} has failed: {status}"),
    }
}

/// Asks a process to stop, by the signal that has stopped this one: a terminal sends it to all, and
/// the same signal is no second stop. A process that is paused goes on, or it would not hear of it.
fn terminate(child: &Child) {
    if let Some(pid) = Pid::from_raw(child.id() as i32) {
        let signal = first_signal().and_then(Signal::from_named_raw);
        let _ = kill_process(pid, signal.unwrap_or(Signal::TERM));
        let _ = kill_process(pid, Signal::CONT);
    }
}

fn write_hosts(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write '{}'", path.display()))
}
