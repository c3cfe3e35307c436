//! The study of deals: its options, and the database of its results.

use anyhow::{Result, anyhow, bail};
use hindsight_study::onitama_deals::{self, DealResult, DealsOptions};
use hindsight_study::{BoardSize, NullResultStore, ResultStore, StudyReport};

use super::deals_file::DealDatabase;
use super::folder::StudyFolder;
use super::table_names::parse_tables;
use crate::args::{ResumableStudyArgs, StudyArgs};
use crate::context::Context;
use crate::progress::ProgressDisplay;
use crate::solve::check_proof_memory;

/// Reads the options of the study.
pub(super) fn parse(args: &StudyArgs, memory: u64) -> Result<DealsOptions> {
    let mut boards = parse_tables(args, str::parse::<BoardSize>)?;
    let board = boards.pop().unwrap_or(DealsOptions::BOARD);
    if !boards.is_empty() {
        bail!("onitama-deals is of one board: give --table once");
    }
    check_proof_memory(memory)?;
    Ok(DealsOptions {
        board,
        deals: args.resumable.deals.unwrap_or(DealsOptions::DEALS),
        seed: args.resumable.seed.unwrap_or(1),
        seconds: args.seconds,
        memory,
    })
}

/// Searches the deals. Returns the report, and the error of the database, if any.
pub(super) fn run(
    options: &DealsOptions,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<(StudyReport, Result<()>)> {
    let folder = StudyFolder::from_args(args, "onitama-deals", options.seed, "deals")?;
    let deals = folder.map(DealDatabase::open).transpose()?;
    let store: &dyn ResultStore<DealResult> = match &deals {
        Some(deals) => deals,
        None => &NullResultStore,
    };
    let mut display = ProgressDisplay::new(context.quiet);
    let monitor = &mut |spec: &str, progress| display.report_series(spec, progress);
    let results = onitama_deals::run(options, store, monitor);
    drop(display);
    let failed = results
        .failure
        .map_or(Ok(()), |message| Err(anyhow!(message)));
    Ok((results.report, failed))
}
