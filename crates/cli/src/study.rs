use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use solve::Limits;
use study::{Report, onitama_thesis, ostle, quoridor_reduced};

use crate::args::{Common, ReportFormat, StudyArgs, StudyName};
use crate::memory;
use crate::output::{print, print_json};
use crate::progress::{Display, stopped};
use crate::solve::in_spec;

/// A study with its options, ready to run.
enum Study {
    Onitama(onitama_thesis::Options),
    Quoridor(quoridor_reduced::Options),
    Ostle(ostle::Options),
}

impl Study {
    fn read(args: &StudyArgs, limits: Limits) -> Result<Self> {
        match args.name {
            StudyName::OnitamaThesis if args.game.is_some() => {
                bail!(
                    "--game is for quoridor-reduced and ostle; the boards of onitama-thesis are those of the thesis"
                )
            }
            StudyName::OnitamaThesis => Ok(Self::Onitama(onitama_thesis::Options {
                tables: tables(args, onitama_thesis::Table::parse)?,
                limits,
            })),
            StudyName::Ostle => {
                let spec = args.game.as_deref().unwrap_or("ostle");
                Ok(Self::Ostle(ostle::Options {
                    setup: spec.parse().map_err(|error| in_spec(spec, &error))?,
                    tables: tables(args, ostle::Table::parse)?,
                    limits,
                }))
            }
            StudyName::QuoridorReduced => {
                let spec = args.game.as_deref().unwrap_or("quoridor:5x5:1");
                Ok(Self::Quoridor(quoridor_reduced::Options {
                    setup: spec.parse().map_err(|error| in_spec(spec, &error))?,
                    tables: tables(args, quoridor_reduced::Table::parse)?,
                    limits,
                }))
            }
        }
    }

    fn run(&self, watch: &mut dyn FnMut(&str) -> bool) -> Report {
        match self {
            Self::Onitama(options) => onitama_thesis::run(options, watch),
            Self::Quoridor(options) => quoridor_reduced::run(options, watch),
            Self::Ostle(options) => ostle::run(options, watch),
        }
    }
}

/// The tables named, as a study reads their names.
fn tables<T>(args: &StudyArgs, parse: fn(&str) -> Result<T, String>) -> Result<Vec<T>> {
    let tables = args.tables.iter();
    tables
        .map(|name| parse(name).map_err(|message| anyhow!("--table: {message}")))
        .collect()
}

pub(crate) fn run(args: &StudyArgs, common: &Common) -> Result<()> {
    let limits = Limits {
        memory: common.memory.unwrap_or_else(memory::available),
        time: Some(Duration::from_secs_f64(args.seconds)),
    };
    let study = Study::read(args, limits)?;
    // Catches Ctrl-C: what was computed until then is printed.
    let _display = Display::new(common.quiet);
    let mut watch = |doing: &str| {
        if stopped() {
            return false;
        }
        if !common.quiet && !doing.is_empty() {
            eprintln!("{doing}");
        }
        true
    };
    let report = study.run(&mut watch);
    let text = args.format.unwrap_or(ReportFormat::Text);
    match if common.json {
        ReportFormat::Json
    } else {
        text
    } {
        ReportFormat::Text => print(&report.text())?,
        ReportFormat::Markdown => print(&report.markdown())?,
        ReportFormat::Csv => print(&report.csv())?,
        ReportFormat::Json => print_json(&report.cells)?,
    }
    if stopped() {
        Err(solve::Error::Stopped.into())
    } else {
        Ok(())
    }
}
