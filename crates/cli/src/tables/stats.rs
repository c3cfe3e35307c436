//! The command `stats`: counts the positions of a table by value, from its header.

use std::ops::Range;

use anyhow::{Result, bail};
use hindsight_core::Value;
use hindsight_games::{Histogram, LayerInfo, StateHistograms, Summary, Tablebase};
use hindsight_report::{CsvLine, HistogramRow, TextTable, histogram_rows, unbroken};
use serde::Serialize;

use super::info::ValuedPosition;
use super::plot::PlotOutput;
use super::{open, selected_layers};
use crate::args::{StatsArgs, StatsFormat};
use crate::context::Context;
use crate::output::{self, check_distinct, fitted, print, print_json, print_text, refuse_stdout};
use crate::sizes::{counted, with_commas};
use crate::text::histogram_text;

/// The JSON report of `stats`.
#[derive(Serialize)]
struct StatsReport {
    file: String,
    game: String,
    layout: String,
    layers: Vec<LayerStats>,
    total: PositionStats,
}

/// Counts of a layer.
#[derive(Serialize)]
struct LayerStats {
    layer: usize,
    name: String,
    #[serde(flatten)]
    stats: PositionStats,
}

/// Counts of the positions of some layers.
#[derive(Serialize)]
struct PositionStats {
    tiers: u64,
    ranks: u64,
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    /// Mean over wins and losses; null if there are none.
    mean_remoteness: Option<f64>,
    longest_win: Option<ValuedPosition>,
    longest_loss: Option<ValuedPosition>,
    histogram: Vec<HistogramRow>,
    #[serde(flatten)]
    states: Option<StateStats>,
}

/// Counts of the states of some layers.
#[derive(Serialize)]
struct StateStats {
    /// States, without those of positions that are won at once, as `solve` counts them.
    states: u64,
    state_histogram: Vec<HistogramRow>,
    all_states: u64,
    all_state_histogram: Vec<HistogramRow>,
}

impl StateStats {
    fn new(counts: &StateHistograms) -> Self {
        Self {
            states: counts.nontrivial.positions(),
            state_histogram: histogram_rows(&counts.nontrivial),
            all_states: counts.all.positions(),
            all_state_histogram: histogram_rows(&counts.all),
        }
    }
}

pub(crate) fn run(args: &StatsArgs, context: &Context) -> Result<()> {
    let format = match args.format {
        _ if context.json => StatsFormat::Json,
        format => format.unwrap_or(StatsFormat::Text),
    };
    let in_terminal = args
        .plot
        .as_ref()
        .is_some_and(|file| file.as_os_str() == "-");
    if in_terminal && format != StatsFormat::Text {
        bail!("--plot - goes with text only; give the plot a file, such as --plot FILE.svg");
    }
    let plot = args.plot.as_ref().filter(|_| !in_terminal);
    refuse_stdout("--plot", plot.map(|file| &**file))?;
    let outputs: Vec<_> = output::NamedFile::optional("--plot", plot)
        .into_iter()
        .collect();
    check_distinct(&[output::NamedFile::new("the table", &args.file)], &outputs)?;
    let plot = args.plot.as_deref();
    let plot = plot
        .map(|file| PlotOutput::open(file, context.force))
        .transpose()?;
    let table = open(&args.file)?;
    let layers = selected_layers(table.info(), args.layer)?;
    let counts = &table.stats()[layers.clone()];
    let histogram = counts.iter().flat_map(|layer| layer.histogram.rows());
    let histogram: Histogram = histogram.collect();
    let states = sum_state_counts(counts);
    let total = TotalCounts {
        histogram: &histogram,
        states: states.as_ref(),
    };
    let report = StatsReport::new(&table, layers, total);
    match format {
        StatsFormat::Text => print_text(&report.text(&histogram, states.as_ref()))?,
        StatsFormat::Csv => print(&report.csv())?,
        StatsFormat::Json => print_json(&report)?,
    }
    match plot {
        Some(plot) => plot.draw_histogram(&report.title(), &histogram),
        None => Ok(()),
    }
}

/// Counts of some layers together.
#[derive(Clone, Copy)]
struct TotalCounts<'a> {
    histogram: &'a Histogram,
    states: Option<&'a StateHistograms>,
}

