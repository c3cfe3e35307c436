//! Games and positions together with their values: from a table, from a solve, or without values.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_core::{Answer, ForbiddenMove, Game, Material, Notation, Probe, Retro, Value, Wdl};
use hindsight_play::BatchProbe;
use hindsight_rules::Visitor;
use hindsight_solve::graph;

use crate::args::SymmetryArg;
use crate::context::Context;
use crate::errors::solver_error;
use crate::output::print_message;
use crate::progress::ProgressDisplay;
use crate::spec::{file_or_spec_error, parse_position, setup, spec_error};
use crate::tables;

/// Operation on a game and, if they are known, the values of all its positions.
pub(crate) trait WithValues {
    fn run<G: Game + Notation>(
        &self,
        game: &G,
        values: Option<BatchProbe<'_, G::Position>>,
    ) -> Result<()>;
}

/// Source of a game and of its values.
#[derive(Clone, Copy)]
pub(crate) struct ValuesSource<'a> {
    /// Spec of the game; that of the table if `None`.
    pub(crate) spec: Option<&'a str>,
    pub(crate) table: Option<&'a Path>,
    /// True to solve the game if no table is given.
    pub(crate) solve: bool,
}

/// Runs `operation` on a game and its values; returns the normal form of the spec.
pub(crate) fn with_values(
    source: ValuesSource<'_>,
    context: &Context,
    operation: &impl WithValues,
) -> Result<String> {
    if let Some(path) = source.table {
        return with_table(path, source.spec, operation);
    }
    let Some(spec) = source.spec else {
        bail!("no game is named");
    };
    let visitor = SpecValuesVisitor {
        solve: source.solve,
        context,
        operation,
    };
    hindsight_rules::by_name(spec, &setup(SymmetryArg::None), visitor)
        .map_err(|error| spec_error(spec, &error))?
}

fn with_table(
    path: &Path,
    named_spec: Option<&str>,
    operation: &impl WithValues,
) -> Result<String> {
    let table = tables::open(path)?;
    let spec = table.info().spec.clone();
    if let Some(named_spec) = named_spec {
        let named = normal_form(named_spec, named_spec)?;
        if named != spec {
            bail!("'{}' is a table of {spec}, not of {named}", path.display());
        }
    }
    let visitor = TableValuesVisitor {
        path,
        table: &table,
        operation,
    };
    tables::visit(&spec, visitor)??;
    Ok(spec)
}

/// Normal form of a spec. Errors name `typed`, the spec as the user typed it.
pub(crate) fn normal_form(spec: &str, typed: &str) -> Result<String> {
    struct NormalForm;
    impl Visitor for NormalForm {
        type Output = String;
        fn visit<G: Game + Notation>(self, game: G) -> String {
            game.spec()
        }
    }
    hindsight_rules::by_name(spec, &setup(SymmetryArg::None), NormalForm)
        .map_err(|error| spec_error(typed, &error))
}

/// Runs an operation on a game, after a solve if values are needed.
struct SpecValuesVisitor<'a, U> {
    solve: bool,
    context: &'a Context,
    operation: &'a U,
}

impl<U: WithValues> Visitor for SpecValuesVisitor<'_, U> {
    type Output = Result<String>;

    fn visit<G: Game + Notation + Material>(self, game: G) -> Result<String> {
        if !self.solve {
            self.operation.run(&game, None)?;
            return Ok(game.spec());
        }
        let mut display = ProgressDisplay::new(self.context.quiet);
        let solved =
            graph::solve(&game, self.context.limits(), &mut display).map_err(solver_error)?;
        drop(display);
        let reader = solved.reader(&game);
        self.operation.run(
            &game,
            Some(&|positions| reader.probe_many(positions).map_err(|error| match error {})),
        )?;
        Ok(game.spec())
    }
}

/// Runs an operation on the game of a table.
struct TableValuesVisitor<'a, U> {
    path: &'a Path,
    table: &'a hindsight_tablebase::Table<std::fs::File>,
    operation: &'a U,
}

impl<U: WithValues> Visitor for TableValuesVisitor<'_, U> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        Err(tables::unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<()> {
        let Self {
            path,
            table,
            operation,
        } = self;
        let probe_table =
            |positions: &[_]| table_answers(path, table.with(&game).probe_many(positions));
        operation.run(&game, Some(&probe_table))
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<()> {
        let Self {
            path,
            table,
            operation,
        } = self;
        let probe_table =
            |positions: &[_]| table_answers(path, table.with_states(&game).probe_many(positions));
        operation.run(&game, Some(&probe_table))
    }
}

