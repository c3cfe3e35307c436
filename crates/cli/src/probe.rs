//! The command `probe`: the value of a position and of each of its moves.

use anyhow::{Result, anyhow};
use hindsight_core::{Game, Notation, Probe, Value};
use serde::Serialize;

use crate::args::ProbeArgs;
use crate::context::Context;
use crate::game_with_values::{WithProbe, with_probe};
use crate::output::{align_columns, print, print_json};

/// The JSON report of `probe`.
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

pub(crate) fn run(args: &ProbeArgs, context: &Context) -> Result<()> {
    let position = args.position.as_deref();
    with_probe(
        &args.spec,
        position,
        context,
        &PrintProbe { json: context.json },
    )
}

/// Operation that prints the value of a position and of its moves, best first.
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
        let exact_value = |position| {
            let answer = solution.probe(position)?;
            answer
                .exact()
                .ok_or_else(|| anyhow!("the value of {} is not known", game.format(position)))
        };
        let value = exact_value(position)?;
        let mut legal_moves = Vec::new();
        game.moves(position, &mut legal_moves);
        let mut moves = Vec::new();
        for mv in legal_moves {
            moves.push((mv, exact_value(game.play(position, mv))?.before()));
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
        print(&probe_text(game, position, value, &moves))
    }
}

/// Returns the answer of `probe` as text: the position, its value, and a line for each move.
fn probe_text<G: Notation>(
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
