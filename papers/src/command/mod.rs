//! The studies of papers as commands: their options, their games and their files.

mod agents;
mod atlas;
mod games;
mod lure;
mod ostle_tables;
mod settings;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use hindsight_cli::studies::{
    Context, PaperStudies, ProgressDisplay, StudyAnswer, StudyArgs, StudyName, StudyOutcome,
    StudyParts, parse_tables, print_message, spec_error, stopped,
};
use hindsight_games::Limits;

use crate::{onitama_thesis, ostle, quoridor_reduced};
use ostle_tables::OstleTables;

/// The studies of papers, for the command `study`.
pub struct Papers;

impl PaperStudies for Papers {
    fn run(&self, name: StudyName, args: &StudyArgs, context: &Context) -> Result<StudyOutcome> {
        let limits = Limits {
            memory: context.limits().memory,
            time: Some(Duration::from_secs_f64(args.seconds())),
        };
        // While a display lives, a signal stops a study, and what is finished is written.
        let resumable = &args.resumable;
        let report = match name {
            StudyName::OnitamaAgents => {
                let options = agents::parse(args)?;
                let _listening = ProgressDisplay::new(context.quiet);
                return agents::run(&options, resumable, context);
            }
            StudyName::OnitamaAtlas => {
                let options = atlas::parse(args, limits)?;
                let _listening = ProgressDisplay::new(context.quiet);
                return atlas::run(&options, resumable, context);
            }
            StudyName::Lure => {
                let options = lure::parse(args, context)?;
                let _listening = ProgressDisplay::new(context.quiet);
                return lure::run(&options, resumable, context);
            }
            StudyName::OnitamaThesis => {
                let options = onitama_thesis::ThesisOptions {
                    tables: parse_tables(args, onitama_thesis::ThesisTable::parse)?,
                    limits,
                };
                reporting(context, |step| onitama_thesis::run(&options, step))
            }
            StudyName::Ostle => {
                let spec = args.game.as_deref().unwrap_or("ostle");
                let setup = spec.parse().map_err(|error| spec_error(spec, &error))?;
                let mut solved = OstleTables::default();
                for path in &args.solved {
                    solved.read(path, setup)?;
                }
                let options = ostle::OstlePaperOptions {
                    setup,
                    tables: parse_tables(args, ostle::OstlePaperTable::parse)?,
                    solved: solved.readings,
                    distances: solved.distances,
                    limits,
                };
                reporting(context, |step| ostle::run(&options, step))
            }
            StudyName::QuoridorReduced => {
                let spec = args.game.as_deref().unwrap_or("quoridor:5x5:1");
                let options = quoridor_reduced::QuoridorPaperOptions {
                    setup: spec.parse().map_err(|error| spec_error(spec, &error))?,
                    tables: parse_tables(args, quoridor_reduced::QuoridorPaperTable::parse)?,
                    limits,
                };
                reporting(context, |step| quoridor_reduced::run(&options, step))
            }
            StudyName::OnitamaDeals => bail!("onitama-deals is a study of `hindsight` itself"),
        };
        Ok(StudyOutcome { answer: StudyAnswer::Whole(report), written: Ok(()) })
    }

    fn merge(&self, parts: &StudyParts, out: &Path, context: &Context) -> Result<StudyOutcome> {
        atlas::merge(parts, out, context)
    }
}

/// Runs a study, of which each step is a line of progress.
fn reporting<T>(context: &Context, run: impl FnOnce(&mut dyn FnMut(&str) -> bool) -> T) -> T {
    // While the display lives, a signal stops the study, and finished results are printed.
    let _display = ProgressDisplay::new(context.quiet);
    run(&mut |step: &str| {
        if stopped() {
            return false;
        }
        if !context.quiet && !step.is_empty() {
            print_message(step);
        }
        true
    })
}
