//! The command `probe`: the value of a position and of each of its moves.

mod batch;

use anyhow::Result;
use hindsight_core::{Answer, Value};
use hindsight_games::{AnyGame, AnyRatedMove, Error, Position, ValuesReader};
use hindsight_report::{TextTable, unbroken};
use serde::Serialize;

use crate::args::ProbeArgs;
use crate::context::Context;
use crate::errors::game_error;
use crate::game_with_values::values_at;
use crate::output::{fitted, print_json, print_text};
use crate::text::above_diagram;

/// The JSON report on a position.
#[derive(Serialize)]
struct ProbeReport {
    position: String,
    value: String,
    remoteness: Option<u16>,
    /// Member of the position's class in a table, if it is asked for; null if tables omit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<Option<String>>,
    /// Moves, best first, if they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveRow>>,
}

#[derive(Serialize)]
struct MoveRow {
    r#move: String,
    value: String,
    remoteness: Option<u16>,
    #[serde(skip)]
    text: String,
}

/// Answers the question; returns false if a line of a batch is bad.
pub(crate) fn run(args: &ProbeArgs, context: &Context) -> Result<bool> {
    match &args.batch {
        Some(input) => batch::run(input, args, context),
        None => probe(args, context).map(|()| true),
    }
}

/// Prints the answer on one position.
fn probe(args: &ProbeArgs, context: &Context) -> Result<()> {
    let (values, position) = values_at(&args.position, context)?;
    let answer = values.probe(&position).map_err(game_error)?;
    let game = values.game();
    let value = known(game, &position, answer)?;
    let mut report = ProbeReport::new(game, &position, value)?;
    if args.canonical {
        report.add_canonical(game, &position)?;
    }
    report.add_moves(game, &position, &values.reader())?;
    if context.json {
        return print_json(&report);
    }
    print_text(&probe_text(game, &position, value, &report)?)
}

impl ProbeReport {
    /// Returns the report on a position without its moves.
    fn new(game: &AnyGame, position: &Position, value: Value) -> Result<Self, Error> {
        Ok(Self {
            position: game.format(position)?,
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            canonical: None,
            moves: None,
        })
    }

    /// Adds the member of the position's class that tables keep.
    ///
    /// # Errors
    /// If the game has no tables.
    fn add_canonical(&mut self, game: &AnyGame, position: &Position) -> Result<(), Error> {
        let member = game.ranked_member(position)?;
        self.canonical = Some(member.map(|member| game.format(&member)).transpose()?);
        Ok(())
    }

    /// Adds the moves, best first.
    fn add_moves(
        &mut self,
        game: &AnyGame,
        position: &Position,
        reader: &ValuesReader<'_>,
    ) -> Result<()> {
        let row = |rated: &AnyRatedMove| -> Result<MoveRow, Error> {
            let value = known(game, &rated.next, rated.value)?;
            Ok(MoveRow {
                r#move: game.format_move(position, &rated.mv)?,
                value: value.wdl().to_string(),
                remoteness: value.remoteness(),
                text: value.to_string(),
            })
        };
        let rated = reader.rated_moves(position).map_err(game_error)?;
        self.moves = Some(rated.iter().map(row).collect::<Result<_, _>>()?);
        Ok(())
    }
}

/// Returns the value of a position or of the move to it.
///
/// # Errors
/// [`Error::Unknown`] if the answer is no value with its remoteness.
fn known(game: &AnyGame, position: &Position, answer: Answer) -> Result<Value, Error> {
    match answer.exact() {
        Some(value) => Ok(value),
        None => Err(Error::Unknown {
            position: game.format(position)?,
        }),
    }
}

/// Returns the answer of `probe` as text: the position, its value, the position that stands for it
/// in a table if that is asked for, and a line for each move.
fn probe_text(
    game: &AnyGame,
    position: &Position,
    value: Value,
    report: &ProbeReport,
) -> Result<String, Error> {
    let mover = game.player_names()[game.player_to_move(position)?];
    let mut text = above_diagram(&report.position, &game.diagram(position)?);
    match value.remoteness() {
        Some(0) => text.push_str(&format!(
            "The game is over: a {} for {mover}.\n",
            value.wdl()
        )),
        _ => text.push_str(&format!("{mover} to move: {value}.\n")),
    }
    match &report.canonical {
        None => {}
        Some(Some(member)) => text.push_str(&unbroken(&format!("In a table: {member}\n"))),
        Some(None) => text.push_str("Tables omit this finished position.\n"),
    }
    let mut moves = TextTable::new("lll");
    for row in report.moves.iter().flatten() {
        moves.push(["", &row.r#move, &row.text]);
    }
    let moves = fitted(&moves);
    Ok(match moves.is_empty() {
        true => text,
        false => format!("{text}\n{moves}"),
    })
}
