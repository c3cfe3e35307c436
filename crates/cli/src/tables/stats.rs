//! The command `stats`: counts the positions of a table by value, from its header.

use anyhow::{Result, bail};
use hindsight_answers::report::{CsvLine, HistogramRow, TextTable, unbroken};
use hindsight_answers::{LayerStats, PositionStats, TableStats, ValuedPosition};
use hindsight_games::LayerInfo;

use super::plot::PlotOutput;
use super::{open, selected_layers};
use crate::args::{StatsArgs, StatsFormat};
use crate::context::Context;
use crate::output::{
    self, check_distinct, escape_controls, fitted, print, print_json, print_text, refuse_stdout,
};
use crate::shown::sizes::{counted, with_commas};
use crate::shown::text::histogram_text;

pub(crate) fn run(args: &StatsArgs, context: &Context) -> Result<()> {
    let format = match args.format {
        _ if context.json => StatsFormat::Json,
        format => format.unwrap_or(StatsFormat::Text),
    };
    let in_terminal = args.plot.as_ref().is_some_and(|file| file.as_os_str() == "-");
    if in_terminal && format != StatsFormat::Text {
        bail!("--plot - goes with text only; give the plot a file, such as --plot FILE.svg");
    }
    let plot = args.plot.as_ref().filter(|_| !in_terminal);
    refuse_stdout("--plot", plot.map(|file| &**file))?;
    let outputs: Vec<_> = output::NamedFile::optional("--plot", plot).into_iter().collect();
    check_distinct(&[output::NamedFile::new("the table", &args.file)], &outputs)?;
    let plot = args.plot.as_deref();
    let plot = plot.map(|file| PlotOutput::open(file, context.force)).transpose()?;
    let table = open(&args.file)?;
    let layers = selected_layers(table.info(), args.layer)?;
    let report = TableStats::new(table.path().display().to_string(), &table, layers.clone());
    let counts = &table.stats()[layers];
    match format {
        StatsFormat::Text => print_text(&escape_controls(&text(&report, counts)))?,
        StatsFormat::Csv => print(&csv(&report))?,
        StatsFormat::Json => print_json(&report)?,
    }
    match plot {
        Some(plot) => plot.draw_histogram(&title(&report), &LayerInfo::sum_histograms(counts)),
        None => Ok(()),
    }
}

/// Returns the cells of a text row: counts, their shares, mean and longest remoteness.
fn cells(stats: &PositionStats) -> Vec<String> {
    let counts = &stats.counts;
    let share = |n: u64| match counts.positions {
        0 => String::from("-"),
        all => format!("{:.2}", 100.0 * n as f64 / all as f64),
    };
    let plies = |valued: &Option<ValuedPosition>| {
        let plies = valued.as_ref().and_then(|valued| valued.remoteness);
        plies.map_or(String::from("-"), |plies| plies.to_string())
    };
    let by_value = [counts.wins, counts.losses, counts.draws];
    let mut cells = vec![with_commas(counts.positions)];
    cells.extend(by_value.map(with_commas));
    cells.extend(by_value.map(share));
    let mean = counts.mean_remoteness;
    cells.push(mean.map_or(String::from("-"), |mean| format!("{mean:.2}")));
    cells.extend([plies(&stats.longest_win), plies(&stats.longest_loss)]);
    cells
}

/// Headings of the columns, in two lines.
const HEADINGS: [[&str; 12]; 2] = [
    ["", "", "", "", "", "", "won", "lost", "drawn", "mean", "longest", "longest"],
    ["layer", "", "positions", "won", "lost", "drawn", "%", "%", "%", "plies", "win", "loss"],
];

fn title(report: &TableStats) -> String {
    match report.layers.as_slice() {
        [layer] => format!("{}, layer {}: {}", report.game, layer.layer, layer.name),
        _ => report.game.clone(),
    }
}

fn text(report: &TableStats, layers: &[LayerInfo]) -> String {
    let mut table = TextTable::new("rlrrrr|rrrrrr");
    for headings in HEADINGS {
        table.push(headings);
    }
    for LayerStats { layer, name, stats } in &report.layers {
        let label = [layer.to_string(), name.clone()];
        table.push(label.into_iter().chain(cells(stats)));
    }
    let label = ["all", ""].map(String::from);
    table.push(label.into_iter().chain(cells(&report.total)));
    let mut text = format!(
        "{}\n\nPositions by value for the side to move\n{}\n\
         The longest win of each layer\n{}\nPositions by plies to the end\n{}",
        title(report),
        fitted(&table),
        fitted(&longest_wins(report)),
        histogram_text(&LayerInfo::sum_histograms(layers))
    );
    if let Some(counts) = LayerInfo::sum_states(layers) {
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
fn longest_wins(report: &TableStats) -> TextTable {
    let mut table = TextTable::new("rrl");
    for layer in &report.layers {
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
fn csv(report: &TableStats) -> String {
    let mut text = String::from("layer,name,value,remoteness,positions");
    if report.total.states.is_some() {
        text.push_str(",states,all_states");
    }
    text.push('\n');
    for LayerStats { layer, name, stats } in &report.layers {
        for (row, states) in rows_with_states(stats) {
            let line = CsvLine::default().field(layer).quoted(name);
            let line = line.field(row.value).optional(row.remoteness);
            let counts = [row.positions].into_iter().chain(states.into_iter().flatten());
            text.push_str(&counts.fold(line, CsvLine::field).end());
        }
    }
    text
}

/// Returns the histogram's rows, each with `[states, all states]` if the table keeps states.
fn rows_with_states(stats: &PositionStats) -> Vec<(HistogramRow, Option<[u64; 2]>)> {
    let (Some(state_rows), Some(all_state_rows)) =
        (&stats.state_histogram, &stats.all_state_histogram)
    else {
        return stats.histogram.iter().map(|row| (row.clone(), None)).collect();
    };
    let count = |rows: &[HistogramRow], wanted: &HistogramRow| {
        let is_same =
            |row: &&HistogramRow| row.value == wanted.value && row.remoteness == wanted.remoteness;
        rows.iter().find(is_same).map_or(0, |row| row.positions)
    };
    // Some values occur among states alone.
    let added_rows = all_state_rows
        .iter()
        .filter(|row| count(&stats.histogram, row) == 0)
        .map(|row| HistogramRow { positions: 0, ..row.clone() });
    let rows = stats.histogram.iter().cloned().chain(added_rows);
    let counted = rows.map(|row| {
        let states = [state_rows, all_state_rows].map(|rows| count(rows, &row));
        (row, Some(states))
    });
    counted.collect()
}