/// Answers of a table, with an error as one sentence that names the file.
pub(crate) fn table_answers(
    path: &Path,
    answers: Result<Vec<Answer>, hindsight_tablebase::TableError>,
) -> Result<Vec<Answer>, String> {
    answers.map_err(|error| format!("{:#}", tables::table_error(path, error)))
}

/// Operation on a position, with a probe for it and for every position reachable from it.
pub(crate) trait WithProbe {
    fn run<G: Game + Notation, S: Probe<G>>(
        &self,
        game: &G,
        solution: &S,
        position: G::Position,
    ) -> Result<()>
    where
        S::Error: Send + Sync + 'static;
}

/// Runs `operation` on a position, by a table or by a solve from the position.
/// `file_or_spec` is the name of a table, or the spec of a game; `position` is the start if `None`.
pub(crate) fn with_probe(
    file_or_spec: &str,
    position: Option<&str>,
    context: &Context,
    operation: &impl WithProbe,
) -> Result<()> {
    let path = Path::new(file_or_spec);
    if path.exists() {
        let table = tables::open(path)?;
        let spec = table.info().spec.clone();
        return tables::visit(
            &spec,
            TableProbeVisitor {
                table: &table,
                path,
                position,
                context,
                operation,
            },
        )?;
    }
    let visitor = SpecProbeVisitor {
        position,
        context,
        operation,
    };
    let visited = hindsight_rules::by_name(file_or_spec, &setup(SymmetryArg::All), visitor);
    visited.map_err(|error| file_or_spec_error(file_or_spec, &error))?
}

/// Prints a note if a state has a rank, but no move leads to it.
pub(crate) fn note_unreachable<G: ForbiddenMove + Notation>(
    game: &G,
    state: G::Position,
    context: &Context,
) {
    if !context.quiet && hindsight_core::is_unreached(game, state) {
        print_message(&format!("note: no move leads to '{}'", game.format(state)));
    }
}

/// Runs an operation with the probe of a table.
struct TableProbeVisitor<'a, A> {
    table: &'a hindsight_tablebase::Table<std::fs::File>,
    path: &'a Path,
    position: Option<&'a str>,
    context: &'a Context,
    operation: &'a A,
}

impl<A: WithProbe> Visitor for TableProbeVisitor<'_, A> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        Err(tables::unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<()> {
        let position = parse_position(&game, self.position)?;
        let result = self.operation.run(&game, &self.table.with(&game), position);
        self.name_table(result)
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<()> {
        let position = parse_position(&game, self.position)?;
        note_unreachable(&game, position, self.context);
        let result = self
            .operation
            .run(&game, &self.table.with_states(&game), position);
        self.name_table(result)
    }
}

impl<A> TableProbeVisitor<'_, A> {
    /// Adds the name of the file to an error of the table.
    fn name_table(&self, result: Result<()>) -> Result<()> {
        result.map_err(
            |error| match error.downcast::<hindsight_tablebase::TableError>() {
                Ok(error) => tables::table_error(self.path, error),
                Err(error) => error,
            },
        )
    }
}

/// Runs an operation with the solution of the game from the position.
struct SpecProbeVisitor<'a, A> {
    position: Option<&'a str>,
    context: &'a Context,
    operation: &'a A,
}

impl<A: WithProbe> Visitor for SpecProbeVisitor<'_, A> {
    type Output = Result<()>;

    fn forbidden_move<G: ForbiddenMove<Base: Material> + Notation + Material + Send + 'static>(
        self,
        game: G,
    ) -> Result<()> {
        note_unreachable(&game, parse_position(&game, self.position)?, self.context);
        self.visit(game)
    }

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        let start = parse_position(&game, self.position)?;
        if let Some(wdl) = game.terminal(start) {
            return self.operation.run(&game, &FinishedGame(wdl), start);
        }
        let mut display = ProgressDisplay::new(self.context.quiet);
        let solved = graph::solve_from(&game, start, self.context.limits(), &mut display)
            .map_err(solver_error)?;
        drop(display);
        self.operation.run(&game, &solved.reader(&game), start)
    }
}

/// Probe for a terminal position: every position has the result of the game.
struct FinishedGame(Wdl);

impl<G: Game> Probe<G> for FinishedGame {
    type Error = std::convert::Infallible;

    fn probe(&self, _: G::Position) -> Result<Answer, Self::Error> {
        Ok(Answer::Exact(Value::terminal(self.0)))
    }
}
