//! Arguments of `cluster`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Subcommand;

use super::{FileArgs, LayoutArg};

#[derive(clap::Args, Debug)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  hindsight cluster local -n 2 solve onitama:3x4:boar
  hindsight cluster local -n 2 solve quoridor:3x3:1 --out q.table

`hindsight cluster solve` is one process of several, each started by hand or by a batch system; \
docs/cluster.md shows how on machines of your own and with Slurm."
)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    pub(crate) command: ClusterCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ClusterCommand {
    /// Solve a game as one of several processes
    Solve(ClusterSolveArgs),
    /// Start all processes of a solve on this machine
    Local(ClusterLocalArgs),
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
The hosts file has a line for each process: a name, or a name and a port, such as node7:17017; the \
port is 17017 if none is named. Empty lines and what follows a # are skipped. Process K is that of \
line K, counted from 0, and listens at that address. Give every process the same file, the same \
game and the same options, but for --process and --memory.

Each process holds a part of the positions, so memory is shared out. Process 0 shows the progress, \
prints the answer and writes the table, which is the same file as that of `hindsight solve`.

With --checkpoint each process keeps its part in DIR/process-K-of-N after every ply or layer. DIR \
may be shared or local. --resume goes on with any number of processes, as long as every folder is \
on one of the machines, and that of process 0 where process 0 runs.

Connections are neither encrypted nor checked for who calls: use a network that you trust. Data \
that is damaged on the way is noticed. If a process ends, all others end within seconds, with one \
sentence that names it.")]
pub(crate) struct ClusterSolveArgs {
    #[command(flatten)]
    pub(crate) game: ClusterGameArgs,
    /// File with the address of each process, a line each
    #[arg(long, value_name = "FILE")]
    pub(crate) hosts: PathBuf,
    /// Number of this process: its line in the hosts file, from 0
    #[arg(
        long,
        value_name = "K",
        allow_negative_numbers = true,
        value_parser = parse_process
    )]
    pub(crate) process: usize,
    /// Listen on this address of the machine, such as 0.0.0.0 [default: that of the hosts file]
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) bind: Option<IpAddr>,
    /// Wait so long for the other processes
    #[arg(
        long,
        value_name = "N",
        default_value = "300",
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) connect_seconds: f64,
    /// Give a process up that has been silent for so long, as one is that is paused
    #[arg(
        long,
        value_name = "N",
        default_value = "300",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("seconds", 5..=1_000_000)
    )]
    pub(crate) silent_seconds: u32,
    /// End when standard input ends: for a process that another one has started
    #[arg(long, hide = true)]
    pub(crate) end_with_input: bool,
}

#[derive(clap::Args, Debug)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  hindsight cluster local -n 2 solve onitama:3x4:boar
  hindsight cluster local -n 2 --threads 1 solve quoridor:3x3:1 --out q.table

Threads and memory are shared out evenly, unless --threads is named, which is for each process."
)]
pub(crate) struct ClusterLocalArgs {
    /// Number of processes, 1 to 64
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u16>("processes", 1..=64)
    )]
    pub(crate) processes: u16,
    #[command(subcommand)]
    pub(crate) command: LocalCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum LocalCommand {
    /// Solve a game by all processes together
    Solve(ClusterGameArgs),
}

/// Game, layout and files of a solve in several processes.
#[derive(clap::Args, Debug)]
pub(crate) struct ClusterGameArgs {
    /// The game, such as onitama:4x4:boar
    pub(crate) spec: String,
    /// Layout of the table
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) layout: Option<LayoutArg>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

fn parse_process(text: &str) -> Result<usize, String> {
    let number = text.parse::<u16>().map(usize::from);
    number.map_err(|_| String::from("the number of a process, from 0"))
}

fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.parse()
        .map_err(|_| String::from("an address of this machine, such as 10.0.0.7 or 0.0.0.0"))
}
