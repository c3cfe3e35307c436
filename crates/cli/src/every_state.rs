use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::{Notation, Ranked, Restricting};
use solve::restricted::{self, Outcome, Solved};
use solve::{Error, Summary};
use table::{Layout, Work};

use crate::args::{self, Common, SolveArgs, Solver};
use crate::files::{check_disk, explain_store, folder, write};
use crate::memory::format_size;
use crate::output::{print, print_json, refuse_existing, with_commas};
use crate::progress::Display;
use crate::show::{heading, histogram_text, outcome};
use crate::solve::{Found, Written, counted, limits, report, rows};

/// Bytes a rank that a table of states may take, as far as one can tell before: the largest seen on boards
/// of more than some thousand positions, with a margin.
const BYTES_A_RANK: f64 = 1.25;

/// Solves every state of a game in which a move may be forbidden, writes a table if asked to, and prints what
/// it found.
pub(crate) fn every_state<G: Restricting + Notation>(
    game: &G,
    args: &SolveArgs,
    common: &Common,
) -> Result<()> {
    check_options(game, args)?;
    if let Some(out) = &args.out {
        refuse_existing(out, common.force)?;
    }
    announce(game, args, common)?;
    let folder = folder(args)?;
    let work = folder
        .as_ref()
        .map(|folder| Work::create(&folder.path, &game.spec(), Layout::States));
    let work = work.transpose()?;
    let begin = Instant::now();
    let mut spent = Duration::ZERO;
    let mut display = Display::new(common.quiet);
    let solved = restricted::solve(game, limits(common), &mut display, &mut |solved| {
        let begin = Instant::now();
        keep(game, work.as_ref(), &solved)?;
        spent += begin.elapsed();
        Ok(())
    });
    drop(display);
    let solved = solved.map_err(explain_store)?;
    let seconds = (begin.elapsed() - spent).as_secs_f64();
    let written = write(work.as_ref(), (args, Layout::States), spent)?;
    show(game, (args, common), &solved, (seconds, written))
}

/// Takes a finished tier.
fn keep<G: Restricting>(game: &G, work: Option<&Work>, solved: &Solved) -> Result<(), Error> {
    match work.map_or(Ok(()), |work| work.put_states(game, solved)) {
        Ok(()) => Ok(()),
        Err(error) => Err(Error::Store(error.into())),
    }
}

/// Refuses what is for other games.
fn check_options<G: Restricting + Notation>(game: &G, args: &SolveArgs) -> Result<()> {
    let spec = game.spec();
    if args.checkpoint.is_some() {
        bail!("--checkpoint is for other games: {spec} has states with a forbidden move");
    }
    match args.layout {
        None | Some(args::Layout::States) => Ok(()),
        Some(_) => bail!(
            "{spec} has states with a forbidden move: its tables have the layout 'states', which need not be named"
        ),
    }
}

/// Says what the solve takes, before it starts, and refuses what does not fit on the disk.
fn announce<G: Restricting + Notation>(game: &G, args: &SolveArgs, common: &Common) -> Result<()> {
    let base = game.base();
    let ranks: u64 = (0..base.layers())
        .map(|layer| base.ranks_about(layer))
        .sum();
    let disk = (ranks as f64 * BYTES_A_RANK) as u64 + (1 << 20);
    if !common.quiet {
        let on_disk = args.out.as_ref().map_or(String::new(), |_| {
            format!(", at most {} of disk", format_size(2 * disk))
        });
        eprintln!(
            "every state of {}: {} positions in {} layers, {} of memory{on_disk}",
            game.spec(),
            with_commas(ranks),
            base.layers(),
            format_size(restricted::peak(game))
        );
    }
    check_disk(args, disk)
}

fn show<G: Restricting + Notation>(
    game: &G,
    (args, common): (&SolveArgs, &Common),
    solved: &Outcome,
    (seconds, table): (f64, Option<Written>),
) -> Result<()> {
    let found = Found {
        solver: Solver::Tiered,
        wdl: solved.start.wdl(),
        remoteness: solved.start.remoteness(),
        summary: Summary::of(&solved.positions),
        histogram: Some(&solved.positions),
        seconds,
        table,
    };
    let mut report = report(game, args, found);
    report.states = Some(solved.nontrivial.positions());
    report.histogram = Some(rows(&solved.nontrivial));
    if common.json {
        return print_json(&report);
    }
    let mut text = heading(game);
    text.push_str(&format!("{}.\n\n", outcome(game, solved.start)));
    text.push_str(&format!(
        "States by value for the side to move, without those of positions that win at once\n{}\n{}",
        histogram_text(&solved.nontrivial),
        counted(&report)
    ));
    let all = with_commas(solved.states.positions());
    text.push_str(&format!(
        "all states   {all}, those that win at once included\n"
    ));
    print(&text)
}
