//! Puzzles of a solved game: from a table, or from a game small enough to be solved at once.

mod report;
mod request;
mod sacrifices;
mod scan;
mod sheets;
mod tally;

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use hindsight_core::{ForbiddenMove, Notation, Probe, Retro, Symmetry};
use hindsight_games::{Options, TableBytes, names_table};
use hindsight_puzzles::{PuzzleOf, PuzzleProfile, PuzzleSelection, PuzzleTheme};
use hindsight_rules::Visitor;
use hindsight_solve::graph;

use self::report::PuzzleReport;
use self::request::PuzzleRequest;
use self::sacrifices::SacrificeScan;
use self::scan::{GraphScan, PuzzleScan, StateTableScan, ValueTableScan};
use crate::args::{PuzzlesArgs, SymmetryArg};
use crate::context::Context;
use crate::errors::{game_error, solver_error};
use crate::game_with_values::file_or_game_error;
use crate::progress::ProgressDisplay;
use crate::spec::{file_or_spec_error, setup};
use crate::tables;

pub(crate) fn run(args: &PuzzlesArgs, context: &Context) -> Result<()> {
    let request = PuzzleRequest::new(args, context)?;
    let path = Path::new(&args.spec);
    if names_table(path) {
        let opened = tables::open(path)?;
        let table = opened.table();
        let visitor = PuzzlesInTable { table, path, request };
        return tables::visit_symmetric(&table.info().spec, visitor)?;
    }
    if args.seed.is_some() || args.sample.is_some() {
        bail!("--seed and --sample draw from a table; of a spec every position is looked at");
    }
    let game = hindsight_games::game_with_symmetry(&args.spec, Symmetry::All);
    let game = game.map_err(file_or_game_error)?;
    let options = Options { memory: Some(context.limits().memory), ..Options::default() };
    game.check_solvable(&options).map_err(game_error)?;
    let visited =
        hindsight_rules::by_name(&args.spec, &setup(SymmetryArg::All), PuzzlesInGame { request });
    visited.map_err(|error| file_or_spec_error(&args.spec, &error))?
}

/// Looks for puzzles in a table.
struct PuzzlesInTable<'a> {
    table: &'a hindsight_tablebase::Table<TableBytes>,
    path: &'a Path,
    request: PuzzleRequest<'a>,
}

impl Visitor for PuzzlesInTable<'_> {
    type Output = Result<()>;

    fn visit<G: Notation>(self, game: G) -> Result<()> {
        Err(tables::unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<()> {
        tables::check_game_size(&game, self.request.context)?;
        let (table, path) = (self.table, self.path);
        let scan = ValueTableScan { game: &game, table, path };
        let open_probe = || table.with(&game);
        let none =
            RepeatedPuzzles { is_new: &mut |_| true, without_forbidden_move: &|position| position };
        let result = find_or_tally(&self.request, &game, &scan, open_probe, none);
        name_table(path, result)
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<()> {
        tables::check_game_size(game.base(), self.request.context)?;
        let (table, path) = (self.table, self.path);
        // The states of a position follow one another: the first one found is shown for all.
        let mut last = None;
        let mut is_new = |state: &G::Position| {
            let base = Some(game.decode(*state).0);
            std::mem::replace(&mut last, base) != base
        };
        let repeated = RepeatedPuzzles {
            is_new: &mut is_new,
            without_forbidden_move: &|state| game.encode(game.decode(state).0, None),
        };
        let open_probe = || table.with_states(&game);
        let request = &self.request;
        let by_sacrifice_scan =
            request.wanted.theme == Some(PuzzleTheme::Sacrifice) && request.sample().is_none();
        let result = if by_sacrifice_scan {
            let scan = SacrificeScan { game: &game, table, path };
            if request.args.tally {
                scan.tally(request)
            } else {
                find_or_tally(request, &game, &scan, open_probe, repeated)
            }
        } else {
            let scan = StateTableScan { game: &game, table, path };
            find_or_tally(request, &game, &scan, open_probe, repeated)
        };
        name_table(path, result)
    }
}

/// Adds the name of the table to its error.
fn name_table(path: &Path, result: Result<()>) -> Result<()> {
    result.map_err(|error| {
        match error.downcast::<hindsight_puzzles::PuzzleError<hindsight_tablebase::TableError>>() {
            Ok(hindsight_puzzles::PuzzleError::Probe(error)) => tables::table_error(path, error),
            Ok(error) => anyhow!("'{}': {error}", path.display()),
            Err(error) => error,
        }
    })
}

/// Solves a game and looks for puzzles in its reachable positions.
struct PuzzlesInGame<'a> {
    request: PuzzleRequest<'a>,
}

impl PuzzlesInGame<'_> {
    /// Solves the game, then finds or counts puzzles.
    fn solve<G: Notation>(
        self,
        game: &G,
        repeated: RepeatedPuzzles<'_, G::Position>,
    ) -> Result<()> {
        self.request.check_theme(game)?;
        let mut display = ProgressDisplay::new(self.request.context.quiet).saving_nothing();
        let solved = graph::solve(game, self.request.context.limits(), &mut display)
            .map_err(solver_error)?;
        drop(display);
        let scan = GraphScan { solved: &solved };
        let open_probe = || solved.reader(game);
        find_or_tally(&self.request, game, &scan, open_probe, repeated)
    }
}

