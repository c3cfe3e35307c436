//! The atlas of sets of cards: its options, the folder of its sets and pages.

use std::sync::Mutex;

use anyhow::{Result, anyhow};
use hindsight_solve::{Limits, Progress};
use hindsight_study::onitama_atlas::{self, Entry, Found, Options, Size};
use hindsight_study::{Forget, Keep, Report};

use super::folder::StudyFolder;
use super::{parse_tables, pictures};
use crate::args::{ResumableStudyArgs, StudyArgs};
use crate::context::Context;
use crate::progress::ProgressDisplay;

/// Reads what is to be solved.
pub(super) fn parse(args: &StudyArgs, limits: Limits) -> Result<Options> {
    Ok(Options {
        boards: parse_tables(args, str::parse::<Size>)?,
        seed: args.resumable.seed.unwrap_or(1),
        limits,
    })
}

/// Solves the sets and writes pages. What was found is told even if something could not be written.
pub(super) fn run(
    options: &Options,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<(Report, Result<()>)> {
    let folder = StudyFolder::from_args(args, "onitama-atlas", options.seed, "sets")?;
    let sets = folder.map(AtlasSets);
    let keep: &dyn Keep<Entry> = match &sets {
        Some(sets) => sets,
        None => &Forget,
    };
    let display = Mutex::new(ProgressDisplay::with_unit("sets", context.quiet));
    let watch = |size: Size, progress: Progress| {
        let mut display = display.lock().expect("no panic");
        display.report_series(&format!("sets of five cards on {size}"), progress)
    };
    let found = onitama_atlas::run(options, keep, &watch);
    drop(display);
    // What cannot be read does not replace what an earlier run wrote.
    let sets = sets.filter(|_| !found.surveys.is_empty());
    let written = sets.map_or(Ok(()), |sets| sets.write(&found));
    let failed = found.failed.map_or(Ok(()), |message| Err(anyhow!(message)));
    Ok((found.report, failed.and(written)))
}

/// The sets, and lists and pages over those of an earlier run.
struct AtlasSets(StudyFolder);

impl AtlasSets {
    fn write(&self, found: &Found) -> Result<()> {
        for (size, survey) in &found.surveys {
            self.0
                .write(&format!("sets-{size}.csv"), &survey.sets_csv())?;
            self.0
                .write(&format!("deals-{size}.csv"), &survey.deals_csv())?;
            let title = format!("{} sets of five cards on {size}", survey.entries.len());
            let file = format!("atlas-{size}");
            pictures::write_page(&found.page(*size), &title, (self.0.path(), &file))?;
        }
        self.0.write("report.csv", &found.report.csv())
    }
}

impl Keep<Entry> for AtlasSets {
    fn read(&self, series: &str) -> Result<Vec<Entry>, String> {
        fn entry((i, line): (usize, &str)) -> Result<Entry, String> {
            let entry = serde_json::from_str(line);
            entry.map_err(|error| format!("line {} is no set: {error}", i + 1))
        }
        let read = |text: &str| text.lines().enumerate().map(entry).collect();
        self.0.read::<_, String>(series, read)
    }

    fn add(&self, series: &str, entry: &Entry) -> Result<(), String> {
        self.0.add(series, entry)
    }
}