/// Sums the state counts of some layers; `None` if the table keeps no states.
fn sum_state_counts(layers: &[LayerInfo]) -> Option<StateHistograms> {
    let counts = layers.iter().map(|layer| layer.states.as_ref());
    let counts: Vec<&StateHistograms> = counts.collect::<Option<_>>()?;
    let sum = |histogram: fn(&StateHistograms) -> &Histogram| {
        let rows = counts.iter().flat_map(|counts| histogram(counts).rows());
        rows.collect()
    };
    Some(StateHistograms {
        all: sum(|counts| &counts.all),
        nontrivial: sum(|counts| &counts.nontrivial),
    })
}

impl LayerStats {
    fn new(table: &Tablebase, layer: usize) -> Self {
        let info = &table.stats()[layer];
        let valued = |example| ValuedPosition::example(table, example);
        let stats = PositionStats {
            longest_win: info.longest_win.map(valued),
            longest_loss: info.longest_loss.map(valued),
            states: info.states.as_ref().map(StateStats::new),
            ..PositionStats::new(info.tiers, info.ranks, &info.histogram)
        };
        Self {
            layer,
            name: info.name.clone(),
            stats,
        }
    }
}

/// Returns the position with the greatest remoteness; the first of several.
fn longest<'a>(valued: impl Iterator<Item = &'a Option<ValuedPosition>>) -> Option<ValuedPosition> {
    let longest = valued.flatten().reduce(|best, valued| {
        if valued.remoteness > best.remoteness {
            valued
        } else {
            best
        }
    });
    longest.cloned()
}

impl PositionStats {
    /// Counts a histogram. The longest win and loss, and the states, are left empty.
    fn new(tiers: u64, ranks: u64, histogram: &Histogram) -> Self {
        let counts = Summary::of(histogram);
        let plies = |&(value, n): &(Value, u64)| Some(f64::from(value.remoteness()?) * n as f64);
        let sum: f64 = histogram.rows().iter().filter_map(plies).sum();
        let decided = counts.wins + counts.losses;
        Self {
            tiers,
            ranks,
            positions: counts.positions,
            wins: counts.wins,
            losses: counts.losses,
            draws: counts.draws,
            mean_remoteness: (decided > 0).then(|| sum / decided as f64),
            longest_win: None,
            longest_loss: None,
            histogram: histogram_rows(histogram),
            states: None,
        }
    }

    /// Returns the cells of a text row: counts, their shares, mean and longest remoteness.
    fn cells(&self) -> Vec<String> {
        let share = |n: u64| match self.positions {
            0 => String::from("-"),
            all => format!("{:.2}", 100.0 * n as f64 / all as f64),
        };
        let plies = |valued: &Option<ValuedPosition>| {
            let plies = valued.as_ref().and_then(|valued| valued.remoteness);
            plies.map_or(String::from("-"), |plies| plies.to_string())
        };
        let counts = [self.wins, self.losses, self.draws];
        let mut cells = vec![with_commas(self.positions)];
        cells.extend(counts.map(with_commas));
        cells.extend(counts.map(share));
        let mean = self.mean_remoteness;
        cells.push(mean.map_or(String::from("-"), |mean| format!("{mean:.2}")));
        cells.extend([plies(&self.longest_win), plies(&self.longest_loss)]);
        cells
    }
}

/// Headings of the columns, in two lines.
const HEADINGS: [[&str; 12]; 2] = [
    [
        "", "", "", "", "", "", "won", "lost", "drawn", "mean", "longest", "longest",
    ],
    [
        "layer",
        "",
        "positions",
        "won",
        "lost",
        "drawn",
        "%",
        "%",
        "%",
        "plies",
        "win",
        "loss",
    ],
];

impl StatsReport {
    fn new(table: &Tablebase, layers: Range<usize>, total: TotalCounts<'_>) -> Self {
        let layers: Vec<LayerStats> = layers.map(|layer| LayerStats::new(table, layer)).collect();
        let sum =
            |count: fn(&PositionStats) -> u64| layers.iter().map(|layer| count(&layer.stats)).sum();
        let total = PositionStats {
            longest_win: longest(layers.iter().map(|layer| &layer.stats.longest_win)),
            longest_loss: longest(layers.iter().map(|layer| &layer.stats.longest_loss)),
            states: total.states.map(StateStats::new),
            ..PositionStats::new(
                sum(|stats| stats.tiers),
                sum(|stats| stats.ranks),
                total.histogram,
            )
        };
        Self {
            file: table.path().display().to_string(),
            game: table.info().spec.clone(),
            layout: table.info().layout.to_string(),
            layers,
            total,
        }
    }

