//! The report of an audit, as text and as JSON.

use hindsight_answers::AuditRow;
use hindsight_report::TextTable;
use hindsight_tablebase::TableInfo;
use serde::Serialize;

use super::by_class;
use super::judged::JudgedAgent;
use super::rows::{cells, row_of};
use crate::args::{AuditArgs, Origin};
use crate::output::fitted;
use crate::sizes::counted;

/// The JSON report of `audit`.
#[derive(Serialize)]
pub(super) struct AuditReport {
    game: String,
    table: String,
    from: &'static str,
    /// Random plies at the start of a game; null for positions of the table.
    opening: Option<u32>,
    /// Plies after which a game is cut off; null for positions of the table.
    max_turns: Option<u32>,
    seed: u64,
    /// Positions wanted for each agent.
    positions: u64,
    pub(super) rows: Vec<AuditRow>,
    seconds: f64,
}

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

impl AuditReport {
    pub(super) fn new(
        args: &AuditArgs,
        info: &TableInfo,
        judged: &[JudgedAgent],
        seconds: f64,
    ) -> Self {
        let is_self_play = args.from == Origin::SelfPlay;
        Self {
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

    pub(super) fn title(&self) -> String {
        let from = match self.from {
            "ranks" => "positions of the table",
            _ => "self-play",
        };
        format!("{}, {from}", self.game)
    }

    pub(super) fn text(&self) -> String {
        let mut table = TextTable::new("rl|rrr|rrrr|rrrr");
        for heads in HEADINGS {
            table.push(heads);
        }
        for (number, row) in (1..).zip(&self.rows) {
            table.push(cells(row, number));
        }
        let games = self.opening.zip(self.max_turns).map(|(opening, most)| {
            let most = counted(most, "ply");
            format!(" of at most {most}, the first {opening} drawn at random")
        });
        format!(
            "{}{}; {} wanted, seed {}\n\n{}\n{}\n{:.3} s\n",
            self.title(),
            games.unwrap_or_default(),
            counted(self.positions, "position"),
            self.seed,
            fitted(&table),
            by_class::text(&self.rows),
            self.seconds
        )
    }
}
