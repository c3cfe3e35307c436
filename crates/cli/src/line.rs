//! The command `line`: shows a line of best play.

use anyhow::Result;
use hindsight_core::{Game, Notation, Probe};
use hindsight_solve::best_line;
use serde::Serialize;

use crate::args::LineArgs;
use crate::context::Context;
use crate::game_with_values::{WithProbe, with_probe};
use crate::output::{print, print_json};
use crate::text::{line_text, outcome_at};

/// The JSON report of `line`.
#[derive(Serialize)]
struct LineReport {
    game: String,
    position: String,
    value: String,
    remoteness: Option<u16>,
    line: Vec<LinePly>,
    end: String,
    /// Ply (from 1) before which the final position occurred already, in a draw by endless play.
    repeats: Option<usize>,
}

/// One ply of the line.
#[derive(Serialize)]
struct LinePly {
    position: String,
    r#move: String,
    /// Number of moves that are as good as this one, itself included.
    equally_good: usize,
}

pub(crate) fn run(args: &LineArgs, context: &Context) -> Result<()> {
    let position = args.position.as_deref();
    with_probe(
        &args.spec,
        position,
        context,
        &PrintLine { json: context.json },
    )
}

/// Prints a line of best play from a position.
struct PrintLine {
    json: bool,
}

impl WithProbe for PrintLine {
    fn run<G: Game + Notation, S: Probe<G>>(
        &self,
        game: &G,
        solution: &S,
        position: G::Position,
    ) -> Result<()>
    where
        S::Error: Send + Sync + 'static,
    {
        let answer = solution.probe(position)?.exact();
        let line = best_line(game, solution, position)?;
        let Some(value) = answer else {
            anyhow::bail!("the value of {} is not known", game.format(position));
        };
        if !self.json {
            return print(&format!(
                "{}\n\n{}\n\n{}.\n\n{}\nThen stands\n\n{}\n",
                game.format(position),
                game.diagram(position),
                outcome_at(game, position, value),
                line_text(game, &line),
                game.diagram(line.end)
            ));
        }
        let step = |ply: &hindsight_solve::LinePly<G::Position, G::Move>| LinePly {
            position: game.format(ply.position),
            r#move: game.format_move(ply.position, ply.mv),
            equally_good: ply.equal,
        };
        print_json(&LineReport {
            game: game.spec(),
            position: game.format(position),
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            line: line.plies.iter().map(step).collect(),
            end: game.format(line.end),
            repeats: line.repeats.map(|ply| ply + 1),
        })
    }
}
