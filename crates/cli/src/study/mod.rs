//! The command `study`: many solves or games, whose results are a report and files.

mod answer;
mod deals;
#[cfg_attr(not(feature = "sqlite"), path = "no_deals_file.rs")]
mod deals_file;
mod folder;
mod label;
mod merge;
mod merged_folder;
mod papers;
mod part_report;
mod parts;
mod table_names;

use anyhow::{Result, bail};
use clap::ValueEnum;

pub use answer::{StudyAnswer, StudyOutcome};
pub use folder::{StudyFolder, read_series, series_path};
pub use label::{PartLabel, StudyLabel};
pub use merged_folder::MergedFolder;
pub use papers::PaperStudies;
pub(crate) use papers::Papers;
pub use part_report::{BoardShare, PartReport};
pub use parts::StudyParts;
pub use table_names::parse_tables;

use crate::args::{ReportFormat, StudyAction, StudyArgs, StudyName};
use crate::context::Context;
use crate::process::signals::stopped;
use crate::shown::progress::ProgressDisplay;

/// Refuses options that are for other studies.
fn check_options(name: StudyName, args: &StudyArgs) -> Result<()> {
    use StudyName::{Lure, OnitamaAgents, OnitamaAtlas, OnitamaDeals, Ostle, QuoridorReduced};
    let resumable = &args.resumable;
    if !args.solved.is_empty() && ![Ostle, Lure].contains(&name) {
        bail!("--solved is for ostle and lure: other studies take no tables");
    }
    if args.game.is_some() && ![QuoridorReduced, Ostle, Lure].contains(&name) {
        bail!(
            "--game is for quoridor-reduced, ostle and lure; \
             onitama-atlas and onitama-deals take boards by --table, \
             other studies are of those of their theses"
        );
    }
    if name == Lure && (!args.tables.is_empty() || args.seconds.is_some()) {
        bail!("lure has one table and no limit of time; --opponent and -n say what is played");
    }
    if (!args.resumable.opponents.is_empty() || resumable.number.is_some()) && name != Lure {
        bail!("--opponent and --number are for lure");
    }
    if (resumable.scale.is_some() || resumable.playouts.is_some()) && name != OnitamaAgents {
        bail!("--scale and --playouts are for onitama-agents");
    }
    if resumable.deals.is_some() && name != OnitamaDeals {
        bail!("--deals is for onitama-deals");
    }
    let is_resumable = [OnitamaAgents, OnitamaAtlas, OnitamaDeals, Lure].contains(&name);
    if (resumable.seed.is_some() || resumable.out.is_some()) && !is_resumable {
        bail!("--seed and --out are for onitama-agents, onitama-atlas, onitama-deals and lure");
    }
    Ok(())
}

/// Refuses `--part` where there is no part, or no folder for it.
fn check_part(name: StudyName, args: &StudyArgs) -> Result<()> {
    use StudyName::{OnitamaAtlas, OnitamaDeals};
    if args.resumable.part.is_none() {
        return Ok(());
    }
    if ![OnitamaAtlas, OnitamaDeals].contains(&name) {
        bail!("--part is for onitama-atlas and onitama-deals, which are many small solves");
    }
    if args.resumable.out.is_none() {
        bail!("--part needs --out DIR, a folder for the results of this part alone");
    }
    if [Some(ReportFormat::Csv), Some(ReportFormat::Markdown)].contains(&args.format) {
        bail!("a part has no tables: `study merge` prints them; --format is text or json here");
    }
    Ok(())
}

pub(crate) fn run(args: &StudyArgs, context: &Context, papers: Papers<'_>) -> Result<()> {
    let (outcome, format) = match &args.action {
        Some(StudyAction::Merge(merge)) => {
            if !args.is_empty() {
                bail!("`study merge` comes first, then its folders and options; it has no others");
            }
            (merge::run(merge, context, papers)?, merge.format)
        }
        None => {
            let name = args.name.expect("required where no action is given");
            check_part(name, args)?;
            check_options(name, args)?;
            let outcome = match name {
                StudyName::OnitamaDeals => {
                    let options = deals::parse(args, context)?;
                    // While it lives, a signal stops the study, and what is finished is written.
                    let _listening = ProgressDisplay::new(context.quiet);
                    deals::run(&options, &args.resumable, context)?
                }
                name => {
                    let typed = name.to_possible_value().expect("a name that can be typed");
                    papers.studies(typed.get_name())?.run(name, args, context)?
                }
            };
            (outcome, args.format)
        }
    };
    let format =
        if context.json { ReportFormat::Json } else { format.unwrap_or(ReportFormat::Text) };
    outcome.answer.print(format)?;
    outcome.written?;
    if stopped() { Err(hindsight_games::SolverError::Stopped.into()) } else { Ok(()) }
}
