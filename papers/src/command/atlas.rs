//! The atlas of sets of cards: its options, and the folder of its sets and pages.

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use crate::onitama_atlas::{self, AtlasEntry, AtlasFindings, AtlasOptions};
use anyhow::{Result, anyhow};
use hindsight_games::{Limits, Progress};
use hindsight_study::{BoardSize, NullResultStore, ResultStore};

use hindsight_cli::studies as charts;
use hindsight_cli::studies::{
    BoardShare, Context, MergedFolder, PartLabel, PartReport, ProgressDisplay, ResumableStudyArgs,
    StudyAnswer, StudyArgs, StudyFolder, StudyLabel, StudyOutcome, StudyParts, parse_tables,
    read_series, series_path,
};

/// Name of the study.
pub(super) const NAME: &str = "onitama-atlas";

/// Subfolder of the sets.
const SETS: &str = "sets";

/// Reads the options of the study. A part has no limit of time unless one is given.
pub(super) fn parse(args: &StudyArgs, limits: Limits) -> Result<AtlasOptions> {
    let part = args.resumable.part;
    let is_unlimited = part.is_some() && args.seconds.is_none();
    Ok(AtlasOptions {
        boards: parse_tables(args, str::parse::<BoardSize>)?,
        seed: args.resumable.seed.unwrap_or(1),
        limits: Limits { time: limits.time.filter(|_| !is_unlimited), ..limits },
        part,
    })
}

fn label(options: &AtlasOptions) -> StudyLabel {
    let part = options.part.map(|share| {
        let mut boards = options.boards_to_survey();
        boards.sort_unstable();
        PartLabel { share, boards, deals: None }
    });
    StudyLabel::new(NAME, options.seed, part)
}

