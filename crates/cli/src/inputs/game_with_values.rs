//! Games and positions together with their values: from a table, from a solve, or without values.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_core::Symmetry;
use hindsight_games::{
    AnyGame, Choice, Error, Method, Options, Position, SolvedGame, SolverError, Tablebase, Values,
    names_table,
};

use crate::args::PositionArgs;
use crate::context::Context;
use crate::inputs::spec::{file_or_spec_error, spec_error};
use crate::output::print_message;
use crate::tables;

/// Source of a game and of its values.
#[derive(Clone, Copy)]
pub struct ValuesSource<'a> {
    /// Spec of the game; that of the table if `None`.
    pub spec: Option<&'a str>,
    pub table: Option<&'a Path>,
    /// Wish to solve the game if no table is given.
    pub solve: SolveWish,
}

/// Wish to solve a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveWish {
    /// The game is played without values.
    Never,
    /// The game is solved if every position takes some seconds at most.
    IfQuick,
    /// The game is solved: every position if that takes about a minute at most, else those that can
    /// be reached from the start.
    Always,
}

/// Most seconds, by a rough estimate, of a quick solve.
const QUICK_SECONDS: f64 = 3.0;

/// Game of a spec. Errors name `typed`, the spec as the user typed it.
pub(crate) fn named_game(spec: &str, typed: &str) -> Result<AnyGame> {
    hindsight_games::game(spec).map_err(|error| match error {
        hindsight_games::Error::Spec { fault, .. } => spec_error(typed, &fault),
        other => other.into(),
    })
}

/// Opens a table. If `named_spec` names a game, the table must have its rules, and takes its names.
fn open_table_of(path: &Path, named_spec: Option<&str>) -> Result<Tablebase> {
    let table = tables::open(path)?;
    let Some(named_spec) = named_spec else {
        return Ok(table);
    };
    let (named, game) = (named_game(named_spec, named_spec)?, table.game());
    if !game.has_rules_of(&named) {
        let (named, spec) = (named.spec(), game.spec());
        bail!("'{}' is a table of {spec}, not of {named}", path.display());
    }
    Ok(table.with_names_of(&named)?)
}

/// Returns a game and its values. These are `None` without a table and without a solve.
pub fn game_and_values(
    source: ValuesSource<'_>,
    context: &Context,
) -> Result<(AnyGame, Option<Values>)> {
    if let Some(path) = source.table {
        let table = open_table_of(path, source.spec)?;
        return Ok((table.game().clone(), Some(table.values().clone())));
    }
    let Some(spec) = source.spec else {
        bail!("no game is named");
    };
    if source.solve == SolveWish::Never {
        return Ok((hindsight_games::game(spec)?, None));
    }
    let game = hindsight_games::game_with_symmetry(spec, Symmetry::All)?;
    let values = wished_values(&game, source.solve, &context.with_tables_of(game.rules()))?;
    Ok((game, values))
}

/// Solves a game as far as it is wished.
fn wished_values(game: &AnyGame, wish: SolveWish, context: &Context) -> Result<Option<Values>> {
    let most_seconds = match wish {
        SolveWish::Never => return Ok(None),
        SolveWish::IfQuick => QUICK_SECONDS,
        SolveWish::Always => EVERY_POSITION_SECONDS,
    };
    let every_position =
        context.run(|options| solve_every_position(game, most_seconds, options))?;
    let solved = match every_position {
        None if wish == SolveWish::Always => {
            Some(context.run(|options| game.solve(Method::Reachable, options))?)
        }
        solved => solved,
    };
    Ok(solved.map(|solved| solved.values().clone()))
}

/// Most seconds, by a rough estimate, of a solve of every position of a game.
const EVERY_POSITION_SECONDS: f64 = 60.0;

/// Most bytes of the graph of a position from which the start of its game may have many more.
const POSITION_GRAPH_BYTES: u64 = 1 << 30;

