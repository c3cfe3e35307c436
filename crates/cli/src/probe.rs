//! The command `probe`: the value of a position and of each of its moves.

mod batch;

use anyhow::Result;
use hindsight_core::{Answer, Value};
use hindsight_games::{AnyGame, AnyMove, AnyRatedMove, Error, Position, ValuesReader};
use hindsight_report::{TextTable, unbroken};
use serde::Serialize;

use crate::analyse::{LiveAnalysis, Subject};
use crate::args::ProbeArgs;
use crate::board_text::board_text;
use crate::context::Context;
use crate::errors::game_error;
use crate::output::{fitted, print_json, print_text};
use crate::text::above_board;

/// The JSON report on a position. Null stands for what is not proved.
#[derive(Serialize)]
struct ProbeReport {
    position: String,
    value: Option<String>,
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
    value: Option<String>,
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

/// Prints the answer on one position: by a table, or by an analysis.
fn probe(args: &ProbeArgs, context: &Context) -> Result<()> {
    let subject = Subject::named(&args.position, context)?;
    let (game, position) = (&subject.game, &subject.position);
    let mut live = LiveAnalysis::hidden(&subject, context);
    let (answer, mut report) = match &subject.table {
        Some(table) => {
            let answer = table.probe(position).map_err(game_error)?;
            let mut report = ProbeReport::new(game, position, answer)?;
            report.add_moves(game, position, &table.reader())?;
            (answer, report)
        }
        None => {
            let analysis = subject.analyse(None, &args.search, context, &mut live)?;
            let mut report = ProbeReport::new(game, position, analysis.answer)?;
            let moves = analysis.moves.iter();
            let rows = moves.map(|mv| MoveRow::new(game, position, &mv.mv, mv.answer));
            report.moves = Some(rows.collect::<Result<_, _>>()?);
            (analysis.answer, report)
        }
    };
    if args.canonical {
        report.add_canonical(game, position)?;
    }
    match context.json {
        true => print_json(&report)?,
        false => print_text(&probe_text(&subject, answer, &report, context)?)?,
    }
    live.stopped()
}

impl ProbeReport {
    /// Returns the report on a position without its moves.
    fn new(game: &AnyGame, position: &Position, answer: Answer) -> Result<Self, Error> {
        Ok(Self {
            position: game.format(position)?,
            value: answer.wdl().map(|wdl| wdl.to_string()),
            remoteness: answer.exact().and_then(Value::remoteness),
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
        let row = |rated: &AnyRatedMove| MoveRow::new(game, position, &rated.mv, rated.value);
        let rated = reader.rated_moves(position).map_err(game_error)?;
        self.moves = Some(rated.iter().map(row).collect::<Result<_, _>>()?);
        Ok(())
    }
}

impl MoveRow {
    fn new(
        game: &AnyGame,
        position: &Position,
        mv: &AnyMove,
        answer: Answer,
    ) -> Result<Self, Error> {
        Ok(Self {
            r#move: game.format_move(position, mv)?,
            value: answer.wdl().map(|wdl| wdl.to_string()),
            remoteness: answer.exact().and_then(Value::remoteness),
            text: answer_text(answer),
        })
    }
}

/// Returns an answer as text.
fn answer_text(answer: Answer) -> String {
    match answer {
        Answer::Unknown => String::from("not proved"),
        answer => answer.to_string(),
    }
}

/// Returns the answer of `probe` as text: the position, its value, the position that stands for it
/// in a table if that is asked for, and a line for each move.
fn probe_text(
    subject: &Subject,
    answer: Answer,
    report: &ProbeReport,
    context: &Context,
) -> Result<String, Error> {
    let (game, position) = (&subject.game, &subject.position);
    let mover = game.player_names()[game.player_to_move(position)?];
    let board = board_text(game, position, "", context)?;
    let mut text = above_board(&report.position, &board);
    match game.outcome(position)? {
        Some(wdl) => text.push_str(&format!("The game is over: a {wdl} for {mover}.\n")),
        None => text.push_str(&format!("{mover} to move: {}.\n", answer_text(answer))),
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
