//! The command `hindsight`: solves board games exactly. The program of that name calls
//! [`run_command`], and so does the command of the Python package. `docs/command.md` has the
//! commands.
//!
//! Cost: the process keeps to one limit of memory. A solver has what that leaves beside the program
//! itself and the tables of its game; agents divide what the process has left.
//!
//! ```no_run
//! let code = hindsight_cli::run_command(["hindsight", "games"].map(std::ffi::OsString::from));
//! assert_eq!(code, 0);
//! ```
//!
//! Options that all commands share become a `Context`: the form of the answer, and the memory
//! limit. A command stands on the front door, `hindsight_games`, and prints a type of
//! `hindsight_answers`. CSV is quoted by RFC 4180 with `\n` at the end of a line; positions, moves
//! and names of layers always have quotes. `study` runs the program `hindsight-papers` for the
//! studies of papers.
//!
//! All output goes through `output`: answers, messages and files. A message that cannot be written
//! is dropped. A target is checked before long work begins. An output file is written under another
//! name in the same folder, until `finish_all` gives all files of a command their names, or none. A
//! live file grows line by line.
//!
//! `signals.rs` has the one thread that waits for signals. `temporary.rs` knows the files to remove
//! at the end of the process, even if no destructor runs. Errors become sentences where a command
//! ends (`errors.rs`).

mod agent;
mod analyse;
mod args;
mod audit;
mod cache;
#[cfg_attr(not(feature = "cluster"), path = "cluster/no_cluster.rs")]
mod cluster;
mod context;
mod deals;
mod draw;
mod fairness;
mod files;
mod generate;
mod graph;
mod help;
mod inputs;
mod laws;
mod line;
mod list;
mod matches;
mod output;
mod perft;
mod play;
mod probe;
mod process;
mod puzzles;
mod reach;
mod review;
#[cfg_attr(not(feature = "serve"), path = "serve/no_server.rs")]
mod serve;
mod shown;
mod solve;
mod study;
mod tables;
mod tournament;

use std::ffi::OsString;
use std::io::Write;
use std::sync::OnceLock;

use anyhow::{Result, bail};

use args::{Args, Command};
use context::Context;
use inputs::programs_of_rules;
use output::print_message;
use process::exit::{DONE, FAILURE, NO};
use study::Papers;

pub use process::huge_pages::HugePages;

/// Parts of the command for a program of further studies.
pub mod studies {
    pub use crate::args::{ResumableStudyArgs, StudyArgs, StudyName};
    pub use crate::context::Context;
    pub use crate::inputs::game_with_values::{SolveWish, ValuesSource, game_and_values};
    pub use crate::inputs::input::read_text;
    pub use crate::inputs::named_agent::NamedAgent;
    pub use crate::inputs::spec::spec_error;
    pub use crate::output::print_message;
    pub use crate::process::signals::stopped;
    pub use crate::shown::charts::{write_figure, write_page};
    pub use crate::shown::progress::ProgressDisplay;
    pub use crate::study::{
        BoardShare, MergedFolder, PaperStudies, PartLabel, PartReport, StudyAnswer, StudyFolder,
        StudyLabel, StudyOutcome, StudyParts, parse_tables, read_series, series_path,
    };
    pub use crate::tables::open_any;
}

/// Number of arguments of the command line.
static OWN_ARGUMENTS: OnceLock<usize> = OnceLock::new();

/// Returns the number of arguments of the command line, after the name of the program.
#[cfg(feature = "cluster")]
pub(crate) fn own_arguments() -> usize {
    OWN_ARGUMENTS.get().copied().unwrap_or(0)
}

/// Runs a command line, of which the first text is the name of the program, and returns the exit
/// code. To be called once in a process, which is expected to end then: signals are handled from
/// then on.
#[must_use]
pub fn run_command(line: impl IntoIterator<Item = OsString>) -> u8 {
    run_line(line.into_iter().collect(), 0)
}

/// As [`run_command`], for a program of `study` alone, which has the studies of papers.
#[must_use]
pub fn run_studies(
    line: impl IntoIterator<Item = OsString>,
    papers: &dyn studies::PaperStudies,
) -> u8 {
    let line: Vec<OsString> = line.into_iter().collect();
    run_args(&line, 0, |args, context| match &args.command {
        Command::Study(args) => study::run(args, context, Papers::Here(papers)).map(|()| true),
        _ => bail!("this program has the command `study` alone; `hindsight` has the others"),
    })
}

/// As [`run_command`], in the process of another program, such as Python. Limits of memory hold for
/// both.
#[must_use]
pub fn run_command_in_host(line: Vec<OsString>) -> u8 {
    run_line(line, process::memory::host_bytes())
}

fn run_line(line: Vec<OsString>, host_bytes: u64) -> u8 {
    let papers = Papers::There(&line);
    run_args(&line, host_bytes, |args, context| run(args, context, papers))
}

