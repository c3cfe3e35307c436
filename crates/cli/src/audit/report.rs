//! The report of an audit, as text and as JSON.

use hindsight_answers::AuditAnswer;
use hindsight_answers::report::TextTable;
use hindsight_games::TableInfo;

use super::by_class;
use super::judged::JudgedAgent;
use super::rows::{cells, row_of};
use crate::args::{AuditArgs, Origin};
use crate::output::fitted;
use crate::shown::sizes::counted;

/// Headings of the columns, in two lines.
const HEADINGS: [[&str; 13]; 2] = [
    ["", "", "", "kept", "", "of these", "kept", "", "chance", "best", "plies", "lost in", "ms a"],
    [
        "",
        "agent",
        "positions",
        "%",
        "95 %",
        "critical",
        "%",
        "95 %",
        "keeps %",
        "%",
        "wins",
        "losses",
        "move",
    ],
];

/// Returns the audit of agents as an answer.
pub(super) fn answer(
    args: &AuditArgs,
    info: &TableInfo,
    judged: &[JudgedAgent],
    seconds: f64,
) -> AuditAnswer {
    let is_self_play = args.from == Origin::SelfPlay;
    AuditAnswer {
        game: info.spec.clone(),
        table: args.table.display().to_string(),
        from: if is_self_play { "self-play" } else { "ranks" },
        opening: is_self_play.then(|| args.opening()),
        max_turns: is_self_play.then(|| args.max_turns()),
        seed: args.seed,
        positions: args.positions,
        rows: judged.iter().map(|judged| row_of(info, judged)).collect(),
        seconds,
    }
}

/// Returns the game and the origin of the positions.
pub(super) fn title(audit: &AuditAnswer) -> String {
    let from = match audit.from {
        "ranks" => "positions of the table",
        _ => "self-play",
    };
    format!("{}, {from}", audit.game)
}

pub(super) fn text(audit: &AuditAnswer) -> String {
    let mut table = TextTable::new("rl|rrr|rrrr|rrrr");
    for heads in HEADINGS {
        table.push(heads);
    }
    for (number, row) in (1..).zip(&audit.rows) {
        table.push(cells(row, number));
    }
    let games = audit.opening.zip(audit.max_turns).map(|(opening, most)| {
        let most = counted(most, "ply");
        format!(" of at most {most}, the first {opening} drawn at random")
    });
    format!(
        "{}{}; {} wanted, seed {}\n\n{}\n{}\n{:.3} s\n",
        title(audit),
        games.unwrap_or_default(),
        counted(audit.positions, "position"),
        audit.seed,
        fitted(&table),
        by_class::text(&audit.rows),
        audit.seconds
    )
}