/// Solves the sets and writes pages, or solves the sets of a part.
/// Returns the report, and the error of a file that could not be written, if any.
pub(super) fn run(
    options: &AtlasOptions,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<StudyOutcome> {
    let open = |path| StudyFolder::open(path, &label(options), SETS).map(AtlasSets);
    let sets = args.out.as_deref().map(open).transpose()?;
    match (&sets, options.part) {
        (Some(sets), Some(_)) => run_part(options, sets, context),
        _ => Ok(run_whole(options, sets.as_ref(), context)),
    }
}

/// Solves the sets that are missing.
fn survey(
    options: &AtlasOptions,
    store: &dyn ResultStore<AtlasEntry>,
    context: &Context,
) -> AtlasFindings {
    let display = Mutex::new(ProgressDisplay::with_unit("sets", context.quiet));
    let monitor = |size: BoardSize, progress: Progress| {
        let mut display = display.lock().expect("no panic");
        display.report_series(&format!("sets of five cards on {size}"), progress)
    };
    onitama_atlas::run(options, store, &monitor)
}

fn run_whole(options: &AtlasOptions, sets: Option<&AtlasSets>, context: &Context) -> StudyOutcome {
    let store: &dyn ResultStore<AtlasEntry> = match sets {
        Some(sets) => sets,
        None => &NullResultStore,
    };
    let results = survey(options, store, context);
    // Without a survey, the files of an earlier run are kept.
    let sets = sets.filter(|_| !results.surveys.is_empty());
    let written = sets.map_or(Ok(()), |sets| sets.write(&results));
    let failed = results.failure.map_or(Ok(()), |message| Err(anyhow!(message)));
    StudyOutcome { answer: StudyAnswer::Whole(results.report), written: failed.and(written) }
}

fn run_part(options: &AtlasOptions, sets: &AtlasSets, context: &Context) -> Result<StudyOutcome> {
    let begin = Instant::now();
    let before = sets.counts(options)?;
    let results = survey(options, sets, context);
    let boards = before.into_iter().zip(sets.counts(options)?);
    let share = |(before, after): (BoardCount, BoardCount)| BoardShare {
        board: after.board,
        solves: options.sets(),
        done: after.sets,
        new: after.sets - before.sets,
    };
    let report = PartReport {
        study: NAME,
        part: options.part.expect("a part"),
        unit: SETS,
        boards: boards.map(share).collect(),
        seconds: begin.elapsed().as_secs_f64(),
    };
    Ok(StudyOutcome {
        answer: StudyAnswer::Part(report),
        written: results.failure.map_or(Ok(()), |message| Err(anyhow!(message))),
    })
}

/// Number of the sets that are solved on a board.
struct BoardCount {
    board: BoardSize,
    sets: u64,
}

/// Puts the sets of parts together in a folder, and writes pages.
pub(super) fn merge(parts: &StudyParts, out: &Path, context: &Context) -> Result<StudyOutcome> {
    let options = AtlasOptions {
        boards: parts.first.boards.clone(),
        seed: parts.whole.seed,
        limits: context.limits(),
        part: None,
    };
    let sizes = options.boards_to_survey().into_iter();
    let boards = sizes.map(|size| Ok((size, read_parts(&options, parts, size)?)));
    let boards: Vec<(BoardSize, Vec<AtlasEntry>)> = boards.collect::<Result<_>>()?;
    let folder = MergedFolder::begin(out)?;
    // The lock in the folder ends before the folder gets its name.
    let outcome = folder.fill(|path| {
        let sets = StudyFolder::open(path, &parts.whole, SETS).map(AtlasSets)?;
        for (size, entries) in &boards {
            sets.0.replace(&size.to_string(), entries)?;
        }
        Ok(run_whole(&options, Some(&sets), context))
    })?;
    folder.finish_with(outcome)
}

/// Reads the sets of all parts on a board, in the order of their numbers.
fn read_parts(
    options: &AtlasOptions,
    parts: &StudyParts,
    size: BoardSize,
) -> Result<Vec<AtlasEntry>> {
    let mut all = Vec::new();
    for folder in &parts.folders {
        let options = AtlasOptions { part: Some(folder.share), ..options.clone() };
        let path = series_path(&folder.path, SETS, &size.to_string());
        let read = read_series(&path, parse_sets).map_err(|message| anyhow!(message))?;
        let sets = onitama_atlas::check_sets(size, &options, read.results)
            .map_err(|message| anyhow!("'{}': {message}", folder.path.display()))?;
        if (sets.len() as u64) < options.sets() {
            let what = format!("sets of {size}");
            return Err(folder.incomplete(sets.len(), options.sets(), &what, ""));
        }
        all.extend(sets.into_values());
    }
    all.sort_by_key(|entry| entry.number);
    Ok(all)
}

/// Folder of sets, lists and pages. Lists and pages of an earlier run are overwritten.
struct AtlasSets(StudyFolder);

impl AtlasSets {
    /// Counts the sets of a part, board by board.
    fn counts(&self, options: &AtlasOptions) -> Result<Vec<BoardCount>> {
        let boards = options.boards_to_survey().into_iter();
        let count = |size: BoardSize| {
            let stored = ResultStore::read(self, &size.to_string());
            let sets =
                stored.and_then(|stored| onitama_atlas::check_sets(size, options, stored))?;
            Ok(BoardCount { board: size, sets: sets.len() as u64 })
        };
        let counts: Result<_, String> = boards.map(count).collect();
        counts.map_err(|message| anyhow!(message))
    }

    /// Writes the lists, the pages and the report, and the sets in the order of their numbers.
    fn write(&self, results: &AtlasFindings) -> Result<()> {
        for (size, survey) in &results.surveys {
            self.0.replace(&size.to_string(), &survey.entries)?;
            self.0.write(&format!("sets-{size}.csv"), &survey.sets_csv())?;
            self.0.write(&format!("deals-{size}.csv"), &survey.deals_csv())?;
            let title = format!("{} sets of five cards on {size}", survey.entries.len());
            let file = format!("atlas-{size}");
            charts::write_page(&results.charts(*size), &title, self.0.path(), &file)?;
        }
        self.0.write("report.csv", &results.report.csv())
    }
}

fn parse_sets(text: &str) -> Result<Vec<AtlasEntry>, String> {
    let numbered_lines = text.lines().enumerate();
    let entries = numbered_lines.map(|(index, line)| {
        let entry = serde_json::from_str(line);
        entry.map_err(|error| format!("line {} is no set: {error}", index + 1))
    });
    entries.collect()
}

impl ResultStore<AtlasEntry> for AtlasSets {
    fn read(&self, series: &str) -> Result<Vec<AtlasEntry>, String> {
        self.0.read(series, parse_sets)
    }

    fn add(&self, series: &str, entry: &AtlasEntry) -> Result<(), String> {
        self.0.add(series, entry)
    }
}
