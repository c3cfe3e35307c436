//! Pictures of an audit: the share of results given away in critical positions.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use hindsight_play::{AuditTally, wilson_interval};
use kuva::plot::{BarPlot, ScatterPlot};
use kuva::prelude::{Layout, LinePlot};
use kuva::render::plots::Plot as Shape;

use super::judged::JudgedAgent;
use crate::output::Output;
use crate::tables::plot::PlotOutput;

const COLOURS: [&str; 8] = [
    "#3b7dd8", "#d8483b", "#3a9d5d", "#a35bc2", "#c98a1b", "#17a2b8", "#8c564b", "#e377c2",
];
const CHANCE_COLOUR: &str = "#888888";
const SUBTITLE: &str = "results given away in critical positions";

/// Draws lines over playouts if some agent has several numbers of them, else bars.
///
/// A file is returned unfinished.
pub(super) fn draw(
    plot: PlotOutput,
    title: &str,
    judged: &[JudgedAgent],
) -> Result<Option<Output>> {
    let drawn = judged
        .iter()
        .filter(|judged| judged.quality.all.critical > 0);
    let drawn: Vec<&JudgedAgent> = drawn.collect();
    if drawn.is_empty() {
        bail!("nothing to draw: in no position a result could be given away");
    }
    let families = families(&drawn);
    if families.iter().all(|(_, members)| members.len() == 1) {
        let labels = |layout: Layout| layout.with_title(title).with_subtitle(SUBTITLE);
        let bars = vec![agent_bars(&drawn)];
        return plot.render_shapes(bars, |layout| labels(layout).with_x_label("%"));
    }
    let bands = !matches!(plot, PlotOutput::Terminal);
    plot.render_shapes(family_lines(&drawn, &families, bands), |layout| {
        layout
            .with_title(title)
            .with_subtitle(SUBTITLE)
            .with_x_label("playouts a move")
            .with_y_label("%")
            .with_log_x()
            .with_y_axis_min(0.0)
    })
}

/// Groups agents that differ only in their playouts; each family has the name that its agents
/// share.
fn families<'a>(drawn: &[&'a JudgedAgent]) -> Vec<(String, Vec<&'a JudgedAgent>)> {
    let mut families: Vec<(String, Vec<&JudgedAgent>)> = Vec::new();
    for &judged in drawn {
        let name = family_name(judged);
        match families.iter_mut().find(|family| family.0 == name) {
            Some((_, members)) => members.push(judged),
            None => families.push((name, vec![judged])),
        }
    }
    for (_, members) in &mut families {
        members.sort_by_key(|judged| judged.agent.playouts());
    }
    families
}

/// Returns a share of the critical positions in per cent.
fn percent(part: f64, tally: &AuditTally) -> f64 {
    100.0 * part / tally.critical as f64
}

/// Returns the share given away and its confidence interval, in per cent.
fn given_away(tally: &AuditTally) -> (f64, [f64; 2]) {
    let share = tally.blunders as f64 / tally.critical as f64;
    let bounds = wilson_interval(share, tally.critical);
    (100.0 * share, bounds.map(|bound| 100.0 * bound))
}

/// Returns a line for each family and one for a random player.
///
/// The line of an agent without playouts is level. `bands` adds confidence intervals.
fn family_lines(
    drawn: &[&JudgedAgent],
    families: &[(String, Vec<&JudgedAgent>)],
    bands: bool,
) -> Vec<Shape> {
    let chance = chance_line(drawn);
    let ends = [chance.first(), chance.last()].map(|point| point.map_or(1.0, |point| point.0));
    let mut shapes: Vec<Shape> = Vec::new();
    for ((name, members), colour) in families.iter().zip(COLOURS.iter().cycle()) {
        let mut points: Vec<(f64, &AuditTally)> = Vec::new();
        for judged in members {
            let tally = &judged.quality.all;
            match judged.agent.playouts() {
                Some(playouts) => points.push((playouts as f64, tally)),
                None => points.extend(ends.map(|x| (x, tally))),
            }
        }
        let shares: Vec<(f64, [f64; 2])> = points.iter().map(|point| given_away(point.1)).collect();
        let data = points
            .iter()
            .zip(&shares)
            .map(|(point, share)| (point.0, share.0));
        let data: Vec<(f64, f64)> = data.collect();
        if members[0].agent.playouts().is_some() {
            let dots = ScatterPlot::new().with_data(data.clone());
            shapes.push(dots.with_color(*colour).into());
        }
        let mut line = LinePlot::new().with_data(data).with_color(*colour);
        if bands {
            let [low, high] = [0, 1].map(|i| shares.iter().map(move |share| share.1[i]));
            line = line.with_band(low, high);
        }
        shapes.push(line.with_legend(name).into());
    }
    let line = LinePlot::new().with_data(chance).with_color(CHANCE_COLOUR);
    shapes.push(line.with_dashed().with_legend("by chance").into());
    shapes
}

/// Returns the share that random moves give away, as `(playouts, per cent)`.
///
/// The share is a mean over the positions of all agents with the same number of playouts.
fn chance_line(drawn: &[&JudgedAgent]) -> Vec<(f64, f64)> {
    let mut at: BTreeMap<u64, AuditTally> = BTreeMap::new();
    for judged in drawn {
        if let Some(playouts) = judged.agent.playouts() {
            at.entry(playouts).or_default().merge(&judged.quality.all);
        }
    }
    let points = at.iter();
    points
        .map(|(&n, sum)| (n as f64, percent(sum.expected_blunders, sum)))
        .collect()
}

/// Returns the text of an agent without its playouts.
fn family_name(judged: &JudgedAgent) -> String {
    let text = judged.agent.to_string();
    let Some(playouts) = judged.agent.playouts() else {
        return text;
    };
    let option = format!("playouts={playouts}");
    let (before, after) = text.split_once(&option).unwrap_or((&text, ""));
    match after.strip_prefix(',') {
        Some(others) => format!("{before}{others}"),
        None => before.trim_end_matches(':').to_string(),
    }
}

/// Returns two bars for each agent: its own share given away, and that of a random player. The
/// first agent is on top.
fn agent_bars(drawn: &[&JudgedAgent]) -> Shape {
    let bars = BarPlot::new().with_horizontal(true);
    let mut bars = bars.with_legend(vec!["by chance", "agent"]);
    for judged in drawn.iter().rev() {
        let tally = &judged.quality.all;
        let chance = percent(tally.expected_blunders, tally);
        let bar_pair = [(chance, CHANCE_COLOUR), (given_away(tally).0, COLOURS[0])];
        bars = bars.with_group(judged.agent.to_string(), bar_pair);
    }
    bars.into()
}
