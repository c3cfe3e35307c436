//! The study of deals: its options, and the database of its results.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use hindsight_study::onitama_deals::{self, DealResult, DealsFindings, DealsOptions};
use hindsight_study::{BoardSize, NullResultStore, ResultStore};

use super::answer::{StudyAnswer, StudyOutcome};
use super::deals_file::{DealDatabase, read_deals};
use super::folder::StudyFolder;
use super::label::{PartLabel, StudyLabel};
use super::merged_folder::MergedFolder;
use super::part_report::{BoardShare, PartReport};
use super::parts::StudyParts;
use super::table_names::parse_tables;
use crate::args::{ResumableStudyArgs, StudyArgs};
use crate::context::Context;
use crate::shown::progress::ProgressDisplay;
use crate::solve::check_proof_memory;

/// Name of the study.
pub(super) const NAME: &str = "onitama-deals";

/// Subfolder of the database.
const DEALS: &str = "deals";
/// File of what is proved of deals of the real game.
const PROVED: &str = "proved-deals.txt";

/// Reads the options of the study.
pub(super) fn parse(args: &StudyArgs, context: &Context) -> Result<DealsOptions> {
    let mut boards = parse_tables(args, str::parse::<BoardSize>)?;
    let board = boards.pop().unwrap_or(DealsOptions::BOARD);
    if !boards.is_empty() {
        bail!("onitama-deals is of one board: give --table once");
    }
    check_proof_memory(context)?;
    Ok(DealsOptions {
        board,
        deals: args.resumable.deals.unwrap_or(DealsOptions::DEALS),
        seed: args.resumable.seed.unwrap_or(1),
        seconds: args.seconds(),
        memory: context.limits().memory,
        part: args.resumable.part,
    })
}

fn label(options: &DealsOptions) -> StudyLabel {
    let part = options.part.map(|share| PartLabel {
        share,
        boards: vec![options.board],
        deals: Some(options.deals),
    });
    StudyLabel::new(NAME, options.seed, part)
}

