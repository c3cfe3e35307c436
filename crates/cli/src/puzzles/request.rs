//! The options of one call of `puzzles`, checked, and its output files.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use hindsight_answers::ScannedPositions;
use hindsight_draw::Paper;
use hindsight_games::{PuzzleChoice, PuzzleCriteria, PuzzleSearch, PuzzleTheme};

use super::sheets::{SheetFiles, SheetNames};
use crate::args::PuzzlesArgs;
use crate::context::Context;
use crate::output::{NamedFile, Output, check_distinct, refuse_stdout};
use crate::shown::sizes::counted;

/// Positions that `--seed` draws without `--sample`.
const DEFAULT_SAMPLE: usize = 100_000;

/// The options of one call, and its files.
pub(super) struct PuzzleRequest<'a> {
    pub(super) args: &'a PuzzlesArgs,
    pub(super) context: &'a Context,
    pub(super) search: PuzzleSearch,
    /// Files to write; taken by the report.
    pub(super) files: RefCell<PuzzleFiles>,
}

/// The output files, opened but not written yet.
#[derive(Default)]
pub(super) struct PuzzleFiles {
    pub(super) certificate: Option<Output>,
    /// Printed sheets, in each form that is asked for.
    pub(super) sheets: Vec<SheetFiles>,
}

/// Returns the criteria that the options set.
fn wanted_puzzles(args: &PuzzlesArgs, choice: PuzzleChoice) -> Result<PuzzleCriteria> {
    let theme = args.theme.map(PuzzleTheme::from);
    let lengths = [args.min_plies, args.max_plies];
    if theme == Some(PuzzleTheme::Swindle) && lengths.iter().any(Option::is_some) {
        bail!("a swindle has no length: leave out --min-plies and --max-plies");
    }
    let max = args.max_plies.unwrap_or(u16::MAX);
    let min = args.min_plies.unwrap_or(match theme {
        Some(PuzzleTheme::Swindle) => 1,
        _ if max < choice.fewest_plies() => 1,
        _ => choice.fewest_plies(),
    });
    if min > max {
        bail!("--min-plies {min} is more than --max-plies {max}");
    }
    Ok(PuzzleCriteria { unique: args.unique.into(), theme, plies: min..=max })
}

/// Returns the way to choose that the options set.
fn wanted_choice(args: &PuzzlesArgs) -> Result<PuzzleChoice> {
    let choice = match (args.mix, args.alike) {
        (true, _) => PuzzleChoice::Mixed,
        (_, true) => PuzzleChoice::Hardest,
        _ => PuzzleChoice::Different,
    };
    let checked = choice.check_count(args.count);
    checked.map_err(|message| match choice {
        PuzzleChoice::Different => anyhow!("{message}; --alike shows more (--count)"),
        _ => anyhow!("{message} (--count)"),
    })?;
    Ok(choice)
}

/// Opens the output files, before any other work, so that a bad name fails at once.
fn open_files(args: &PuzzlesArgs, context: &Context) -> Result<PuzzleFiles> {
    let sheets = SheetNames::of_options(args)?;
    refuse_stdout("--certificate", args.certificate.as_deref())?;
    let certificate = args.certificate.iter().map(|path| NamedFile::new("--certificate", path));
    let sheet_files = sheets.iter().flat_map(SheetNames::named);
    let deck = hindsight_rules::deck_file(&args.spec).map(PathBuf::from);
    let inputs = [NamedFile::new("the table", Path::new(&args.spec))].into_iter();
    let inputs = inputs.chain(NamedFile::optional("the deck", deck.as_ref()));
    check_distinct(
        &inputs.collect::<Vec<_>>(),
        &certificate.chain(sheet_files).collect::<Vec<_>>(),
    )?;
    let open = |path: &Path| Output::file_or_stream(path, context.force);
    Ok(PuzzleFiles {
        certificate: args.certificate.as_deref().map(open).transpose()?,
        sheets: sheets.iter().map(|sheet| sheet.open(context.force)).collect::<Result<_>>()?,
    })
}

impl<'a> PuzzleRequest<'a> {
    /// Checks the options and opens the output files.
    ///
    /// # Errors
    /// When options contradict each other, or a file cannot be written.
    pub(super) fn new(args: &'a PuzzlesArgs, context: &'a Context) -> Result<Self> {
        let choice = wanted_choice(args)?;
        let is_drawn = args.seed.is_some() || args.sample.is_some();
        let search = PuzzleSearch {
            criteria: wanted_puzzles(args, choice)?,
            choice,
            count: args.count,
            sample: is_drawn.then(|| args.sample.unwrap_or(DEFAULT_SAMPLE)),
            seed: args.seed.unwrap_or(1),
        };
        Ok(Self { args, context, search, files: RefCell::new(open_files(args, context)?) })
    }

    /// Returns true if sacrifices are looked for among all positions.
    pub(super) fn is_for_all_sacrifices(&self) -> bool {
        self.search.criteria.theme == Some(PuzzleTheme::Sacrifice) && self.search.sample.is_none()
    }

    /// Returns the paper of printed sheets.
    pub(super) fn paper(&self) -> Paper {
        self.args.paper.map_or(Paper::A4, Paper::from)
    }
}

/// Describes scanned positions in words.
pub(super) fn scope_text(scanned: &ScannedPositions) -> String {
    let positions = counted(scanned.positions, "position");
    match (scanned.scope, scanned.seed) {
        ("sample", Some(seed)) => format!("{positions} drawn with seed {seed}"),
        ("reachable", _) => format!("all {positions} that are reachable, symmetric ones once"),
        _ => format!("all {positions} that are in the table"),
    }
}
