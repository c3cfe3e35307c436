use std::path::Path;

use anyhow::{Result, anyhow};
use hindsight_core::{ForbiddenMove, Game, Material, Notation, Probe, Retro, Value};
use hindsight_rules::Visitor;
use hindsight_solve::graph;
use serde::Serialize;

use crate::args::{ProbeArgs, SymmetryArg};
use crate::context::Context;
use crate::errors::solver_error;
use crate::output::{align_columns, print, print_json, print_message};
use crate::progress::ProgressDisplay;
use crate::spec::{file_or_spec_error, setup};
use crate::tables;

/// What `probe --json` prints.
#[derive(Serialize)]
struct ProbeReport {
    position: String,
    value: String,
    remoteness: Option<u16>,
    moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct MoveRow {
    r#move: String,
    value: String,
    remoteness: Option<u16>,
}

/// Does something with a position and a solution that knows it and all that can come of it.
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

/// Acts on a position of a table, or of a game named by its spec, which is solved from there.
pub(crate) fn with_probe(
    spec: &str,
    position: Option<&str>,
    context: &Context,
    act: &impl WithProbe,
) -> Result<()> {
    let path = Path::new(spec);
    if path.exists() {
        let table = tables::open(path)?;
        let info = table.info().spec.clone();
        return tables::visit(
            &info,
            TableProbeVisitor {
                table: &table,
                path,
                position,
                context,
                act,
            },
        )?;
    }
    let visitor = SpecProbeVisitor {
        position,
        context,
        act,
    };
    let visited = hindsight_rules::by_name(spec, &setup(SymmetryArg::All), visitor);
    visited.map_err(|error| file_or_spec_error(spec, &error))?
}

/// Says so if a state can be looked at, but no move leads to it.
pub(crate) fn note_unreachable<G: ForbiddenMove + Notation>(
    game: &G,
    state: G::Position,
    context: &Context,
) {
    let place = game.rank_state(state);
    if context.quiet || place.is_none() || place == game.rank_state(game.start()) {
        return;
    }
    let (base, _) = game.decode(state);
    let mut origins = Vec::new();
    game.predecessor_moves(base, &mut origins);
    let after = |(before, mv)| game.encode(base, game.forbidden_after(before, mv));
    let mut states = origins.into_iter().map(after);
    if !states.any(|state| game.rank_state(state) == place) {
        print_message(&format!("note: no move leads to '{}'", game.format(state)));
    }
}

/// The position of a text, the start for none.
pub(crate) fn parse_position<G: Notation>(game: &G, text: Option<&str>) -> Result<G::Position> {
    let Some(text) = text else {
        return Ok(game.start());
    };
    game.parse(text).map_err(|error| {
        anyhow!(
            "position '{text}', character {}: {}",
            error.offset + 1,
            error.message
        )
    })
}

struct TableProbeVisitor<'a, A> {
    table: &'a hindsight_tablebase::Table<std::fs::File>,
    path: &'a Path,
    position: Option<&'a str>,
    context: &'a Context,
    act: &'a A,
}

impl<A: WithProbe> Visitor for TableProbeVisitor<'_, A> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        Err(tables::unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<()> {
        let position = parse_position(&game, self.position)?;
        let done = self.act.run(&game, &self.table.with(&game), position);
        self.name_table(done)
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<()> {
        let position = parse_position(&game, self.position)?;
        note_unreachable(&game, position, self.context);
        let done = self
            .act
            .run(&game, &self.table.with_states(&game), position);
        self.name_table(done)
    }
}

impl<A> TableProbeVisitor<'_, A> {
    /// An error of the table with the name of its file.
    fn name_table(&self, done: Result<()>) -> Result<()> {
        done.map_err(
            |error| match error.downcast::<hindsight_tablebase::TableError>() {
                Ok(error) => tables::table_error(self.path, error),
                Err(error) => error,
            },
        )
    }
}

struct SpecProbeVisitor<'a, A> {
    position: Option<&'a str>,
    context: &'a Context,
    act: &'a A,
}

impl<A: WithProbe> Visitor for SpecProbeVisitor<'_, A> {
    type Output = Result<()>;

    fn forbidden_move<G: ForbiddenMove<Base: Material> + Notation + Material>(
        self,
        game: G,
    ) -> Result<()> {
        note_unreachable(&game, parse_position(&game, self.position)?, self.context);
        self.visit(game)
    }

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        let start = parse_position(&game, self.position)?;
        if let Some(wdl) = game.terminal(start) {
            return self.act.run(&game, &FinishedGame(wdl), start);
        }
        let mut display = ProgressDisplay::new(self.context.quiet);
        let solved = graph::solve_from(&game, start, self.context.limits(), &mut display)
            .map_err(solver_error)?;
        drop(display);
        self.act.run(&game, &solved.reader(&game), start)
    }
}

/// A finished game.
struct FinishedGame(hindsight_core::Wdl);

impl<G: Game> Probe<G> for FinishedGame {
    type Error = std::convert::Infallible;

    fn probe(&self, _: G::Position) -> Result<hindsight_core::Answer, Self::Error> {
        Ok(hindsight_core::Answer::Exact(Value::terminal(self.0)))
    }
}

pub(crate) fn run(args: &ProbeArgs, context: &Context) -> Result<()> {
    let position = args.position.as_deref();
    with_probe(
        &args.spec,
        position,
        context,
        &PrintProbe { json: context.json },
    )
}

/// Shows the value of a position and of its moves, best first.
struct PrintProbe {
    json: bool,
}

impl WithProbe for PrintProbe {
    fn run<G: Game + Notation, S: Probe<G>>(
        &self,
        game: &G,
        solution: &S,
        position: G::Position,
    ) -> Result<()>
    where
        S::Error: Send + Sync + 'static,
    {
        let exact = |position| {
            let answer = solution.probe(position)?;
            answer
                .exact()
                .ok_or_else(|| anyhow!("the value of {} is not known", game.format(position)))
        };
        let value = exact(position)?;
        let mut all = Vec::new();
        game.moves(position, &mut all);
        let mut moves = Vec::new();
        for mv in all {
            moves.push((mv, exact(game.play(position, mv))?.before()));
        }
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        let report = ProbeReport {
            position: game.format(position),
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            moves: moves
                .iter()
                .map(|&(mv, value)| MoveRow {
                    r#move: game.format_move(position, mv),
                    value: value.wdl().to_string(),
                    remoteness: value.remoteness(),
                })
                .collect(),
        };
        if self.json {
            return print_json(&report);
        }
        print(&text(game, position, value, &moves))
    }
}

fn text<G: Notation>(
    game: &G,
    position: G::Position,
    value: Value,
    moves: &[(G::Move, Value)],
) -> String {
    let mover = game.player_names()[game.player_to_move(position)];
    let mut text = format!(
        "{}\n\n{}\n\n",
        game.format(position),
        game.diagram(position)
    );
    match value.remoteness() {
        Some(0) => text.push_str(&format!(
            "The game is over: a {} for {mover}.\n",
            value.wdl()
        )),
        _ => text.push_str(&format!("{mover} to move: {value}.\n\n")),
    }
    let row = |&(mv, value): &(G::Move, Value)| {
        vec![
            String::new(),
            game.format_move(position, mv),
            value.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = moves.iter().map(row).collect();
    text.push_str(&align_columns(&rows, "lll"));
    text
}