impl Visitor for PuzzlesInGame<'_> {
    type Output = Result<()>;

    fn visit<G: Notation>(self, game: G) -> Result<()> {
        let none =
            RepeatedPuzzles { is_new: &mut |_| true, without_forbidden_move: &|position| position };
        self.solve(&game, none)
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<()> {
        let mut seen = HashSet::new();
        let repeated = RepeatedPuzzles {
            is_new: &mut |state: &G::Position| seen.insert(game.decode(*state).0),
            without_forbidden_move: &|state| game.encode(game.decode(state).0, None),
        };
        self.solve(&game, repeated)
    }
}

/// Ways to tell that states are of one position.
struct RepeatedPuzzles<'a, P> {
    /// Returns false for a position that repeats an earlier puzzle. It is called once for each
    /// puzzle, in order; only those for which it is true are kept.
    is_new: &'a mut dyn FnMut(&P) -> bool,
    /// Returns the position in which no move is forbidden.
    without_forbidden_move: &'a (dyn Fn(P) -> P + Sync),
}

/// Finds puzzles and prints those that are chosen, or counts them with `--tally`.
fn find_or_tally<G: Notation, S: Probe<G>>(
    request: &PuzzleRequest<'_>,
    game: &G,
    scan: &impl PuzzleScan<G>,
    open_probe: impl Fn() -> S + Sync,
    repeated: RepeatedPuzzles<'_, G::Position>,
) -> Result<()>
where
    S::Error: Send + Sync + 'static,
{
    request.check_theme(game)?;
    if request.args.tally {
        let mut sum = hindsight_puzzles::PuzzleTally::default();
        let scanned = scan.for_each_batch(request, &mut |positions| {
            let batch =
                hindsight_puzzles::tally_puzzles(game, &open_probe, positions, &request.wanted)?;
            sum = std::mem::take(&mut sum).merged(batch);
            Ok(())
        })?;
        return tally::print_tally(request, game, &sum, scanned);
    }
    let profile = |puzzle: &PuzzleOf<G>| {
        let positions = puzzle.line.iter();
        let plain = positions.map(|&(position, _)| (repeated.without_forbidden_move)(position));
        PuzzleProfile::new(game, &plain.collect::<Vec<_>>())
    };
    let mut selection = PuzzleSelection::new(request.choice, request.args.count, &profile);
    let scanned = scan.for_each_batch(request, &mut |positions| {
        let mut puzzles =
            hindsight_puzzles::find_puzzles(game, &open_probe, positions, &request.wanted)?;
        puzzles.retain(|puzzle| (repeated.is_new)(&puzzle.position));
        selection.add(puzzles);
        Ok(())
    })?;
    let report = PuzzleReport {
        request,
        game,
        scanned,
        found: selection.found(),
        puzzles: &selection.finish(),
    };
    report.write(&open_probe())
}
