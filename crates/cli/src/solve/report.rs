//! Answer of `solve`, as JSON and as text.

use hindsight_core::{Notation, Value, Wdl};
use hindsight_solve::{Histogram, Summary};
use serde::Serialize;

use crate::args::{SolveArgs, Solver};
use crate::files::TableFileSummary;
use crate::memory;
use crate::output::{align_columns, with_commas};
use crate::sizes::format_size;

/// The JSON report of `solve`.
#[derive(Serialize)]
pub(crate) struct SolveReport {
    game: String,
    scope: &'static str,
    solver: &'static str,
    symmetry: &'static str,
    start: StartReport,
    pub(crate) positions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<u64>,
    edges: Option<u64>,
    wins: u64,
    losses: u64,
    draws: u64,
    pub(crate) histogram: Option<Vec<HistogramRow>>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableFileSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) checked: Option<SampleCheck>,
}

/// Counts of `--check`: positions drawn at random, and their successors. Made only if all values
/// agree.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct SampleCheck {
    pub(crate) positions: u64,
    pub(crate) successors: u64,
}

/// Result of a solver, for the report.
pub(crate) struct SolveSummary<'a> {
    pub(crate) solver: Solver,
    pub(crate) wdl: Wdl,
    pub(crate) remoteness: Option<u16>,
    pub(crate) summary: Summary,
    pub(crate) histogram: Option<&'a Histogram>,
    pub(crate) seconds: f64,
    pub(crate) table: Option<TableFileSummary>,
}

#[derive(Serialize)]
struct StartReport {
    value: String,
    remoteness: Option<u16>,
    position: String,
}

#[derive(Serialize)]
pub(crate) struct HistogramRow {
    value: String,
    remoteness: Option<u16>,
    positions: u64,
}

pub(crate) fn solve_report<G: Notation>(
    game: &G,
    args: &SolveArgs,
    solved: SolveSummary<'_>,
) -> SolveReport {
    let summary = solved.summary;
    let is_strong = matches!(solved.solver, Solver::Tiered | Solver::Planes);
    SolveReport {
        game: game.spec(),
        scope: if is_strong { "all" } else { "reachable" },
        solver: solved.solver.name(),
        symmetry: args.symmetry.name(),
        start: StartReport {
            value: solved.wdl.to_string(),
            remoteness: solved.remoteness,
            position: game.format(game.start()),
        },
        positions: summary.positions,
        states: None,
        edges: (!is_strong).then_some(summary.edges),
        wins: summary.wins,
        losses: summary.losses,
        draws: summary.draws,
        histogram: solved.histogram.map(histogram_rows),
        seconds: solved.seconds,
        peak_memory_bytes: memory::peak_bytes(),
        signature: summary.signature(solved.histogram),
        table: solved.table,
        checked: None,
    }
}

/// Rows of a histogram, for JSON.
pub(crate) fn histogram_rows(histogram: &Histogram) -> Vec<HistogramRow> {
    let row = |(value, positions): (Value, u64)| HistogramRow {
        value: value.wdl().to_string(),
        remoteness: value.remoteness(),
        positions,
    };
    histogram.rows().into_iter().map(row).collect()
}

/// Table of the counts, and of the time and the memory of the solve.
pub(crate) fn counts_text(report: &SolveReport) -> String {
    let counts = [
        ("positions", with_commas(report.positions)),
        (
            "moves",
            report
                .edges
                .map_or(String::from("not counted"), with_commas),
        ),
        ("won", with_commas(report.wins)),
        ("lost", with_commas(report.losses)),
        ("drawn", with_commas(report.draws)),
        (
            "solver",
            format!("{}, symmetry {}", report.solver, report.symmetry),
        ),
        ("seconds", format!("{:.3}", report.seconds)),
        (
            "peak memory",
            report
                .peak_memory_bytes
                .map_or(String::from("unknown"), format_size),
        ),
        ("signature", report.signature.clone()),
    ];
    let mut rows: Vec<Vec<String>> = counts
        .into_iter()
        .map(|(name, value)| vec![name.to_string(), value])
        .collect();
    if let Some(states) = report.states {
        rows.insert(1, vec![String::from("states"), with_commas(states)]);
    }
    if let Some(sample) = &report.checked {
        rows.push(vec![
            String::from("checked"),
            format!(
                "{} positions drawn at random, by {} successors: no fault",
                with_commas(sample.positions),
                with_commas(sample.successors)
            ),
        ]);
    }
    if let Some(table) = &report.table {
        rows.push(vec![
            String::from("table"),
            format!(
                "{}, layout {}, {} ({:.4} bytes a position), {:.3} s to write",
                table.file,
                table.layout,
                format_size(table.bytes),
                table.bytes as f64 / report.positions.max(1) as f64,
                table.seconds
            ),
        ]);
    }
    align_columns(&rows, "ll")
}
