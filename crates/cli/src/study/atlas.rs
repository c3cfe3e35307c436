//! The atlas of sets of cards: its options, and the folder of its sets and pages.

use std::sync::Mutex;

use anyhow::{Result, anyhow};
use hindsight_solve::{Limits, Progress};
use hindsight_study::onitama_atlas::{self, AtlasEntry, AtlasFindings, AtlasOptions};
use hindsight_study::{BoardSize, NullResultStore, ResultStore, StudyReport};

use super::folder::StudyFolder;
use super::pictures;
use super::table_names::parse_tables;
use crate::args::{ResumableStudyArgs, StudyArgs};
use crate::context::Context;
use crate::progress::ProgressDisplay;

/// Reads the options of the study.
pub(super) fn parse(args: &StudyArgs, limits: Limits) -> Result<AtlasOptions> {
    Ok(AtlasOptions {
        boards: parse_tables(args, str::parse::<BoardSize>)?,
        seed: args.resumable.seed.unwrap_or(1),
        limits,
    })
}

/// Solves the sets and writes pages.
/// Returns the report, and the error of a file that could not be written, if any.
pub(super) fn run(
    options: &AtlasOptions,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<(StudyReport, Result<()>)> {
    let folder = StudyFolder::from_args(args, "onitama-atlas", options.seed, "sets")?;
    let sets = folder.map(AtlasSets);
    let store: &dyn ResultStore<AtlasEntry> = match &sets {
        Some(sets) => sets,
        None => &NullResultStore,
    };
    let display = Mutex::new(ProgressDisplay::with_unit("sets", context.quiet));
    let monitor = |size: BoardSize, progress: Progress| {
        let mut display = display.lock().expect("no panic");
        display.report_series(&format!("sets of five cards on {size}"), progress)
    };
    let results = onitama_atlas::run(options, store, &monitor);
    drop(display);
    // Without a survey, the files of an earlier run are kept.
    let sets = sets.filter(|_| !results.surveys.is_empty());
    let written = sets.map_or(Ok(()), |sets| sets.write(&results));
    let failed = results
        .failure
        .map_or(Ok(()), |message| Err(anyhow!(message)));
    Ok((results.report, failed.and(written)))
}

/// Folder of sets, lists and pages. Lists and pages of an earlier run are overwritten.
struct AtlasSets(StudyFolder);

impl AtlasSets {
    /// Writes the lists, the pages and the report.
    fn write(&self, results: &AtlasFindings) -> Result<()> {
        for (size, survey) in &results.surveys {
            self.0
                .write(&format!("sets-{size}.csv"), &survey.sets_csv())?;
            self.0
                .write(&format!("deals-{size}.csv"), &survey.deals_csv())?;
            let title = format!("{} sets of five cards on {size}", survey.entries.len());
            let file = format!("atlas-{size}");
            pictures::write_page(&results.charts(*size), &title, self.0.path(), &file)?;
        }
        self.0.write("report.csv", &results.report.csv())
    }
}

impl ResultStore<AtlasEntry> for AtlasSets {
    fn read(&self, series: &str) -> Result<Vec<AtlasEntry>, String> {
        let parse = |text: &str| {
            let numbered_lines = text.lines().enumerate();
            let entries = numbered_lines.map(|(index, line)| {
                let entry = serde_json::from_str(line);
                entry.map_err(|error| format!("line {} is no set: {error}", index + 1))
            });
            entries.collect()
        };
        self.0.read::<_, String>(series, parse)
    }

    fn add(&self, series: &str, entry: &AtlasEntry) -> Result<(), String> {
        self.0.add(series, entry)
    }
}
