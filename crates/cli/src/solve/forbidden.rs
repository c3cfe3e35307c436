//! Strong solves of games in which a move may be forbidden: every state, with a table of states.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use hindsight_core::{ForbiddenMove, Notation, Ranked};
use hindsight_solve::forbidden_move::{self, ForbiddenMoveSolution};
use hindsight_solve::{Error, Summary};
use hindsight_tablebase::{CheckpointDir, Layout};

use super::report::{SolveReport, SolveSummary, counts_text, histogram_rows, solve_report};
use crate::args::{self, SolveArgs, Solver};
use crate::context::Context;
use crate::errors::{solver_error, store_error};
use crate::files::{
    CHECKPOINT_INTERVAL, DiskNeeds, layer_folder, remoteness_limit_text, write_table,
};
use crate::output::{Output, print, print_json, with_commas};
use crate::progress::ProgressDisplay;
use crate::text::{heading, histogram_text, start_outcome};

/// Solves every state of a game in which a move may be forbidden, writes a table if requested, and
/// prints the answer.
pub(crate) fn solve_states<G: ForbiddenMove + Notation>(
    game: &G,
    args: &SolveArgs,
    context: &Context,
    out: Option<Output>,
) -> Result<()> {
    check_options(game, args)?;
    announce(game, args, context)?;
    let folder = layer_folder(&args.files)?;
    let checkpoint = folder.as_ref().map(|folder| {
        let path = &folder.path;
        if args.files.resume {
            CheckpointDir::resume(path, &game.spec(), Layout::States)
        } else {
            CheckpointDir::create(path, &game.spec(), Layout::States)
        }
    });
    let checkpoint = checkpoint.transpose()?;
    // Unfinished layers are saved only to a folder that can be resumed, that of --checkpoint.
    let interval = if args.files.checkpoint.is_some() {
        CHECKPOINT_INTERVAL
    } else {
        Duration::MAX
    };
    let mut store = checkpoint
        .as_ref()
        .map(|checkpoint| checkpoint.state_store(game, interval));
    let begin = Instant::now();
    let mut display = ProgressDisplay::new(context.quiet);
    let solved = match &mut store {
        Some(store) => forbidden_move::solve_from(game, store, context.limits(), &mut display),
        None => forbidden_move::solve(game, context.limits(), &mut display, &mut |_| Ok(())),
    };
    drop(display);
    let solved = solved.map_err(store_error)?;
    let storing_time = store.map_or(Duration::ZERO, |store| store.spent());
    let seconds = (begin.elapsed() - storing_time).as_secs_f64();
    let table = write_table(checkpoint.as_ref(), out, Layout::States, storing_time)?;
    let summary = SolveSummary {
        solver: Solver::Tiered,
        wdl: solved.start.wdl(),
        remoteness: solved.start.remoteness(),
        summary: Summary::of(&solved.positions),
        histogram: Some(&solved.positions),
        seconds,
        table,
    };
    let report = solve_report(game, args, summary);
    print_states(game, context, &solved, report)
}

/// Refuses layouts that are for other games.
fn check_options<G: ForbiddenMove + Notation>(game: &G, args: &SolveArgs) -> Result<()> {
    let spec = game.spec();
    match args.layout {
        None | Some(args::LayoutArg::States) => Ok(()),
        Some(_) => bail!(
            "{spec} has states with a forbidden move: its tables have the layout 'states', \
             which need not be named"
        ),
    }
}

/// Prints the memory and the disk that the solve needs, and refuses what does not fit.
fn announce<G: ForbiddenMove + Notation>(
    game: &G,
    args: &SolveArgs,
    context: &Context,
) -> Result<()> {
    let base = game.base();
    let layer_ranks = || (0..base.layers()).map(|layer| base.estimated_ranks(layer));
    let ranks: u64 = layer_ranks().sum();
    let (spec, positions, layers) = (game.spec(), with_commas(ranks), base.layers());
    let work = format!("every state of {spec}: {positions} positions in {layers} layers");
    let disk = DiskNeeds::for_states(&args.files, ranks, layer_ranks().max().unwrap_or(0));
    let writes_layers = args.files.out.is_some() || args.files.checkpoint.is_some();
    let writing_memory = |ranks: u64| {
        if !writes_layers {
            return 0;
        }
        let threads = rayon::current_num_threads();
        hindsight_tablebase::write_layer_memory::<G>(ranks, 1, Layout::States, threads)
    };
    let peak = forbidden_move::peak_with_checkpoint(game, &writing_memory);
    let limit = context.limits().memory;
    let note = remoteness_limit_text(forbidden_move::MAX_REMOTENESS);
    disk.report_and_check(&work, peak, &note, context)?;
    if peak > limit {
        return Err(solver_error(Error::TooLarge {
            ranks,
            needed: peak,
            limit,
        }));
    }
    Ok(())
}

/// Adds the counts of states to the report and prints it.
fn print_states<G: ForbiddenMove + Notation>(
    game: &G,
    context: &Context,
    solved: &ForbiddenMoveSolution,
    mut report: SolveReport,
) -> Result<()> {
    report.states = Some(solved.nontrivial.positions());
    report.histogram = Some(histogram_rows(&solved.nontrivial));
    if context.json {
        return print_json(&report);
    }
    let mut text = heading(game);
    text.push_str(&format!("{}.\n\n", start_outcome(game, solved.start)));
    text.push_str(&format!(
        "States by value for the side to move, without those of positions that win at once\n{}\n{}",
        histogram_text(&solved.nontrivial),
        counts_text(&report)
    ));
    let all = with_commas(solved.states.positions());
    text.push_str(&format!(
        "all states   {all}, those that win at once included\n"
    ));
    print(&text)
}
