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
use hindsight_core::{Packed, PackedGame, Probe, States, Structure, Symmetry};
use hindsight_games::{Options, TableBytes, names_table};
use hindsight_puzzles::{Puzzle, PuzzleProfile, PuzzleSelection, PuzzleTheme};
use hindsight_solve::graph;

use self::report::PuzzleReport;
use self::request::PuzzleRequest;
use self::sacrifices::SacrificeScan;
use self::scan::{GraphScan, PuzzleScan, StateTableScan, ValueTableScan};
use crate::args::PuzzlesArgs;
use crate::context::Context;
use crate::game_with_values::file_or_game_error;
use crate::progress::ProgressDisplay;
use crate::tables;

pub(crate) fn run(args: &PuzzlesArgs, context: &Context) -> Result<()> {
    let request = PuzzleRequest::new(args, context)?;
    let path = Path::new(&args.spec);
    if names_table(path) {
        let opened = tables::open(path)?;
        let table = opened.table();
        let game = tables::symmetric_game(&table.info().spec)?;
        return find_in_table(&game, table, path, &request);
    }
    if args.seed.is_some() || args.sample.is_some() {
        bail!("--seed and --sample draw from a table; of a spec every position is looked at");
    }
    let game = hindsight_games::game_with_symmetry(&args.spec, Symmetry::All);
    let game = game.map_err(file_or_game_error)?;
    let context = &context.with_tables_of(game.rules());
    let options = Options { memory: Some(context.limits().memory), ..Options::default() };
    game.check_solvable(&options)?;
    find_in_game(game.rules(), &request, context)
}

/// Looks for puzzles in a table.
fn find_in_table(
    game: &PackedGame,
    table: &hindsight_tablebase::Table<TableBytes>,
    path: &Path,
    request: &PuzzleRequest<'_>,
) -> Result<()> {
    let found = match game.structure() {
        Structure::Plain | Structure::Subgames => return Err(tables::unranked_error(game)),
        Structure::ForbiddenMove => find_in_states(game, table, path, request),
        Structure::Ranked | Structure::PawnPairs | Structure::TwoSided => {
            tables::check_game_size(game, request.context)?;
            let scan = ValueTableScan { game, table, path };
            let none = RepeatedPuzzles {
                is_new: &mut |_| true,
                without_forbidden_move: &|position| position,
            };
            find_or_tally(request, game, &scan, || table.with(game), none)
        }
    };
    name_table(path, found)
}

/// Looks for puzzles in a table of a game in which a move may be forbidden.
fn find_in_states(
    game: &PackedGame,
    table: &hindsight_tablebase::Table<TableBytes>,
    path: &Path,
    request: &PuzzleRequest<'_>,
) -> Result<()> {
    tables::check_game_size(game.base(), request.context)?;
    // The states of a position follow one another: the first one found is shown for all.
    let mut last = None;
    let mut is_new = |state: &Packed| {
        let base = Some(game.decode(*state).0);
        std::mem::replace(&mut last, base) != base
    };
    let repeated = RepeatedPuzzles {
        is_new: &mut is_new,
        without_forbidden_move: &|state| game.encode(game.decode(state).0, None),
    };
    let open_probe = || table.with_states(game);
    let by_sacrifice_scan =
        request.wanted.theme == Some(PuzzleTheme::Sacrifice) && request.sample().is_none();
    if !by_sacrifice_scan {
        let scan = StateTableScan { game, table, path };
        return find_or_tally(request, game, &scan, open_probe, repeated);
    }
    let scan = SacrificeScan { game, table, path };
    match request.args.tally {
        true => scan.tally(request),
        false => find_or_tally(request, game, &scan, open_probe, repeated),
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
fn find_in_game(game: &PackedGame, request: &PuzzleRequest<'_>, context: &Context) -> Result<()> {
    request.check_theme(game)?;
    let mut display = ProgressDisplay::new(request.context.quiet).saving_nothing();
    let solved = graph::solve(game, context.limits(), &mut display);
    let solved = solved.map_err(|error| context.solver_error(error))?;
    drop(display);
    let scan = GraphScan { solved: &solved };
    let has_states = game.structure() == Structure::ForbiddenMove;
    let base = |state: Packed| if has_states { game.decode(state).0 } else { state };
    let mut seen = HashSet::new();
    let repeated = RepeatedPuzzles {
        is_new: &mut |state: &Packed| !has_states || seen.insert(base(*state)),
        without_forbidden_move: &|state| match has_states {
            true => game.encode(base(state), None),
            false => state,
        },
    };
    find_or_tally(request, game, &scan, || solved.reader(game), repeated)
}

/// Ways to tell that states are of one position.
struct RepeatedPuzzles<'a> {
    /// Returns false for a position that repeats an earlier puzzle. It is called once for each
    /// puzzle, in order; only those for which it is true are kept.
    is_new: &'a mut dyn FnMut(&Packed) -> bool,
    /// Returns the position in which no move is forbidden.
    without_forbidden_move: &'a (dyn Fn(Packed) -> Packed + Sync),
}

/// Finds puzzles and prints those that are chosen, or counts them with `--tally`.
fn find_or_tally<S: Probe>(
    request: &PuzzleRequest<'_>,
    game: &PackedGame,
    scan: &impl PuzzleScan,
    open_probe: impl Fn() -> S + Sync,
    repeated: RepeatedPuzzles<'_>,
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
    let profile = |puzzle: &Puzzle| {
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
