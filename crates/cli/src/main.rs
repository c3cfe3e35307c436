//! The command `hindsight`: solves board games exactly.

mod args;
mod audit;
mod every;
mod every_state;
mod export;
mod files;
mod generate;
#[expect(
    unsafe_code,
    reason = "an allocator cannot be written without; it gains 8 %"
)]
mod huge_pages;
mod line;
mod list;
mod matches;
mod memory;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod perft;
mod planes;
mod probe;
mod progress;
mod puzzles;
mod reach;
mod show;
mod sitting;
mod solution;
mod solve;
mod strategy;
mod study;
mod tables;
mod weak;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use args::{Args, Command};

#[global_allocator]
static ALLOCATOR: huge_pages::HugePages = huge_pages::HugePages;

/// Done.
const DONE: u8 = 0;
/// The answer is "no".
const NO: u8 = 1;
/// Failure or bad input; nothing was written.
const FAILURE: u8 = 2;
/// Stopped by Ctrl-C.
const STOPPED: u8 = 130;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return misread(&error),
    };
    match run(&args) {
        Ok(true) => ExitCode::from(DONE),
        Ok(false) => ExitCode::from(NO),
        Err(error) => ExitCode::from(explain(&error)),
    }
}

/// Help goes to standard output; what is wrong with the options, in one line to standard error.
fn misread(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    let wanted = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
    let no_command = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if wanted.contains(&error.kind()) || error.kind() == no_command {
        // If nobody reads it there is nobody to tell.
        let _ = error.print();
        return ExitCode::from(if error.kind() == no_command {
            FAILURE
        } else {
            DONE
        });
    }
    let text = error.to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:"));
    // Tips that tell how to pass an option as a value help nobody here.
    let lines = lines.filter(|line| {
        !line.is_empty() && !line.contains("as a value") && !line.starts_with("For more")
    });
    let mut message = lines.collect::<Vec<_>>().join(" ");
    // Only a command that takes a position has one in its usage.
    let unquoted = text.contains("[POSITION]") && !message.contains("'-");
    if error.kind() == ErrorKind::UnknownArgument && unquoted {
        message.push_str("; a position with spaces in it goes in quotes");
    }
    eprintln!(
        "hindsight: {} (see --help)",
        message.trim_start_matches("error: ")
    );
    ExitCode::from(FAILURE)
}

/// Whether the answer is "yes", where a question was asked.
fn run(args: &Args) -> Result<bool> {
    if let Some(threads) = args.common.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()?;
    }
    let done = match &args.command {
        Command::Verify(own) => return tables::verify::run(own, &args.common),
        Command::Compare(own) => return tables::compare::run(own, &args.common),
        Command::Stats(own) => tables::stats::run(own, &args.common),
        Command::Export(own) => tables::export::run(own, &args.common),
        Command::Info(own) => tables::info::run(own, &args.common),
        Command::Solve(own) => solve::run(own, &args.common),
        Command::Probe(own) => probe::run(own, &args.common),
        Command::Line(own) => line::run(own, &args.common),
        Command::Reach(own) => reach::run(own, &args.common),
        Command::Perft(own) => perft::run(own, &args.common),
        Command::Puzzles(own) => puzzles::run(own, &args.common),
        Command::Match(own) => matches::run(own, &args.common),
        Command::Audit(own) => audit::run(own, &args.common),
        Command::Play(own) => sitting::run(own, &args.common),
        Command::Graph(own) => export::run(own, &args.common),
        Command::Study(own) => study::run(own, &args.common),
        Command::Games => list::games(&args.common),
        Command::Cards(own) => list::cards(own, &args.common),
        Command::Completions(own) => generate::completions(own),
        Command::Man(own) => generate::man(own),
    };
    done.map(|()| true)
}

/// Says on standard error what went wrong; the exit code.
fn explain(error: &anyhow::Error) -> u8 {
    if let Some(io) = error.downcast_ref::<std::io::Error>()
        && io.kind() == std::io::ErrorKind::BrokenPipe
    {
        // The reader has what it wanted, as `head` has.
        return DONE;
    }
    if let Some(::solve::Error::Stopped) = error.downcast_ref() {
        eprintln!("hindsight: stopped");
        return STOPPED;
    }
    eprintln!("hindsight: {error:#}");
    FAILURE
}