/// Searches the deals, or those of a part.
/// Returns the report, and the error of the database, if any.
pub(super) fn run(
    options: &DealsOptions,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<StudyOutcome> {
    let open = |path| StudyFolder::open(path, &label(options), DEALS);
    let folder = args.out.as_deref().map(open).transpose()?;
    let deals = folder.map(DealDatabase::open).transpose()?;
    let outcome = match (&deals, options.part) {
        (Some(deals), Some(_)) => run_part(options, deals, context)?,
        _ => run_whole(options, deals.as_ref(), context),
    };
    if let Some(deals) = &deals {
        write_proved(options, deals)?;
    }
    Ok(outcome)
}

/// Reads the deals of a database, those of a part if the options name one.
fn stored_deals(options: &DealsOptions, deals: &DealDatabase) -> Result<Vec<DealResult>> {
    let stored = deals.read(&options.board.to_string());
    let stored = stored.and_then(|stored| onitama_deals::check_deals(options, stored));
    stored.map_err(|message| anyhow!(message))
}

/// Writes what is proved, for `hindsight deals --add`.
fn write_proved(options: &DealsOptions, deals: &DealDatabase) -> Result<()> {
    let proved = onitama_deals::proved_deals(&stored_deals(options, deals)?);
    let proved = proved.map_err(|message| anyhow!(message))?;
    if proved.iter().next().is_none() {
        return Ok(());
    }
    deals.write(PROVED, &proved.text())
}

/// Searches the deals that are not done.
fn search(
    options: &DealsOptions,
    store: &dyn ResultStore<DealResult>,
    context: &Context,
) -> DealsFindings {
    let mut display = ProgressDisplay::new(context.quiet);
    let monitor = &mut |spec: &str, progress| display.report_series(spec, progress);
    onitama_deals::run(options, store, monitor)
}

fn run_whole(
    options: &DealsOptions,
    deals: Option<&DealDatabase>,
    context: &Context,
) -> StudyOutcome {
    let store: &dyn ResultStore<DealResult> = match deals {
        Some(deals) => deals,
        None => &NullResultStore,
    };
    let results = search(options, store, context);
    StudyOutcome {
        answer: StudyAnswer::Whole(results.report),
        written: results.failure.map_or(Ok(()), |message| Err(anyhow!(message))),
    }
}

fn run_part(
    options: &DealsOptions,
    deals: &DealDatabase,
    context: &Context,
) -> Result<StudyOutcome> {
    let begin = Instant::now();
    let before = count_done(options, deals)?;
    let results = search(options, deals, context);
    let done = count_done(options, deals)?;
    let share = BoardShare {
        board: options.board,
        solves: options.wanted_deals(),
        done,
        new: done - before,
    };
    let report = PartReport {
        study: NAME,
        part: options.part.expect("a part"),
        unit: DEALS,
        boards: vec![share],
        seconds: begin.elapsed().as_secs_f64(),
    };
    Ok(StudyOutcome {
        answer: StudyAnswer::Part(report),
        written: results.failure.map_or(Ok(()), |message| Err(anyhow!(message))),
    })
}

/// Counts the deals of a part that need not be searched again.
fn count_done(options: &DealsOptions, deals: &DealDatabase) -> Result<u64> {
    Ok(options.done_deals(&stored_deals(options, deals)?).len() as u64)
}

/// Puts the deals of parts together in a folder.
pub(super) fn merge(parts: &StudyParts, out: &Path, context: &Context) -> Result<StudyOutcome> {
    let (&[board], Some(deals)) = (&parts.first.boards[..], parts.first.deals) else {
        bail!("the labels of the parts name no board, or no number of deals");
    };
    let mut options = DealsOptions {
        board,
        deals,
        seed: parts.whole.seed,
        seconds: 0.0,
        memory: context.limits().memory,
        part: None,
    };
    let results = read_parts(&mut options, parts)?;
    let folder = MergedFolder::begin(out)?;
    // The lock in the folder ends before the folder gets its name.
    let outcome = folder.fill(|path| {
        let database = StudyFolder::open(path, &parts.whole, DEALS);
        let database = database.and_then(DealDatabase::open)?;
        database.add_all(&board.to_string(), &results)?;
        write_proved(&options, &database)?;
        Ok(run_whole(&options, Some(&database), context))
    })?;
    folder.finish_with(outcome)
}

/// Reads the deals of all parts, in the order in which one study would have searched them: by
/// seconds, then by number. Sets the seconds of `options` to the most that a deal had.
fn read_parts(options: &mut DealsOptions, parts: &StudyParts) -> Result<Vec<DealResult>> {
    let board = options.board.to_string();
    let mut read = Vec::new();
    for folder in &parts.folders {
        let own = DealsOptions { part: Some(folder.share), ..options.clone() };
        let deals = read_deals(&folder.path.join(DEALS), &board)?;
        let deals = onitama_deals::check_deals(&own, deals)
            .map_err(|message| anyhow!("'{}': {message}", folder.path.display()))?;
        read.push((own, deals));
    }
    let deals = read.iter().flat_map(|(_, deals)| deals);
    let seconds = deals.map(|deal| deal.allowed_seconds);
    options.seconds = seconds.fold(0.0, f64::max);
    let mut all = Vec::new();
    for (folder, (own, deals)) in parts.folders.iter().zip(read) {
        let own = DealsOptions { seconds: options.seconds, ..own };
        let done = own.done_deals(&deals).len();
        if (done as u64) < own.wanted_deals() {
            let how = match options.seconds {
                0.0 => String::new(),
                seconds => format!(" with --seconds {seconds}"),
            };
            return Err(folder.incomplete(done, own.wanted_deals(), DEALS, &how));
        }
        all.extend(deals);
    }
    all.sort_by(|a: &DealResult, b| {
        let by_time = a.allowed_seconds.total_cmp(&b.allowed_seconds);
        by_time.then(a.number.cmp(&b.number))
    });
    Ok(all)
}
