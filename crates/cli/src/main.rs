//! The command `hindsight`: solves board games exactly.

mod agent_memory;
mod args;
mod audit;
mod context;
mod errors;
mod exit;
mod files;
mod game_with_values;
mod generate;
mod graph;
#[expect(
    unsafe_code,
    reason = "an allocator cannot be written without; it gains 8 % of the time"
)]
mod huge_pages;
mod input;
mod line;
mod list;
mod matches;
mod memory;
mod output;
mod perft;
mod play;
mod probe;
mod progress;
mod puzzles;
mod reach;
mod signals;
mod sizes;
mod solve;
mod spec;
mod study;
mod tables;
mod temporary;
mod text;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use args::{Args, Command};
use context::Context;
use exit::{DONE, FAILURE, NO};
use output::print_message;

#[global_allocator]
static ALLOCATOR: huge_pages::HugePages = huge_pages::HugePages;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return report_usage_error(&error),
    };
    match run(&args) {
        Ok(true) => ExitCode::from(DONE),
        Ok(false) => ExitCode::from(NO),
        Err(error) => ExitCode::from(report_error(&error)),
    }
}

/// Help goes to standard output; what is wrong with the options, in one line to standard error.
fn report_usage_error(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    let wanted = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
    let no_command = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if wanted.contains(&error.kind()) || error.kind() == no_command {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return ExitCode::from(match printed {
            Err(error) => report_error(&error.into()),
            Ok(()) if error.kind() == no_command => FAILURE,
            Ok(()) => DONE,
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
    let is_option = message.contains("'-") && !message.contains("'-'");
    let unquoted = text.contains("[POSITION]") && !is_option;
    if error.kind() == ErrorKind::UnknownArgument && unquoted {
        message.push_str("; a position with spaces in it goes in quotes");
    }
    print_message(&format!(
        "hindsight: {} (see --help)",
        message.trim_start_matches("error: ")
    ));
    ExitCode::from(FAILURE)
}

/// Whether the answer is "yes", where a question was asked.
fn run(args: &Args) -> Result<bool> {
    signals::install_handlers()?;
    let context = &Context::resolve(&args.common)?;
    if !args.command.reports_needed_memory() {
        memory::check_limit(context.memory)?;
    }
    let done = match &args.command {
        Command::Verify(own) => return tables::verify::run(own, context),
        Command::Compare(own) => return tables::compare::run(own, context),
        Command::Stats(own) => tables::stats::run(own, context),
        Command::Export(own) => tables::export::run(own, context),
        Command::Info(own) => tables::info::run(own, context),
        Command::Solve(own) => solve::run(own, context),
        Command::Probe(own) => probe::run(own, context),
        Command::Line(own) => line::run(own, context),
        Command::Reach(own) => reach::run(own, context),
        Command::Perft(own) => perft::run(own, context),
        Command::Puzzles(own) => puzzles::run(own, context),
        Command::Match(own) => matches::run(own, context),
        Command::Audit(own) => audit::run(own, context),
        Command::Play(own) => play::run(own, context),
        Command::Graph(own) => graph::run(own, context),
        Command::Study(own) => study::run(own, context),
        Command::Games => list::games(context),
        Command::Cards(own) => list::cards(own, context),
        Command::Completions(own) => generate::completions(own),
        Command::Man(own) => generate::man(own),
    };
    done.map(|()| true)
}

/// Says on standard error what went wrong; the exit code.
fn report_error(error: &anyhow::Error) -> u8 {
    let is_broken_pipe = |io: &std::io::Error| io.kind() == std::io::ErrorKind::BrokenPipe;
    if error
        .chain()
        .filter_map(|cause| cause.downcast_ref())
        .any(is_broken_pipe)
    {
        // The reader has what it wanted, as `head` has.
        return DONE;
    }
    if let Some(hindsight_solve::Error::Stopped) = error.downcast_ref() {
        print_message("hindsight: stopped");
        return signals::exit_code();
    }
    print_message(&format!("hindsight: {error:#}"));
    FAILURE
}
