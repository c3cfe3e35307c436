use anyhow::{Result, bail};
use game::{Game, Notation, Retro, Value};
use games::Visitor;
use serde::Serialize;
use solve::Histogram;
use table::Info;

use super::info::{Named, counts};
use super::plot::Plot;
use super::{chosen, open, unnumbered, visit};
use crate::args::{Common, StatsArgs, StatsFormat};
use crate::output::{print, print_json, table, with_commas};
use crate::show::histogram_text;

/// What `stats --json` prints.
#[derive(Serialize)]
struct Report {
    file: String,
    game: String,
    layout: String,
    layers: Vec<LayerStats>,
    total: Stats,
}

#[derive(Serialize)]
struct LayerStats {
    layer: usize,
    name: String,
    #[serde(flatten)]
    stats: Stats,
}

/// Counts of some positions.
#[derive(Serialize)]
struct Stats {
    tiers: u64,
    ranks: u64,
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    /// Of wins and losses; null if there are none.
    mean_remoteness: Option<f64>,
    longest_win: Option<Named>,
    longest_loss: Option<Named>,
    histogram: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    value: String,
    remoteness: Option<u16>,
    positions: u64,
}

pub(crate) fn run(args: &StatsArgs, common: &Common) -> Result<()> {
    let format = match args.format {
        _ if common.json => StatsFormat::Json,
        format => format.unwrap_or(StatsFormat::Text),
    };
    let in_terminal = args
        .plot
        .as_ref()
        .is_some_and(|file| file.as_os_str() == "-");
    if in_terminal && format != StatsFormat::Text {
        bail!("--plot - goes with text only; give the plot a file, such as --plot FILE.svg");
    }
    let plot = args.plot.as_deref();
    let plot = plot.map(|file| Plot::to(file, common.force)).transpose()?;
    let opened = open(&args.file)?;
    let info = opened.info();
    let layers = chosen(info, args.layer)?;
    let histogram = layers.clone().flat_map(|i| info.layers[i].histogram.rows());
    let histogram: Histogram = histogram.collect();
    let file = args.file.display().to_string();
    let count = Count {
        file,
        info,
        layers,
        total: &histogram,
    };
    let report = visit(&info.spec, count)??;
    match format {
        StatsFormat::Text => print(&report.text(&histogram))?,
        StatsFormat::Csv => print(&report.csv())?,
        StatsFormat::Json => print_json(&report)?,
    }
    match plot {
        Some(plot) => plot.draw(&report.title(), &histogram),
        None => Ok(()),
    }
}

struct Count<'a> {
    file: String,
    info: &'a Info,
    layers: std::ops::Range<usize>,
    total: &'a Histogram,
}

