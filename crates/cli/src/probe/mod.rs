//! The command `probe`: the value of a position and of each of its moves.

mod batch;

use anyhow::Result;
use hindsight_answers::report::{TextTable, unbroken};
use hindsight_answers::{BoundAnswer, ProbeAnswer, ProbedMove};
use hindsight_games::Error;

use crate::analyse::{LiveAnalysis, Subject};
use crate::args::ProbeArgs;
use crate::context::Context;
use crate::output::{fitted, print_json, print_text};
use crate::shown::board_text::board_text;
use crate::shown::sizes::counted;
use crate::shown::text::{above_board, end_text};

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
    let mut report = match &subject.table {
        Some(table) => {
            let answer = table.probe(position)?;
            let mut report: ProbeAnswer = ProbeAnswer::new(game, position, answer, None)?;
            let rated = table.rated_moves(position)?;
            report.add_moves(game, position, &rated)?;
            report
        }
        None => {
            let analysis = subject.analyse(None, &args.search, context, &mut live)?;
            let mut report = ProbeAnswer::new(game, position, analysis.answer, analysis.bound)?;
            let moves = analysis.moves.iter();
            let rows = moves.map(|mv| ProbedMove::new(game, position, &mv.mv, mv.answer, mv.bound));
            report.moves = Some(rows.collect::<Result<_, _>>()?);
            report
        }
    };
    if args.canonical {
        report.add_canonical(game, position)?;
    }
    if context.json {
        print_json(&report)?;
    } else {
        print_text(&probe_text(&subject, &report, context)?)?;
    }
    live.stopped()
}

/// Returns a value as text, with its plies or a bound on them.
fn value_text(value: Option<&str>, remoteness: Option<u16>, bound: Option<&BoundAnswer>) -> String {
    match (value, remoteness, bound) {
        (None, ..) => String::from("not proved"),
        (Some(value), Some(plies), _) => format!("{value} in {}", counted(plies, "ply")),
        (Some(value), None, Some(bound)) => {
            format!("{value} in at most {}", counted(bound.plies, "ply"))
        }
        (Some(value), None, None) => value.to_string(),
    }
}

/// Returns the answer of `probe` as text: the position, its value, the position that stands for it
/// in a table if that is asked for, and a line for each move.
fn probe_text(subject: &Subject, report: &ProbeAnswer, context: &Context) -> Result<String, Error> {
    let (game, position) = (&subject.game, &subject.position);
    let (names, at_move) = (game.player_names(), game.player_to_move(position)?);
    let [mover, other] = [names[at_move], names[1 - at_move]];
    let board = board_text(game, position, "", context)?;
    let mut text = above_board(&report.position, &board);
    match game.outcome(position)? {
        Some(wdl) => text.push_str(&format!("{}.\n", end_text([mover, other], wdl))),
        None => {
            let value = value_text(report.value, report.remoteness, report.bound.as_ref());
            text.push_str(&format!("{mover} to move: {value}.\n"));
        }
    }
    match &report.canonical {
        None => {}
        Some(Some(member)) => text.push_str(&unbroken(&format!("In a table: {member}\n"))),
        Some(None) => text.push_str("Tables omit this position.\n"),
    }
    let mut moves = TextTable::new("lll");
    for row in report.moves.iter().flatten() {
        let value = value_text(row.value, row.remoteness, row.bound.as_ref());
        moves.push(["", &row.r#move, &value]);
    }
    let moves = fitted(&moves);
    Ok(if moves.is_empty() { text } else { format!("{text}\n{moves}") })
}
