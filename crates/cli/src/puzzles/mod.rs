//! Puzzles of a solved game: from a table, or from a game small enough to be solved at once.

mod report;
mod request;
mod sacrifices;
mod sheets;
mod tally;

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use hindsight_answers::ScannedPositions;
use hindsight_games::{
    Error, Method, Options, SolverError, Symmetry, Tablebase, Values, names_table,
};

use self::report::PuzzleReport;
use self::request::PuzzleRequest;
use crate::args::PuzzlesArgs;
use crate::context::Context;
use crate::inputs::game_with_values::file_or_game_error;
use crate::tables;

pub(crate) fn run(args: &PuzzlesArgs, context: &Context) -> Result<()> {
    let request = PuzzleRequest::new(args, context)?;
    let path = Path::new(&args.spec);
    if !names_table(path) {
        return find_or_tally(&request, &solved_values(&request)?, None);
    }
    let table = tables::open(path)?;
    let found = find_or_tally(&request, table.values(), Some(&table));
    found.map_err(|error| match error.downcast_ref() {
        Some(Error::Inconsistent) => anyhow!("'{}': {error}", path.display()),
        _ => error,
    })
}

/// Solves the game of the spec: all positions that the start leads to.
fn solved_values(request: &PuzzleRequest<'_>) -> Result<Values> {
    let (args, context) = (request.args, request.context);
    if request.search.sample.is_some() {
        bail!("--seed and --sample draw from a table; of a spec every position is looked at");
    }
    let game = hindsight_games::game_with_symmetry(&args.spec, Symmetry::All);
    let game = game.map_err(file_or_game_error)?;
    if let Some(theme) = request.search.criteria.theme {
        // Before the solve, which may take long.
        theme.check(game.rules()).map_err(Error::Theme)?;
    }
    let context = &context.with_tables_of(game.rules());
    let options = Options { memory: Some(context.limits().memory), ..Options::default() };
    game.check_solvable(&options)?;
    let solved = context.run(|options| game.solve(Method::Reachable, options))?;
    Ok(solved.values().clone())
}

/// Finds puzzles and prints those that are chosen, or counts them with `--tally`. The values are
/// those of a table, or of all positions that can be reached.
fn find_or_tally(
    request: &PuzzleRequest<'_>,
    values: &Values,
    table: Option<&Tablebase>,
) -> Result<()> {
    let search = &request.search;
    let context = &request.context.with_tables_of(values.game().rules());
    let all = if table.is_some() { "all" } else { "reachable" };
    let scanned = |places| match search.sample {
        Some(_) => ScannedPositions { scope: "sample", positions: places, seed: Some(search.seed) },
        None => ScannedPositions { scope: all, positions: places, seed: None },
    };
    if !request.args.tally {
        let found = context.run(|options| {
            let found = values.puzzles(search, options)?;
            whole(found.is_cut, found)
        })?;
        return PuzzleReport::new(request, values, &found, scanned(found.places))?.write();
    }
    if let Some(table) = table.filter(|_| request.is_for_all_sacrifices()) {
        let tallied = context.run(|options| match values.tally_sacrifices(options)? {
            Some(tallied) => Ok(Some(whole(tallied.is_cut, tallied)?)),
            None => Ok(None),
        })?;
        if let Some(tallied) = tallied {
            return sacrifices::print_tally(
                request,
                table,
                &tallied.tally,
                scanned(tallied.places),
            );
        }
    }
    let tallied = context.run(|options| {
        let tallied = values.tally_puzzles(search, options)?;
        whole(tallied.is_cut, tallied)
    })?;
    tally::print_tally(request, values.game(), &tallied.tally, scanned(tallied.places))
}

/// Returns what a search found, unless a signal has cut it.
fn whole<T>(is_cut: bool, found: T) -> Result<T, Error> {
    if is_cut { Err(SolverError::Stopped.into()) } else { Ok(found) }
}
