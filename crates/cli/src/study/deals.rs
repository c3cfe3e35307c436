//! The study of deals: its options, and the search.

use anyhow::{Result, anyhow, bail};
use hindsight_study::onitama_atlas::Size;
use hindsight_study::onitama_deals::{self, Deal, Options};
use hindsight_study::{Forget, Keep, Report};

use super::deals_file::Deals;
use super::folder::Folder;
use super::tables;
use crate::args::{KeptArgs, StudyArgs};
use crate::context::Context;
use crate::progress::Display;
use crate::solve::check_memory;

/// Reads what is to be searched.
pub(super) fn read(args: &StudyArgs, memory: u64) -> Result<Options> {
    let mut boards = tables(args, str::parse::<Size>)?;
    let board = boards.pop().unwrap_or(Options::BOARD);
    if !boards.is_empty() {
        bail!("onitama-deals is of one board: give --table once");
    }
    check_memory(memory)?;
    Ok(Options {
        board,
        deals: args.kept.deals.unwrap_or(Options::DEALS),
        seed: args.kept.seed.unwrap_or(1),
        seconds: args.seconds,
        memory,
    })
}

/// Searches the deals.
pub(super) fn run(
    options: &Options,
    args: &KeptArgs,
    context: &Context,
) -> Result<(Report, Result<()>)> {
    let folder = Folder::of(args, "onitama-deals", options.seed, "deals")?;
    let deals = folder.map(Deals::open).transpose()?;
    let keep: &dyn Keep<Deal> = match &deals {
        Some(deals) => deals,
        None => &Forget,
    };
    let mut display = Display::new(context.quiet);
    let watch = &mut |spec: &str, progress| display.report_of(spec, progress);
    let found = onitama_deals::run(options, keep, watch);
    drop(display);
    let failed = found.failed.map_or(Ok(()), |message| Err(anyhow!(message)));
    Ok((found.report, failed))
}
