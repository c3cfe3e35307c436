//! A game with what is known of its positions: from a table, from a solve, or nothing.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_core::{Answer, ForbiddenMove, Game, Material, Notation, Probe, Retro};
use hindsight_play::BatchProbe;
use hindsight_rules::Visitor;
use hindsight_solve::graph;

use crate::args::SymmetryArg;
use crate::context::Context;
use crate::errors::solver_error;
use crate::progress::ProgressDisplay;
use crate::spec::{setup, spec_error};
use crate::tables;

/// Does something with a game and, where they are known, the values of its positions.
pub(crate) trait WithValues {
    fn run<G: Game + Notation>(
        &self,
        game: &G,
        values: Option<BatchProbe<'_, G::Position>>,
    ) -> Result<()>;
}

/// Where a game and its values come from.
#[derive(Clone, Copy)]
pub(crate) struct ValuesSource<'a> {
    /// The game; that of the table if none is named.
    pub(crate) spec: Option<&'a str>,
    pub(crate) table: Option<&'a Path>,
    /// Whether to solve the game where there is no table.
    pub(crate) solve: bool,
}

/// Hands a game and its values to `user`; the spec in its normal form.
pub(crate) fn with_values(
    source: ValuesSource<'_>,
    context: &Context,
    user: &impl WithValues,
) -> Result<String> {
    if let Some(path) = source.table {
        return with_table(path, source.spec, user);
    }
    let Some(spec) = source.spec else {
        bail!("no game is named");
    };
    let visitor = SpecValuesVisitor {
        solve: source.solve,
        context,
        user,
    };
    hindsight_rules::by_name(spec, &setup(SymmetryArg::None), visitor)
        .map_err(|error| spec_error(spec, &error))?
}

fn with_table(path: &Path, wanted: Option<&str>, user: &impl WithValues) -> Result<String> {
    let opened = tables::open(path)?;
    let spec = opened.info().spec.clone();
    if let Some(wanted) = wanted {
        let named = normal_form(wanted, wanted)?;
        if named != spec {
            bail!("'{}' is a table of {spec}, not of {named}", path.display());
        }
    }
    let visitor = TableValuesVisitor {
        path,
        table: &opened,
        user,
    };
    tables::visit(&spec, visitor)??;
    Ok(spec)
}

/// The normal form of a spec; errors name the one that was typed.
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

struct SpecValuesVisitor<'a, U> {
    solve: bool,
    context: &'a Context,
    user: &'a U,
}

impl<U: WithValues> Visitor for SpecValuesVisitor<'_, U> {
    type Output = Result<String>;

    fn visit<G: Game + Notation + Material>(self, game: G) -> Result<String> {
        if !self.solve {
            self.user.run(&game, None)?;
            return Ok(game.spec());
        }
        let mut display = ProgressDisplay::new(self.context.quiet);
        let solved =
            graph::solve(&game, self.context.limits(), &mut display).map_err(solver_error)?;
        drop(display);
        let reader = solved.reader(&game);
        self.user.run(
            &game,
            Some(&|positions| reader.probe_many(positions).map_err(|error| match error {})),
        )?;
        Ok(game.spec())
    }
}

struct TableValuesVisitor<'a, U> {
    path: &'a Path,
    table: &'a hindsight_tablebase::Table<std::fs::File>,
    user: &'a U,
}

impl<U: WithValues> Visitor for TableValuesVisitor<'_, U> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        Err(tables::unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<()> {
        let Self { path, table, user } = self;
        let read = |positions: &[_]| table_answers(path, table.with(&game).probe_many(positions));
        user.run(&game, Some(&read))
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<()> {
        let Self { path, table, user } = self;
        let read =
            |positions: &[_]| table_answers(path, table.with_states(&game).probe_many(positions));
        user.run(&game, Some(&read))
    }
}

/// What a table answered, its errors as sentences.
pub(crate) fn table_answers(
    path: &Path,
    read: Result<Vec<Answer>, hindsight_tablebase::TableError>,
) -> Result<Vec<Answer>, String> {
    read.map_err(|error| format!("{:#}", tables::table_error(path, error)))
}
