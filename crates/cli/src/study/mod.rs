//! The command `study`: tables and figures of papers, recomputed.

mod agents;
mod answer;
mod atlas;
mod deals;
#[cfg_attr(not(feature = "sqlite"), path = "no_deals_file.rs")]
mod deals_file;
mod folder;
mod games;
mod label;
mod lure;
mod merge;
mod merged_folder;
mod part_report;
mod parts;
mod settings;
mod table_names;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use hindsight_core::{Packed, Packing, Symmetry};
use hindsight_games::{Layout, Limits};
use hindsight_rules::ostle::{Ostle, OstleSetup, Rule8};
use hindsight_solve::forbidden_move::ForbiddenMoveSolution;
use hindsight_study::ostle::{OstleStateValues, SolvedReading};
use hindsight_study::{
    onitama_agents, onitama_atlas, onitama_deals, onitama_thesis, ostle, quoridor_reduced,
};

use answer::{StudyAnswer, StudyOutcome};
use table_names::parse_tables;

use crate::args::{ReportFormat, StudyAction, StudyArgs, StudyName};
use crate::context::Context;
use crate::output::print_message;
use crate::progress::ProgressDisplay;
use crate::signals::stopped;
use crate::spec::spec_error;
use crate::tables::open_any;

/// Study with its options, ready to run.
enum Study {
    Onitama(onitama_thesis::ThesisOptions),
    Quoridor(quoridor_reduced::QuoridorPaperOptions),
    Ostle(ostle::OstlePaperOptions),
    Agents(onitama_agents::AgentsOptions),
    Atlas(onitama_atlas::AtlasOptions),
    Deals(onitama_deals::DealsOptions),
    Lure(hindsight_study::lure::LureOptions),
}

impl Study {
    /// Reads the options of the named study.
    fn parse(args: &StudyArgs, context: &Context) -> Result<Self> {
        let name = args.name.expect("required where no action is given");
        check_part(name, args)?;
        check_options(name, args)?;
        let limits = Limits {
            memory: context.limits().memory,
            time: Some(Duration::from_secs_f64(args.seconds())),
        };
        match name {
            StudyName::OnitamaAgents => Ok(Self::Agents(agents::parse(args)?)),
            StudyName::OnitamaAtlas => Ok(Self::Atlas(atlas::parse(args, limits)?)),
            StudyName::OnitamaDeals => Ok(Self::Deals(deals::parse(args, context)?)),
            StudyName::Lure => Ok(Self::Lure(lure::parse(args, context)?)),
            StudyName::OnitamaThesis => Ok(Self::Onitama(onitama_thesis::ThesisOptions {
                tables: parse_tables(args, onitama_thesis::ThesisTable::parse)?,
                limits,
            })),
            StudyName::Ostle => {
                let spec = args.game.as_deref().unwrap_or("ostle");
                let setup = spec.parse().map_err(|error| spec_error(spec, &error))?;
                let mut solved = OstleTables::default();
                for path in &args.solved {
                    solved.read(path, setup)?;
                }
                Ok(Self::Ostle(ostle::OstlePaperOptions {
                    setup,
                    tables: parse_tables(args, ostle::OstlePaperTable::parse)?,
                    solved: solved.readings,
                    distances: solved.distances,
                    limits,
                }))
            }
            StudyName::QuoridorReduced => {
                let spec = args.game.as_deref().unwrap_or("quoridor:5x5:1");
                Ok(Self::Quoridor(quoridor_reduced::QuoridorPaperOptions {
                    setup: spec.parse().map_err(|error| spec_error(spec, &error))?,
                    tables: parse_tables(args, quoridor_reduced::QuoridorPaperTable::parse)?,
                    limits,
                }))
            }
        }
    }

    /// Runs the study.
    fn run(&self, args: &StudyArgs, context: &Context) -> Result<StudyOutcome> {
        // While the display lives, a signal stops the study, and finished results are printed.
        let _display = ProgressDisplay::new(context.quiet);
        let monitor = &mut |step: &str| {
            if stopped() {
                return false;
            }
            if !context.quiet && !step.is_empty() {
                print_message(step);
            }
            true
        };
        let report = match self {
            Self::Onitama(options) => onitama_thesis::run(options, monitor),
            Self::Quoridor(options) => quoridor_reduced::run(options, monitor),
            Self::Ostle(options) => ostle::run(options, monitor),
            Self::Agents(options) => return agents::run(options, &args.resumable, context),
            Self::Atlas(options) => return atlas::run(options, &args.resumable, context),
            Self::Deals(options) => return deals::run(options, &args.resumable, context),
            Self::Lure(options) => return lure::run(options, &args.resumable, context),
        };
        Ok(StudyOutcome { answer: StudyAnswer::Whole(report), written: Ok(()) })
    }
}

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

/// Values and distances of one variant of Ostle, from the tables of `--solved`.
#[derive(Default)]
struct OstleTables {
    readings: Vec<SolvedReading>,
    distances: Option<Vec<u64>>,
}

impl OstleTables {
    /// Reads a table of the variant `wanted`, for either reading of rule 8.
    fn read(&mut self, path: &Path, wanted: OstleSetup) -> Result<()> {
        let table = open_any(path)?;
        let info = table.info();
        let name = path.display();
        let setup: Option<OstleSetup> = info.spec.parse().ok();
        let (Some(setup), Some(states)) = (setup, info.states()) else {
            bail!("'{name}' is a table of {}, not of Ostle", info.spec);
        };
        let rule8 = setup.rule8;
        if setup != (OstleSetup { rule8, ..wanted }) {
            bail!(
                "'{name}' is a table of {}, the study is of {}; --game names another",
                info.spec,
                wanted.spec()
            );
        }
        if info.layout == Layout::Distances {
            if rule8 != Rule8::Exact {
                bail!(
                    "'{name}' keeps distances that obey rule 8; \
                     those of Table 3 by the paper's reading do not, and are searched for"
                );
            }
            self.distances = Some(table.distances()?.states());
            return Ok(());
        }
        let solution = ForbiddenMoveSolution {
            start: info.start.value,
            positions: info.histogram(),
            states: states.all,
            nontrivial: states.nontrivial,
        };
        let game = Ostle::new(setup, Symmetry::None);
        let value = move |state| {
            let state = table.game().position_of(Packed::new(game.pack(state)));
            table.probe(&state).ok()?.exact()
        };
        self.readings.push(SolvedReading {
            rule8,
            solution,
            values: OstleStateValues(Box::new(value)),
        });
        Ok(())
    }
}

pub(crate) fn run(args: &StudyArgs, context: &Context) -> Result<()> {
    let (outcome, format) = match &args.action {
        Some(StudyAction::Merge(merge)) => {
            if !args.is_empty() {
                bail!("`study merge` comes first, then its folders and options; it has no others");
            }
            (merge::run(merge, context)?, merge.format)
        }
        None => (Study::parse(args, context)?.run(args, context)?, args.format),
    };
    let format =
        if context.json { ReportFormat::Json } else { format.unwrap_or(ReportFormat::Text) };
    outcome.answer.print(format)?;
    outcome.written?;
    if stopped() { Err(hindsight_games::SolverError::Stopped.into()) } else { Ok(()) }
}