/// Returns the values of a table, or of all that may follow a position, and the position.
pub(crate) fn values_at(args: &PositionArgs, context: &Context) -> Result<(Values, Position)> {
    let (file_or_spec, position) = (&args.spec, args.position.as_deref());
    let path = Path::new(file_or_spec);
    if names_table(path) {
        let table = hindsight_games::open(path)?;
        let position = named_position(table.game(), position, context)?;
        return Ok((table.values().clone(), position));
    }
    let game = hindsight_games::game_with_symmetry(file_or_spec, Symmetry::All);
    let game = game.map_err(file_or_game_error)?;
    let context = &context.with_tables_of(game.rules());
    let position = named_position(&game, position, context)?;
    let every_position =
        context.run(|options| solve_every_position(&game, EVERY_POSITION_SECONDS, options))?;
    let solved = match every_position {
        Some(solved) => solved,
        None => solve_graph_from(&game, &position, context)?,
    };
    Ok((solved.values().clone(), position))
}

/// Solves all positions that can be reached from a position, if they are few. From the start of a
/// game that is too large, no solve is begun.
fn solve_graph_from(game: &AnyGame, position: &Position, context: &Context) -> Result<SolvedGame> {
    let choice = context.run(|options| Ok(game.needs(Method::Auto, options)?.choice));
    let is_small = choice.is_ok_and(|choice| choice.is_some_and(Choice::has_small_graph));
    if is_small {
        return context.run(|options| game.solve_from(position, options));
    }
    let is_at_start = *position == game.start();
    let solved = context.run(|options| {
        if is_at_start && game.check_solvable(options).is_err() {
            return Ok(None);
        }
        let memory = options.memory.unwrap_or(u64::MAX).min(POSITION_GRAPH_BYTES);
        let options = Options { memory: Some(memory), ..options.clone() };
        match game.solve_from(position, &options) {
            Err(Error::Solve(SolverError::Memory { .. })) => Ok(None),
            solved => solved.map(Some),
        }
    })?;
    if let Some(solved) = solved {
        return Ok(solved);
    }
    let has_table = context.run(|options| Ok(game.has_possible_table(options)))?;
    let table = if has_table {
        format!(", and a table (`hindsight solve {} --out FILE`) has all", game.spec())
    } else {
        String::new()
    };
    bail!(
        "too many positions follow to know all their values: `hindsight analyse` shows those that \
         can be proved{table}"
    )
}

/// Returns the values of a table, or those of a game: of every position if that takes about a
/// minute at most and fits in memory, else of the positions that the start leads to.
pub(crate) fn all_values(file_or_spec: &str, context: &Context) -> Result<Values> {
    let path = Path::new(file_or_spec);
    if names_table(path) {
        return Ok(tables::open(path)?.values().clone());
    }
    let game = hindsight_games::game_with_symmetry(file_or_spec, Symmetry::All);
    let game = game.map_err(file_or_game_error)?;
    let context = &context.with_tables_of(game.rules());
    let every_position =
        context.run(|options| solve_every_position(&game, EVERY_POSITION_SECONDS, options))?;
    let solved = match every_position {
        Some(solved) => solved,
        None => solve_graph_from(&game, &game.start(), context)?,
    };
    Ok(solved.values().clone())
}

/// Solves every position of a game, if that takes at most `most_seconds`, by a rough estimate, and
/// its values fit in memory.
fn solve_every_position(
    game: &AnyGame,
    most_seconds: f64,
    options: &Options,
) -> Result<Option<SolvedGame>, Error> {
    let within = Options { seconds: Some(most_seconds), ..options.clone() };
    if !game.is_quick(&within) {
        return Ok(None);
    }
    let solved = game.solve(Method::Tiered, options)?;
    Ok(Some(solved).filter(SolvedGame::has_values))
}

/// Turns the error of an argument that names neither a file nor a game into a sentence.
pub(crate) fn file_or_game_error(error: hindsight_games::Error) -> anyhow::Error {
    match error {
        hindsight_games::Error::Spec { spec, fault } => file_or_spec_error(&spec, &fault),
        other => other.into(),
    }
}

/// Returns the position of a text, or the start. Prints a note if no move leads to it.
pub(crate) fn named_position(
    game: &AnyGame,
    text: Option<&str>,
    context: &Context,
) -> Result<Position> {
    let position = text.map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
    note_unreachable(game, &position, context)?;
    Ok(position)
}

/// Prints a note if no move leads to a position.
pub(crate) fn note_unreachable(
    game: &AnyGame,
    position: &Position,
    context: &Context,
) -> Result<()> {
    if !context.quiet && game.is_unreached(position)? {
        print_message(&format!("note: no move leads to '{}'", game.format(position)?));
    }
    Ok(())
}
