//! Wins of perfect play in a drawn game, by itself and where it leads the opponent into mistakes.
//!
//! H. Takizawa, "Strongly solved Ostle" (2023), asks for it: "Because the initial position is a
//! draw, such software never loses. However, it cannot win unless the opponent makes a mistake.
//! Here, it will be a future challenge to create a program that can lure the human opponent into a
//! state where he/she is likely to make a mistake."
//!
//! `perfect` and `lure` play the same opponents, from the same drawn positions, with each side in
//! turn. The opponents see no values.

mod opening;
mod options;
mod series;
mod shares;

use hindsight_play::GameRecord;

use crate::abort::Abort;
use hindsight_study::{Caption, Cell, ResultStore, SeriesProgressFn, StudyReport};
pub use options::LureOptions;
use series::{LureSeries, SeriesRunner};
use shares::{ShareOfGames, difference};

/// Result of the study of lures.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LureFindings {
    /// Games won against each opponent.
    pub report: StudyReport,
    /// Reason why opponents are missing, as a sentence, if something failed: games cannot be
    /// stored, or stored games do not belong to this study.
    pub failure: Option<String>,
}

/// Name of the table of the report.
const TABLE: &str = "won";

/// The agents that are compared, in the order of the columns.
const AGENTS: [&str; 2] = ["perfect", "lure"];

/// Plays the games on all threads, except those in the store.
///
/// The result does not depend on the number of threads. Opponents whose games are not complete,
/// because the study was stopped or something failed, are left out.
pub fn run(
    options: &LureOptions,
    store: &dyn ResultStore<GameRecord>,
    on_progress: SeriesProgressFn<'_>,
) -> LureFindings {
    let mut findings = LureFindings::default();
    findings.report.captions.push(Caption {
        table: TABLE.into(),
        text: format!(
            "Games won from drawn positions of {}, of {} each",
            options.values.game().spec(),
            options.games
        ),
        note: Some(
            "percent, with bounds of 95 %; gain: of lure over perfect; lost: games of both".into(),
        ),
    });
    let mut runner = SeriesRunner::new(options, store, on_progress);
    for &opponent in &options.opponents {
        let played: Result<Vec<ShareOfGames>, Abort> = AGENTS
            .iter()
            .map(|agent| {
                let agent = agent.parse().expect("an agent of the study");
                runner.play(LureSeries { agent, opponent })
            })
            .collect();
        match played {
            Ok(shares) => add_row(&mut findings.report, &opponent.to_string(), &shares),
            Err(Abort::Stopped) => break,
            Err(Abort::Failed(message)) => {
                findings.failure = Some(message);
                break;
            }
        }
    }
    findings
}

/// Adds the row of an opponent, with the shares of [`AGENTS`].
fn add_row(report: &mut StudyReport, opponent: &str, shares: &[ShareOfGames]) {
    let mut cell = |column: &str, text: String| {
        let cell = Cell::new(TABLE, opponent.into(), column.into(), None, Some(text));
        report.cells.push(cell);
    };
    for (agent, share) in AGENTS.iter().zip(shares) {
        cell(agent, percent(share.won(), share.interval()));
    }
    if let [perfect, lure] = shares {
        let (gain, interval) = difference(lure, perfect);
        cell("gain", percent(gain, interval));
    }
    let lost: u64 = shares.iter().map(|share| share.lost).sum();
    cell("lost", lost.to_string());
}

/// Returns a share and its bounds, in percent.
fn percent(share: f64, interval: [f64; 2]) -> String {
    let [share, low, high] = [share, interval[0], interval[1]].map(|share| 100.0 * share);
    format!("{share:.1} ({low:.1} to {high:.1})")
}