/// Runs the command of a line by `run`, and returns the exit code.
fn run_args(
    line: &[OsString],
    host_bytes: u64,
    run: impl FnOnce(&Args, &Context) -> Result<bool>,
) -> u8 {
    let _ = OWN_ARGUMENTS.set(line.len().saturating_sub(1));
    let (args, specs) = match help::parse_args(line.iter().cloned()) {
        Ok(parsed) => parsed,
        Err(error) => return report_usage_error(&error),
    };
    let context = match begin(&args, host_bytes) {
        Ok(context) => context,
        Err(error) => return report_error(&error),
    };
    let done = programs_of_rules::catch(&specs, || {
        programs_of_rules::start(&specs, &args, &context)?;
        run(&args, &context)
    });
    match done {
        Ok(true) => DONE,
        Ok(false) => NO,
        Err(error) => report_error(&context.explained(error)),
    }
}

/// Prints help on standard output, or the fault of the options in one line on standard error.
fn report_usage_error(error: &clap::Error) -> u8 {
    use clap::error::ErrorKind;
    let asked_for = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
    let no_command = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if asked_for.contains(&error.kind()) || error.kind() == no_command {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return match printed {
            Err(error) => report_error(&error.into()),
            Ok(()) if error.kind() == no_command => FAILURE,
            Ok(()) => DONE,
        };
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    // Left out: clap's tips to pass an option as a value, which misleads here, and of names that
    // have some letters in common.
    let lines = lines.filter(|line| {
        let is_tip = line.contains("as a value") || line.starts_with("tip: ");
        !line.is_empty() && !is_tip && !line.starts_with("For more")
    });
    let mut message = lines.collect::<Vec<_>>().join(" ");
    if let Some(name) = help::meant_name(error) {
        message.push_str(&format!("; did you mean '{name}'?"));
    }
    // The usage of a command names POSITION only if the command takes one.
    let is_option = message.contains("'-") && !message.contains("'-'");
    let may_be_unquoted = text.contains("[POSITION]") && !is_option;
    if error.kind() == ErrorKind::UnknownArgument && may_be_unquoted {
        message.push_str("; a position with spaces in it goes in quotes");
    }
    print_message(&format!("hindsight: {} (see --help)", message.trim_start_matches("error: ")));
    FAILURE
}

/// Resolves the options against the machine.
fn begin(args: &Args, host_bytes: u64) -> Result<Context> {
    process::signals::install_handlers()?;
    let context = Context::resolve(args, host_bytes)?;
    if !args.command.reports_needed_memory() {
        context.check_rest(0)?;
    }
    Ok(context)
}

/// Runs the command; returns false if it asks a question whose answer is "no".
fn run(args: &Args, context: &Context, papers: Papers<'_>) -> Result<bool> {
    let result = match &args.command {
        Command::Verify(args) => return tables::verify::run(args, context),
        Command::Laws(args) => return laws::run(args, context),
        Command::Deals(args) => return deals::run(args, context),
        Command::Probe(args) => return probe::run(args, context),
        Command::Compare(args) => return tables::compare::run(args, context),
        Command::Stats(args) => tables::stats::run(args, context),
        Command::Export(args) => tables::export::run(args, context),
        Command::Info(args) => tables::info::run(args, context),
        Command::Solve(args) => solve::run(args, context),
        Command::Cluster(args) => cluster::run(args, context),
        Command::Analyse(args) => analyse::run(args, context),
        Command::Cache(args) => cache::run(args, context),
        Command::Line(args) => line::run(args, context),
        Command::Reach(args) => reach::run(args, context),
        Command::Perft(args) => perft::run(args, context),
        Command::Draw(args) => draw::run(args, context),
        Command::Puzzles(args) => puzzles::run(args, context),
        Command::Review(args) => review::run(args, context),
        Command::Match(args) => matches::run(args, context),
        Command::Tournament(args) => tournament::run(args, context),
        Command::Agent(args) => agent::run(args, context),
        Command::Audit(args) => audit::run(args, context),
        Command::Play(args) => play::run(args, context),
        Command::Fairness(args) => fairness::run(args, context),
        Command::Graph(args) => graph::run(args, context),
        Command::Study(args) => study::run(args, context, papers),
        Command::Serve(args) => serve::run(args, context),
        Command::Games => list::games(context),
        Command::Cards(args) => list::cards(args, context),
        Command::Completions(args) => generate::completions(args),
        Command::Man(args) => generate::man(args),
    };
    result.map(|()| true)
}

/// Prints an error on standard error and returns the exit code.
fn report_error(error: &anyhow::Error) -> u8 {
    let is_broken_pipe = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    if error.chain().filter_map(|cause| cause.downcast_ref()).any(is_broken_pipe) {
        // A reader that closes the pipe, such as `head`, has all that it asked for.
        return DONE;
    }
    if let Some(hindsight_games::SolverError::Stopped) = error.downcast_ref() {
        print_message("hindsight: stopped");
        return process::signals::exit_code();
    }
    print_message(&format!("hindsight: {error:#}"));
    FAILURE
}
