use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::{Notation, Ranked, Restricting};
use solve::restricted::{self, Outcome};
use solve::{Error, Summary};
use table::{Layout, Work};

use crate::args::{self, Common, FileArgs, SolveArgs, Solver};
use crate::every::kept_up_to;
use crate::files::{DiskNeeds, explain_store, folder, write};
use crate::memory::{beside, format_needed};
use crate::output::{Output, print, print_json, tell, with_commas};
use crate::progress::Display;
use crate::show::{heading, histogram_text, outcome};
use crate::solve::{Found, Written, counted, explain, limits, report, rows};

/// Bytes a rank that a table of states may take, as far as one can tell before: the largest seen on boards
/// of more than some thousand positions, with a margin.
const BYTES_A_RANK: f64 = 1.25;

/// How often a checkpoint is brought up to date.
pub(crate) const EVERY: Duration = Duration::from_secs(240);

/// Bytes a rank of an unfinished layer in a checkpoint, about.
const KEPT_BYTES_A_RANK: f64 = 2.0;

/// Solves every state of a game in which a move may be forbidden, writes a table if asked to, and prints what
/// it found.
pub(crate) fn every_state<G: Restricting + Notation>(
    game: &G,
    args: &SolveArgs,
    common: &Common,
    out: Option<Output>,
) -> Result<()> {
    check_options(game, args)?;
    announce(game, args, common)?;
    let folder = folder(&args.files)?;
    let work = folder.as_ref().map(|folder| {
        let path = &folder.path;
        if args.files.resume {
            Work::resume(path, &game.spec(), Layout::States)
        } else {
            Work::create(path, &game.spec(), Layout::States)
        }
    });
    let work = work.transpose()?;
    // Only a checkpoint of its own is gone on with.
    let every = args
        .files
        .checkpoint
        .as_ref()
        .map_or(Duration::MAX, |_| EVERY);
    let mut store = work.as_ref().map(|work| work.state_store(game, every));
    let begin = Instant::now();
    let mut display = Display::new(common.quiet);
    let solved = match &mut store {
        Some(store) => restricted::solve_from(game, store, limits(common), &mut display),
        None => restricted::solve(game, limits(common), &mut display, &mut |_| Ok(())),
    };
    drop(display);
    let solved = solved.map_err(explain_store)?;
    let spent = store.map_or(Duration::ZERO, |store| store.spent());
    let seconds = (begin.elapsed() - spent).as_secs_f64();
    let written = write(work.as_ref(), out, Layout::States, spent)?;
    show(game, (args, common), &solved, (seconds, written))
}

/// Refuses what is for other games.
fn check_options<G: Restricting + Notation>(game: &G, args: &SolveArgs) -> Result<()> {
    let spec = game.spec();
    match args.layout {
        None | Some(args::Layout::States) => Ok(()),
        Some(_) => bail!(
            "{spec} has states with a forbidden move: its tables have the layout 'states', which need not be named"
        ),
    }
}

fn announce<G: Restricting + Notation>(game: &G, args: &SolveArgs, common: &Common) -> Result<()> {
    let base = game.base();
    let layers = || (0..base.layers()).map(|layer| base.ranks_about(layer));
    let ranks: u64 = layers().sum();
    let (spec, positions, layered) = (game.spec(), with_commas(ranks), base.layers());
    let work = format!("every state of {spec}: {positions} positions in {layered} layers");
    let disk = disk(&args.files, ranks, layers().max().unwrap_or(0));
    let files = args.files.out.is_some() || args.files.checkpoint.is_some();
    let writing = |ranks: u64| {
        let threads = rayon::current_num_threads();
        table::writing_memory::<G>(ranks, 1, Layout::States, threads)
    };
    let peak = restricted::peak_beside(game, &|ranks| if files { writing(ranks) } else { 0 });
    let limit = limits(common).memory;
    let kept = kept_up_to(restricted::LONGEST);
    say_what_it_takes(&work, peak, &disk, &kept, common)?;
    if peak > limit {
        return Err(explain(Error::TooLarge {
            ranks,
            needed: peak,
            limit,
        }));
    }
    Ok(())
}

/// Says what some work takes in memory and on the disk, before it starts, and refuses what does not fit on
/// the disk; and `more` behind that.
pub(crate) fn say_what_it_takes(
    work: &str,
    memory: u64,
    disk: &DiskNeeds<'_>,
    more: &str,
    common: &Common,
) -> Result<()> {
    if !common.quiet {
        let memory = format_needed(memory.saturating_add(beside()));
        let disk = disk.text();
        tell(&format!("{work}, {memory} of memory{disk}{more}"));
    }
    disk.check()
}

/// The disk that a solve takes: finished layers, the table, and the last two checkpoints of as many ranks as
/// the largest part that is kept unfinished.
pub(crate) fn disk(args: &FileArgs, ranks: u64, largest: u64) -> DiskNeeds<'_> {
    let bytes = (BYTES_A_RANK * ranks as f64) as u64 + (1 << 20);
    let kept = (2.0 * KEPT_BYTES_A_RANK * largest as f64) as u64;
    DiskNeeds::of_table(args, bytes).and_kept(args, kept)
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
