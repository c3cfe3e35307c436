//! Answer of `analyse`, as JSON and as text.

use anyhow::Result;
use hindsight_core::Value;
use hindsight_games::{AnalysedMove, AnyAnalysis, AnyMove, Error, Position};
use hindsight_report::TextTable;
use serde::Serialize;

use super::Subject;
use crate::board_text::board_text;
use crate::context::Context;
use crate::knowledge::{BoundReport, bound_report, knowledge_text, rounded};
use crate::output::{columns, fitted};
use crate::sizes::{counted, numbers_with_commas, with_commas};
use crate::text::above_board;

/// Columns between the columns of the moves.
const COLUMN_GAPS: usize = 6;

/// The JSON report of `analyse`.
#[derive(Serialize)]
pub(crate) struct AnalysisReport {
    game: String,
    pub(crate) position: String,
    player: &'static str,
    pub(crate) value: Option<String>,
    pub(crate) remoteness: Option<u16>,
    bound: Option<BoundReport>,
    estimate: Option<f64>,
    pub(crate) moves: Vec<MoveReport>,
    seconds: f64,
    work: u64,
    sources: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct MoveReport {
    pub(crate) r#move: String,
    to: String,
    pub(crate) value: Option<String>,
    pub(crate) remoteness: Option<u16>,
    bound: Option<BoundReport>,
    estimate: Option<f64>,
    line: Vec<String>,
    #[serde(skip)]
    pub(crate) text: String,
}

impl AnalysisReport {
    pub(crate) fn new(subject: &Subject, analysis: &AnyAnalysis) -> Result<Self, Error> {
        let (game, position) = (&subject.game, &analysis.position);
        let moves = analysis.moves.iter();
        let moves = moves.map(|analysed| MoveReport::new(subject, position, analysed));
        Ok(Self {
            game: game.spec().to_string(),
            position: game.format(position)?,
            player: game.player_names()[game.player_to_move(position)?],
            value: analysis.answer.wdl().map(|wdl| wdl.to_string()),
            remoteness: analysis.answer.exact().and_then(Value::remoteness),
            bound: bound_report(analysis.answer, analysis.bound),
            estimate: analysis.estimate.map(rounded),
            moves: moves.collect::<Result<_, _>>()?,
            seconds: analysis.elapsed.as_secs_f64(),
            work: analysis.work,
            sources: analysis.sources.iter().map(ToString::to_string).collect(),
        })
    }

    /// Returns the answer as text.
    pub(crate) fn text(&self, subject: &Subject, context: &Context) -> Result<String, Error> {
        let board = board_text(&subject.game, &subject.position, "", context)?;
        let heading = above_board(&self.position, &board);
        Ok(format!("{heading}{}", self.text_below_diagram(subject)?))
    }

    /// Returns the value and the moves as text.
    pub(crate) fn text_below_diagram(&self, subject: &Subject) -> Result<String, Error> {
        let mut moves = TextTable::new("llll");
        let widest = |text: fn(&MoveReport) -> &str| {
            let widths = self.moves.iter().map(|row| text(row).chars().count());
            widths.max().unwrap_or(0)
        };
        let taken = widest(|row| &row.r#move) + widest(|row| &row.text) + COLUMN_GAPS;
        let room = columns().saturating_sub(taken);
        for row in &self.moves {
            moves.push(["", &row.r#move, &row.text, &row.line_within(room)]);
        }
        let mut facts = vec![("seconds", format!("{:.2}", self.seconds))];
        facts.push(("work", with_commas(self.work)));
        for source in &self.sources {
            facts.push(("source", numbers_with_commas(source)));
        }
        let (moves, facts) = (fitted(&moves), fitted(&TextTable::of_pairs(facts)));
        Ok(format!("{}.\n\n{moves}\n{facts}", self.outcome(subject)?))
    }

    /// Returns the value of the position as a sentence without its full stop.
    fn outcome(&self, subject: &Subject) -> Result<String, Error> {
        let (game, position) = (&subject.game, &subject.position);
        let (names, mover) = (game.player_names(), game.player_to_move(position)?);
        let [mover, other] = [names[mover], names[1 - mover]];
        let wins = |name: &str, plies: &str| format!("{name} wins{plies}; {mover} is to move");
        let within = match (self.remoteness, &self.bound) {
            (Some(0), _) => {
                let value = self.value.as_deref().unwrap_or_default();
                return Ok(format!("The game is over: a {value} for {mover}"));
            }
            (Some(plies), _) => format!(" in {}", counted(plies, "ply")),
            (None, Some(bound)) => format!(" in at most {}", counted(bound.plies, "ply")),
            (None, None) => String::new(),
        };
        Ok(match (self.value.as_deref(), self.estimate) {
            (Some("win"), _) => wins(mover, &within),
            (Some("loss"), _) => wins(other, &within),
            (Some(_), _) => format!("Neither side can win: a draw; {mover} is to move"),
            (None, Some(estimate)) => {
                format!("Not proved; {mover} is to move, and the estimate is {estimate:+.2}")
            }
            (None, None) => format!("Not proved; {mover} is to move"),
        })
    }
}

impl MoveReport {
    fn new(
        subject: &Subject,
        position: &Position,
        analysed: &AnalysedMove<Position, AnyMove>,
    ) -> Result<Self, Error> {
        let game = &subject.game;
        let mut at = position.clone();
        let mut line = Vec::new();
        for mv in &analysed.line {
            line.push(game.format_move(&at, mv)?);
            at = game.play(&at, mv)?;
        }
        Ok(Self {
            r#move: game.format_move(position, &analysed.mv)?,
            to: game.format(&analysed.to)?,
            value: analysed.answer.wdl().map(|wdl| wdl.to_string()),
            remoteness: analysed.answer.exact().and_then(Value::remoteness),
            bound: bound_report(analysed.answer, analysed.bound),
            estimate: analysed.estimate.map(rounded),
            line,
            text: knowledge_text(analysed.answer, analysed.bound, analysed.estimate),
        })
    }
}

impl MoveReport {
    /// Returns the play after the move, cut off where it has no room.
    fn line_within(&self, room: usize) -> String {
        let mut text = String::new();
        for (ply, mv) in self.line.iter().enumerate().skip(1) {
            let is_last = ply + 1 == self.line.len();
            let needed = text.len() + 1 + mv.len() + if is_last { 0 } else { " ..".len() };
            if needed > room {
                text.push_str(if text.is_empty() { "" } else { " .." });
                break;
            }
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(mv);
        }
        text
    }
}