impl Visitor for Count<'_> {
    type Output = Result<Report>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<Report> {
        Err(unnumbered(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<Report> {
        let layers: Vec<LayerStats> = self
            .layers
            .map(|layer| {
                let of = &self.info.layers[layer];
                let named = |example| Named::example(&game, example);
                let stats = Stats {
                    longest_win: of.longest_win.map(named),
                    longest_loss: of.longest_loss.map(named),
                    ..Stats::new([of.tiers, of.ranks], &of.histogram)
                };
                LayerStats {
                    layer,
                    name: of.name.clone(),
                    stats,
                }
            })
            .collect();
        let sum = |part: fn(&Stats) -> u64| layers.iter().map(|layer| part(&layer.stats)).sum();
        let total = Stats {
            longest_win: longest(layers.iter().map(|layer| &layer.stats.longest_win)),
            longest_loss: longest(layers.iter().map(|layer| &layer.stats.longest_loss)),
            ..Stats::new(
                [sum(|stats| stats.tiers), sum(|stats| stats.ranks)],
                self.total,
            )
        };
        Ok(Report {
            file: self.file,
            game: self.info.spec.clone(),
            layout: self.info.layout.to_string(),
            layers,
            total,
        })
    }
}

/// The first of those with the most plies.
fn longest<'a>(named: impl Iterator<Item = &'a Option<Named>>) -> Option<Named> {
    let longest = named.flatten().reduce(|best, named| {
        if named.remoteness > best.remoteness {
            named
        } else {
            best
        }
    });
    longest.cloned()
}

impl Stats {
    /// All but the longest.
    fn new([tiers, ranks]: [u64; 2], histogram: &Histogram) -> Self {
        let counts = counts(histogram);
        let row = |(value, positions): (Value, u64)| Row {
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            positions,
        };
        let rows = histogram.rows();
        let plies = |&(value, n): &(Value, u64)| Some(f64::from(value.remoteness()?) * n as f64);
        let sum: f64 = rows.iter().filter_map(plies).sum();
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
            histogram: rows.into_iter().map(row).collect(),
        }
    }

    /// Counts with their shares, mean and longest, as cells of a table.
    fn cells(&self) -> Vec<String> {
        let share = |n: u64| match self.positions {
            0 => String::from("-"),
            all => format!("{:.2} %", 100.0 * n as f64 / all as f64),
        };
        let plies = |named: &Option<Named>| {
            let plies = named.as_ref().and_then(|named| named.remoteness);
            plies.map_or(String::from("-"), |plies| plies.to_string())
        };
        let mut cells = vec![with_commas(self.positions)];
        for n in [self.wins, self.losses, self.draws] {
            cells.extend([with_commas(n), share(n)]);
        }
        let mean = self.mean_remoteness;
        cells.push(mean.map_or(String::from("-"), |mean| format!("{mean:.2}")));
        cells.extend([plies(&self.longest_win), plies(&self.longest_loss)]);
        cells
    }
}

const HEAD: [&str; 12] = [
    "layer",
    "",
    "positions",
    "won",
    "",
    "lost",
    "",
    "drawn",
    "",
    "mean",
    "longest win",
    "loss",
];

impl Report {
    fn title(&self) -> String {
        match self.layers.as_slice() {
            [layer] => format!("{}, layer {}: {}", self.game, layer.layer, layer.name),
            _ => self.game.clone(),
        }
    }

    fn text(&self, histogram: &Histogram) -> String {
        let mut rows = vec![HEAD.map(String::from).to_vec()];
        for layer in &self.layers {
            let mut row = vec![layer.layer.to_string(), layer.name.clone()];
            row.extend(layer.stats.cells());
            rows.push(row);
        }
        let mut row = vec![String::from("all"), String::new()];
        row.extend(self.total.cells());
        rows.push(row);
        format!(
            "{}\n\nPositions by value for the side to move\n{}\nThe longest win of each layer\n{}\nPositions by plies to the end\n{}",
            self.title(),
            table(&rows, "rlrrrrrrrrrr"),
            self.longest_wins(),
            histogram_text(histogram),
        )
    }

    fn longest_wins(&self) -> String {
        let rows = self.layers.iter().map(|layer| {
            let win = layer.stats.longest_win.as_ref();
            let plies = win.and_then(|win| win.remoteness);
            vec![
                layer.layer.to_string(),
                plies.map_or(String::from("-"), |plies| format!("{plies} plies")),
                win.map_or(String::new(), |win| win.position.clone()),
            ]
        });
        table(&rows.collect::<Vec<_>>(), "rrl")
    }

    fn csv(&self) -> String {
        let mut text = String::from("layer,name,value,remoteness,positions\n");
        for LayerStats { layer, name, stats } in &self.layers {
            let name = name.replace('"', "\"\"");
            for row in &stats.histogram {
                let plies = row
                    .remoteness
                    .map_or(String::new(), |plies| plies.to_string());
                let (value, positions) = (&row.value, row.positions);
                text.push_str(&format!("{layer},\"{name}\",{value},{plies},{positions}\n"));
            }
        }
        text
    }
}
