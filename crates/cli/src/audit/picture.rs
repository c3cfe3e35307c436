//! Pictures of an audit: the share of results given away in critical positions.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use hindsight_draw::{
    CurveForm, Plot, PlotAxis, PlotBar, PlotBars, PlotColor, PlotContent, PlotCurve, PlotCurves,
    PlotInk, PlotMark, PlotPoint,
};
use hindsight_play::{AuditTally, wilson_interval};

use super::judged::JudgedAgent;
use crate::output::Output;
use crate::tables::plot::PlotOutput;

const SUBTITLE: &str = "results given away in critical positions";
const PERCENT: &str = "per cent";

/// Draws lines over playouts if some agent has several numbers of them, else bars.
///
/// A file is returned unfinished.
pub(super) fn draw(
    plot: PlotOutput,
    title: &str,
    judged: &[JudgedAgent],
) -> Result<Option<Output>> {
    let drawn = judged.iter().filter(|judged| judged.quality.all.critical > 0);
    let drawn: Vec<&JudgedAgent> = drawn.collect();
    if drawn.is_empty() {
        bail!("nothing to draw: in no position a result could be given away");
    }
    let families = families(&drawn);
    let content = if families.iter().all(|(_, members)| members.len() == 1) {
        PlotContent::Bars(agent_bars(&drawn))
    } else {
        PlotContent::Curves(PlotCurves {
            x: PlotAxis {
                label: "playouts a move".to_string(),
                is_log: true,
                ..PlotAxis::default()
            },
            y: PlotAxis { label: PERCENT.to_string(), reach: vec![0.0], ..PlotAxis::default() },
            curves: family_curves(&drawn, &families),
        })
    };
    plot.draw(&Plot { title: title.to_string(), subtitle: SUBTITLE.to_string(), content })
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

/// Returns a curve for each family and one for a random player.
///
/// The curve of an agent without playouts is level.
fn family_curves(
    drawn: &[&JudgedAgent],
    families: &[(String, Vec<&JudgedAgent>)],
) -> Vec<PlotCurve> {
    let chance = chance_points(drawn);
    let ends = [chance.first(), chance.last()].map(|point| point.map_or(1.0, |point| point.x));
    let curves = families.iter().enumerate().map(|(index, (name, members))| {
        let points = members.iter().flat_map(|judged| {
            let playouts = judged.agent.playouts().map(|playouts| playouts as f64);
            let places = playouts.map_or(ends.to_vec(), |playouts| vec![playouts]);
            let (y, bounds) = given_away(&judged.quality.all);
            places.into_iter().map(move |x| PlotPoint {
                x,
                y,
                bounds: Some(bounds),
                ..PlotPoint::default()
            })
        });
        PlotCurve {
            name: name.clone(),
            ink: PlotInk::numbered(index),
            form: CurveForm::Line,
            points: points.collect(),
        }
    });
    let chance = PlotCurve {
        name: "by chance".to_string(),
        ink: PlotInk { color: PlotColor::Grey, dash: 2, mark: PlotMark::None },
        form: CurveForm::Line,
        points: chance,
    };
    curves.chain([chance]).collect()
}

/// Returns the share that random moves give away, in per cent over playouts.
///
/// The share is a mean over the positions of all agents with the same number of playouts.
fn chance_points(drawn: &[&JudgedAgent]) -> Vec<PlotPoint> {
    let mut at: BTreeMap<u64, AuditTally> = BTreeMap::new();
    for judged in drawn {
        if let Some(playouts) = judged.agent.playouts() {
            at.entry(playouts).or_default().merge(&judged.quality.all);
        }
    }
    let points = at.iter();
    points
        .map(|(&n, sum)| PlotPoint {
            x: n as f64,
            y: percent(sum.expected_blunders, sum),
            ..PlotPoint::default()
        })
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

/// Returns two bars for each agent: its own share given away, and that of a random player.
fn agent_bars(drawn: &[&JudgedAgent]) -> PlotBars {
    let bars = drawn.iter().map(|judged| {
        let tally = &judged.quality.all;
        let (number, bounds) = given_away(tally);
        PlotBar {
            name: judged.agent.to_string(),
            number,
            bounds: Some(bounds),
            other: Some(percent(tally.expected_blunders, tally)),
        }
    });
    PlotBars {
        names_label: String::new(),
        label: PERCENT.to_string(),
        legend: ["agent", "by chance"].map(String::from),
        bars: bars.collect(),
    }
}