    fn title(&self) -> String {
        match self.layers.as_slice() {
            [layer] => format!("{}, layer {}: {}", self.game, layer.layer, layer.name),
            _ => self.game.clone(),
        }
    }

    fn text(&self, histogram: &Histogram, states: Option<&StateHistograms>) -> String {
        let mut table = TextTable::new("rlrrrr|rrrrrr");
        for headings in HEADINGS {
            table.push(headings);
        }
        for LayerStats { layer, name, stats } in &self.layers {
            let label = [layer.to_string(), name.clone()];
            table.push(label.into_iter().chain(stats.cells()));
        }
        let label = ["all", ""].map(String::from);
        table.push(label.into_iter().chain(self.total.cells()));
        let mut text = format!(
            "{}\n\nPositions by value for the side to move\n{}\n\
             The longest win of each layer\n{}\nPositions by plies to the end\n{}",
            self.title(),
            fitted(&table),
            fitted(&self.longest_wins()),
            histogram_text(histogram)
        );
        if let Some(counts) = states {
            text.push_str(&format!(
                "\nStates by plies to the end, without those of positions that win at once\n{}\n\
                 states {}, with those that win at once {}\n",
                histogram_text(&counts.nontrivial),
                with_commas(counts.nontrivial.positions()),
                with_commas(counts.all.positions())
            ));
        }
        text
    }

    /// Returns a text table of the longest win of each layer.
    fn longest_wins(&self) -> TextTable {
        let mut table = TextTable::new("rrl");
        for layer in &self.layers {
            let win = layer.stats.longest_win.as_ref();
            let plies = win.and_then(|win| win.remoteness);
            table.push([
                layer.layer.to_string(),
                plies.map_or(String::from("-"), |plies| counted(plies, "ply")),
                win.map_or(String::new(), |win| unbroken(&win.position)),
            ]);
        }
        table
    }

    /// Returns the histograms as CSV, with columns for states if the table keeps them.
    fn csv(&self) -> String {
        let mut text = String::from("layer,name,value,remoteness,positions");
        if self.total.states.is_some() {
            text.push_str(",states,all_states");
        }
        text.push('\n');
        for LayerStats { layer, name, stats } in &self.layers {
            for (row, states) in stats.rows_with_states() {
                let line = CsvLine::default().field(layer).quoted(name);
                let line = line.field(row.value).optional(row.remoteness);
                let counts = [row.positions]
                    .into_iter()
                    .chain(states.into_iter().flatten());
                text.push_str(&counts.fold(line, CsvLine::field).end());
            }
        }
        text
    }
}

impl PositionStats {
    /// Returns the histogram's rows, each with `[states, all states]` if the table keeps states.
    fn rows_with_states(&self) -> Vec<(HistogramRow, Option<[u64; 2]>)> {
        let Some(states) = &self.states else {
            return self
                .histogram
                .iter()
                .map(|row| (row.clone(), None))
                .collect();
        };
        let count = |rows: &[HistogramRow], wanted: &HistogramRow| {
            let is_same = |row: &&HistogramRow| {
                row.value == wanted.value && row.remoteness == wanted.remoteness
            };
            rows.iter().find(is_same).map_or(0, |row| row.positions)
        };
        // Some values occur among states alone.
        let state_rows = states.all_state_histogram.iter();
        let state_rows = state_rows.filter(|row| count(&self.histogram, row) == 0);
        let state_rows = state_rows.map(|row| HistogramRow {
            positions: 0,
            ..row.clone()
        });
        let rows = self.histogram.iter().cloned().chain(state_rows);
        let counted = rows.map(|row| {
            let histograms = [&states.state_histogram, &states.all_state_histogram];
            let states = histograms.map(|rows| count(rows, &row));
            (row, Some(states))
        });
        counted.collect()
    }
}
