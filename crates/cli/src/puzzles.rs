//! Puzzles of a solved game: from a table, or from a game small enough to be solved at once.

mod report;
mod sacrifices;
mod scan;

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use hindsight_core::{ForbiddenMove, Game, Material, Notation, Probe, Retro};
use hindsight_puzzles::{HardestPuzzles, PuzzleCriteria, PuzzleTheme};
use hindsight_rules::Visitor;
use hindsight_solve::graph;

use self::report::PuzzleReport;
use self::sacrifices::SacrificeScan;
use self::scan::{GraphScan, PuzzleScan, StateTableScan, ValueTableScan};
use crate::args::{PuzzlesArgs, SymmetryArg};
use crate::context::Context;
use crate::errors::solver_error;
use crate::output::{NamedFile, Output, check_distinct, refuse_stdout};
use crate::progress::ProgressDisplay;
use crate::spec::{file_or_spec_error, setup};
use crate::tables;

/// What is asked for.
struct PuzzleRequest<'a> {
    args: &'a PuzzlesArgs,
    context: &'a Context,
    wanted: PuzzleCriteria,
    files: RefCell<PuzzleFiles>,
}

/// The files to write, until they are written.
#[derive(Default)]
struct PuzzleFiles {
    certificate: Option<Output>,
    /// The sheet, and that of the solutions.
    sheets: Option<[Output; 2]>,
}

pub(crate) fn run(args: &PuzzlesArgs, context: &Context) -> Result<()> {
    let call = PuzzleRequest {
        args,
        context,
        wanted: wanted_puzzles(args)?,
        files: RefCell::new(open_files(args, context)?),
    };
    let path = Path::new(&args.spec);
    if path.exists() {
        let table = &tables::open(path)?;
        let visitor = PuzzlesInTable { table, path, call };
        return tables::visit(&table.info().spec, visitor)?;
    }
    if args.seed.is_some() || args.sample.is_some() {
        bail!("--seed and --sample draw from a table; of a spec every position is looked at");
    }
    let visited =
        hindsight_rules::by_name(&args.spec, &setup(SymmetryArg::All), PuzzlesInGame { call });
    visited.map_err(|error| file_or_spec_error(&args.spec, &error))?
}

fn wanted_puzzles(args: &PuzzlesArgs) -> Result<PuzzleCriteria> {
    let theme = args.theme.map(PuzzleTheme::from);
    let lengths = [args.min_plies, args.max_plies];
    if theme == Some(PuzzleTheme::Swindle) && lengths.iter().any(Option::is_some) {
        bail!("a swindle has no length: leave out --min-plies and --max-plies");
    }
    let [least, most] = [lengths[0].unwrap_or(1), lengths[1].unwrap_or(u16::MAX)];
    if least > most {
        bail!("--min-plies {least} is more than --max-plies {most}");
    }
    Ok(PuzzleCriteria {
        unique: args.unique.into(),
        theme,
        plies: least..=most,
    })
}

/// Opens the files to write, before anything else is done.
fn open_files(args: &PuzzlesArgs, context: &Context) -> Result<PuzzleFiles> {
    let sheets = args.svg.as_deref().map(sheet_paths).transpose()?;
    refuse_stdout("--certificate", args.certificate.as_deref())?;
    let named = |what, path| NamedFile::new(what, path);
    let certificate = args
        .certificate
        .iter()
        .map(|path| named("--certificate", path));
    let all = sheets.iter().flatten().map(|path| named("--svg", path));
    let deck = hindsight_rules::deck_file(&args.spec).map(PathBuf::from);
    let inputs = [named("the table", Path::new(&args.spec))].into_iter();
    let inputs = inputs.chain(NamedFile::optional("the deck", deck.as_ref()));
    check_distinct(
        &inputs.collect::<Vec<_>>(),
        &certificate.chain(all).collect::<Vec<_>>(),
    )?;
    let open = |path: &Path| Output::file_or_stream(path, context.force);
    Ok(PuzzleFiles {
        certificate: args.certificate.as_deref().map(open).transpose()?,
        sheets: match &sheets {
            Some([tasks, solutions]) => Some([open(tasks)?, open(solutions)?]),
            None => None,
        },
    })
}

/// The files of a sheet and of its solutions.
fn sheet_paths(sheet: &Path) -> Result<[PathBuf; 2]> {
    let ending = sheet.extension().map(|ending| ending.to_ascii_lowercase());
    if ending.is_none_or(|ending| ending != "svg") {
        bail!("'{}' ends like no sheet; end it in .svg", sheet.display());
    }
    Ok([sheet.to_owned(), report::solutions_path(sheet)])
}

struct PuzzlesInTable<'a> {
    table: &'a hindsight_tablebase::Table<File>,
    path: &'a Path,
    call: PuzzleRequest<'a>,
}

