//! Figures 8 to 19 of R. Arntzenius, "Agents for the Strategy Game Onitama" (bachelor thesis,
//! Leiden 2021): strength and style of Monte Carlo agents.
//!
//! Agents and settings are those of the thesis's text. Our games follow the rules of Onitama. The
//! thesis's program deviates in four points:
//!
//! - Once an offset of a card leaves the board, the later offsets of the card are lost.
//! - Captured pawns keep blocking their squares.
//! - The agent plays the move with the most wins.
//! - A game that is cut off is scored by the side to move in the leaf.
//!
//! So the published figures belong to another game. Ours stand beside them with bounds, not in
//! their place.
//!
//! A series is two agents, a kind of deal and a number of games. A figure is evaluated twice: first
//! to collect its series, then to play them. A series is played once, also when several figures use
//! it.

mod charts;
mod claims;
mod figure_series;
mod match_runner;
mod options;
mod series;
mod tally;

use hindsight_play::GameRecord;

use crate::abort::Abort;
use hindsight_study::{
    Caption, Cell, Chart, ChartKind, ResultStore, SeriesProgressFn, StudyReport, selected_or_all,
};
use match_runner::{MatchRunner, SeriesPlan};
pub use options::{AgentsFigure, AgentsOptions};

/// Result of the study of agents.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AgentsFindings {
    /// Numbers of all figures, and the claims of the thesis.
    pub report: StudyReport,
    /// Data of the figures.
    pub charts: Vec<Chart>,
    /// Reason why figures are missing, as a sentence, if something failed: games cannot be stored,
    /// or stored games do not belong to this study.
    pub failure: Option<String>,
}

/// Plays the games of the selected figures on all threads, except those in the store.
///
/// The result does not depend on the number of threads, except for times. Figures whose games are
/// not complete, because the study was stopped or something failed, are left out.
pub fn run(
    options: &AgentsOptions,
    store: &dyn ResultStore<GameRecord>,
    on_progress: SeriesProgressFn<'_>,
) -> AgentsFindings {
    let figures = selected_or_all(&options.figures, &AgentsFigure::ALL);
    let mut plan = SeriesPlan::default();
    for &figure in &figures {
        // The first pass only collects the series: nothing is played, so nothing can fail.
        let _ = charts::charts_of_figure(figure, options, &mut |series| Ok(plan.add(series)));
    }
    let mut runner = MatchRunner::new(options, plan, store, on_progress);
    let mut findings = AgentsFindings::default();
    for &figure in &figures {
        match charts::charts_of_figure(figure, options, &mut |series| runner.play(series)) {
            Ok(charts) => charts.into_iter().for_each(|chart| findings.add_chart(chart)),
            Err(Abort::Stopped) => break,
            Err(Abort::Failed(message)) => {
                findings.failure = Some(message);
                break;
            }
        }
    }
    findings.report.captions.push(Caption {
        table: claims::TABLE.into(),
        text: "What the thesis says, and what we find".into(),
        note: Some("its program plays another game: see the description of this study".into()),
    });
    let cells = claims::claim_cells(&figures, options, runner.tallies());
    findings.report.cells.extend(cells);
    findings
}

impl AgentsFindings {
    /// Adds a chart, and its numbers as a table of the report.
    fn add_chart(&mut self, chart: Chart) {
        self.report.captions.push(Caption {
            table: chart.figure.clone(),
            text: format!("Figure {}: {}", chart.figure, chart.title),
            note: Some(match chart.kind {
                ChartKind::Map => {
                    format!("rows: ranks; columns: {}; numbers: {}", chart.x_label, chart.y_label)
                }
                _ => format!("rows: {}; numbers: {}", chart.x_label, chart.y_label),
            }),
        });
        for (curve, point) in chart
            .curves
            .iter()
            .flat_map(|curve| curve.points.iter().map(move |point| (curve, point)))
        {
            let ours = match point.bounds {
                None => four_digits(point.y),
                Some([low, high]) => {
                    format!(
                        "{} ({} to {})",
                        four_digits(point.y),
                        four_digits(low),
                        four_digits(high)
                    )
                }
            };
            let (x, name) = (point.x.clone(), curve.name.clone());
            // The table of a map is laid out as the board: a row is a rank, a column is a file.
            let (row, column) = match chart.kind {
                ChartKind::Map => (name, x),
                _ => (x, name),
            };
            let cell = Cell::new(&chart.figure, row, column, None, Some(ours));
            self.report.cells.push(cell);
        }
        self.charts.push(chart);
    }
}

/// Returns a number with 3 decimals below 10, 2 below 100, 1 below 1000, else none; 0 as `0`.
fn four_digits(y: f64) -> String {
    let digits = match y.abs() {
        y if y >= 1000.0 || y == 0.0 => 0,
        y if y >= 100.0 => 1,
        y if y >= 10.0 => 2,
        _ => 3,
    };
    format!("{y:.digits$}")
}
