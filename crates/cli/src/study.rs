use std::time::Duration;

use anyhow::Result;
use solve::Limits;
use study::onitama_thesis::{self, Options};

use crate::args::{Common, ReportFormat, StudyArgs, StudyName};
use crate::memory;
use crate::output::{print, print_json};
use crate::progress::{Display, stopped};

pub(crate) fn run(args: &StudyArgs, common: &Common) -> Result<()> {
    let StudyName::OnitamaThesis = args.name;
    let options = Options {
        tables: args.tables.clone(),
        limits: Limits {
            memory: common.memory.unwrap_or_else(memory::available),
            time: Some(Duration::from_secs_f64(args.seconds)),
        },
    };
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
    let report = onitama_thesis::run(&options, &mut watch);
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
