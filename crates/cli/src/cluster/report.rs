//! Answer of `cluster solve`, as JSON and as text.

use anyhow::Result;
use hindsight_games::{AnyGame, Cluster, ClusterOutcome, Histogram, WorkCounts};
use hindsight_report::{HistogramRow, TextTable, histogram_rows};
use serde::Serialize;

use crate::context::Context;
use crate::files::TableFileSummary;
use crate::output::{Output, fitted};
use crate::sizes::{counted, format_size, with_commas};
use crate::solve::heading_text;
use crate::text::{histogram_text, outcome_text};

/// The JSON report of `cluster solve`.
#[derive(Serialize)]
pub(super) struct ClusterReport {
    game: String,
    scope: &'static str,
    solver: &'static str,
    processes: usize,
    threads: usize,
    start: ClusterStart,
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    histogram: Vec<HistogramRow>,
    seconds: f64,
    table_seconds: f64,
    peak_memory_bytes: Option<u64>,
    work: Vec<WorkReport>,
    sent_bytes: u64,
    received_bytes: u64,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableFileSummary>,
    #[serde(skip)]
    counts: Histogram,
    #[serde(skip)]
    value: hindsight_games::Value,
}

#[derive(Serialize)]
struct ClusterStart {
    value: String,
    remoteness: Option<u16>,
    position: String,
}

/// Work of one thread of all processes.
#[derive(Serialize)]
struct WorkReport {
    ranks: u64,
    edges: u64,
    edges_away: u64,
}

impl From<WorkCounts> for WorkReport {
    fn from(work: WorkCounts) -> Self {
        Self { ranks: work.ranks, edges: work.edges, edges_away: work.edges_away }
    }
}

impl ClusterReport {
    /// Makes the report; `out` is the file of the table.
    pub(super) fn new(
        game: &AnyGame,
        cluster: &Cluster<'_>,
        outcome: &ClusterOutcome,
        out: Option<&Output>,
    ) -> Self {
        let solved = &outcome.solved;
        let (summary, histogram) = (solved.solution.summary, &solved.solution.histogram);
        let value = solved.solution.start;
        let time = solved.time.saturating_sub(solved.table_time);
        Self {
            game: game.spec().to_string(),
            scope: "all",
            solver: "tiered",
            processes: cluster.hosts.processes(),
            threads: cluster.threads,
            start: ClusterStart {
                value: value.wdl().to_string(),
                remoteness: value.remoteness(),
                position: game.format(&game.start()).unwrap_or_default(),
            },
            positions: summary.positions,
            wins: summary.wins,
            losses: summary.losses,
            draws: summary.draws,
            histogram: histogram_rows(histogram),
            seconds: time.as_secs_f64(),
            table_seconds: solved.table_time.as_secs_f64(),
            peak_memory_bytes: hindsight_games::memory::peak_bytes(),
            work: solved.work.iter().map(|&work| work.into()).collect(),
            sent_bytes: solved.traffic.sent,
            received_bytes: solved.traffic.received,
            signature: summary.signature(Some(histogram)),
            table: outcome.table.zip(out).map(|(table, out)| TableFileSummary::new(table, out)),
            counts: histogram.clone(),
            value,
        }
    }

    /// The report as text.
    pub(super) fn text(&self, game: &AnyGame, context: &Context) -> Result<String> {
        let (names, mover) = (game.player_names(), game.player_to_move(&game.start())?);
        let names = [names[mover], names[1 - mover]];
        let heading = heading_text(game, &game.start(), context)?;
        Ok(format!(
            "{heading}{}.\n\nPositions by value for the side to move\n{}\n{}",
            outcome_text(names, self.value),
            histogram_text(&self.counts),
            self.counts_text()
        ))
    }

    /// Returns a table of the counts, and of the work of the processes.
    fn counts_text(&self) -> String {
        let sum = |field: fn(&WorkReport) -> u64| self.work.iter().map(field).sum::<u64>();
        let (edges, away) = (sum(|work| work.edges), sum(|work| work.edges_away));
        let away = 100.0 * away as f64 / edges.max(1) as f64;
        let ranks = || self.work.iter().map(|work| work.ranks);
        let shares = [ranks().min(), ranks().max()].map(|ranks| with_commas(ranks.unwrap_or(0)));
        let network = [self.sent_bytes, self.received_bytes].map(format_size);
        let mut rows = vec![
            ("positions", with_commas(self.positions)),
            ("won", with_commas(self.wins)),
            ("lost", with_commas(self.losses)),
            ("drawn", with_commas(self.draws)),
            (
                "solver",
                format!(
                    "tiered, {}, {} each",
                    counted(self.processes as u64, "process"),
                    counted(self.threads as u64, "thread")
                ),
            ),
            ("moves", format!("{}, {away:.0}% of them to other threads", with_commas(edges))),
            ("shares", format!("{} to {} ranks a thread", shares[0], shares[1])),
            ("network", format!("process 0 sent {} and received {}", network[0], network[1])),
            ("seconds", format!("{:.3}", self.seconds)),
            (
                "peak memory",
                match self.peak_memory_bytes {
                    Some(bytes) => format!("{} in process 0", format_size(bytes)),
                    None => String::from("unknown"),
                },
            ),
            ("signature", self.signature.clone()),
        ];
        if let Some(table) = &self.table {
            rows.push(("table", table.text(self.positions)));
        }
        fitted(&TextTable::of_pairs(rows))
    }
}