impl Visitor for PuzzlesInTable<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        Err(tables::unranked_error(&game))
    }

    fn ranked<G: Retro + Notation + Material>(self, game: G) -> Result<()> {
        tables::check_game_size(&game, self.call.context)?;
        let (table, path) = (self.table, self.path);
        let scan = ValueTableScan {
            game: &game,
            table,
            path,
        };
        let done = self
            .call
            .act(&game, &scan, || table.with(&game), &mut |_| true);
        name_table(path, done)
    }

    fn forbidden_move<G: ForbiddenMove<Base: Material> + Notation + Material>(
        self,
        game: G,
    ) -> Result<()> {
        tables::check_game_size(game.base(), self.call.context)?;
        let (table, path) = (self.table, self.path);
        // Of the states of a position, which come one after the other, the first.
        let mut last = None;
        let mut is_new = |state: &G::Position| {
            let base = Some(game.decode(*state).0);
            std::mem::replace(&mut last, base) != base
        };
        let open = || table.with_states(&game);
        let call = &self.call;
        let sacrifices =
            call.wanted.theme == Some(PuzzleTheme::Sacrifice) && call.sample().is_none();
        let done = if sacrifices {
            let scan = SacrificeScan {
                game: &game,
                table,
                path,
            };
            if call.args.tally {
                scan.tally(call)
            } else {
                call.act(&game, &scan, open, &mut is_new)
            }
        } else {
            let scan = StateTableScan {
                game: &game,
                table,
                path,
            };
            call.act(&game, &scan, open, &mut is_new)
        };
        name_table(path, done)
    }
}

/// An error of a table with the name of its file.
fn name_table(path: &Path, done: Result<()>) -> Result<()> {
    done.map_err(|error| {
        match error.downcast::<hindsight_puzzles::PuzzleError<hindsight_tablebase::TableError>>() {
            Ok(hindsight_puzzles::PuzzleError::Probe(error)) => tables::table_error(path, error),
            Ok(error) => anyhow!("'{}': {error}", path.display()),
            Err(error) => error,
        }
    })
}

struct PuzzlesInGame<'a> {
    call: PuzzleRequest<'a>,
}

impl PuzzlesInGame<'_> {
    fn solve<G: Game + Notation + Material>(
        self,
        game: &G,
        is_new: &mut dyn FnMut(&G::Position) -> bool,
    ) -> Result<()> {
        self.call.check_theme(game)?;
        let mut display = ProgressDisplay::new(self.call.context.quiet);
        let solved =
            graph::solve(game, self.call.context.limits(), &mut display).map_err(solver_error)?;
        drop(display);
        let scan = GraphScan { solved: &solved };
        self.call.act(game, &scan, || solved.reader(game), is_new)
    }
}

impl Visitor for PuzzlesInGame<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation + Material>(self, game: G) -> Result<()> {
        self.solve(&game, &mut |_| true)
    }

    fn forbidden_move<G: ForbiddenMove<Base: Material> + Notation + Material>(
        self,
        game: G,
    ) -> Result<()> {
        let mut seen = HashSet::new();
        self.solve(&game, &mut |state| seen.insert(game.decode(*state).0))
    }
}

impl PuzzleRequest<'_> {
    /// Whether the game has the theme.
    fn check_theme<G: Material + Notation>(&self, game: &G) -> Result<()> {
        let theme = self.wanted.theme;
        theme.map_or(Ok(()), |theme| {
            theme.check(game).map_err(|message| anyhow!(message))
        })
    }

    /// How many positions to draw, and the seed, if not all are looked at.
    fn sample(&self) -> Option<(usize, u64)> {
        let PuzzlesArgs { seed, sample, .. } = *self.args;
        (seed.is_some() || sample.is_some()).then(|| (sample.unwrap_or(100_000), seed.unwrap_or(1)))
    }

    /// Finds the puzzles and shows them, or counts them. Of those found, the ones that are new are kept.
    fn act<G: Game + Notation + Material, S: Probe<G>>(
        &self,
        game: &G,
        scan: &impl PuzzleScan<G>,
        open: impl Fn() -> S + Sync,
        is_new: &mut dyn FnMut(&G::Position) -> bool,
    ) -> Result<()>
    where
        S::Error: Send + Sync + 'static,
    {
        self.check_theme(game)?;
        if self.args.tally {
            let mut sum = hindsight_puzzles::PuzzleTally::default();
            let scanned = scan.for_each_batch(self, &mut |positions| {
                let tally = hindsight_puzzles::tally_puzzles(game, &open, positions, &self.wanted)?;
                sum = std::mem::take(&mut sum).merged(tally);
                Ok(())
            })?;
            return report::print_tally(self, game, &sum, scanned);
        }
        let mut hardest = HardestPuzzles::new(self.args.count);
        let scanned = scan.for_each_batch(self, &mut |positions| {
            let mut found = hindsight_puzzles::find_puzzles(game, &open, positions, &self.wanted)?;
            found.retain(|puzzle| is_new(&puzzle.position));
            hardest.add(found);
            Ok(())
        })?;
        let report = PuzzleReport {
            call: self,
            game,
            scanned,
            found: hardest.found(),
            puzzles: &hardest.finish(),
        };
        report.write(&open())
    }
}
