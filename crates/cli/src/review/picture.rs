//! The graph of a review: in the terminal, or as a picture.

use std::sync::Arc;

use anyhow::{Result, bail};
use kuva::plot::ScatterPlot;
use kuva::plot::scatter::MarkerShape;
use kuva::prelude::{Layout, LinePlot, TickFormat};
use kuva::render::plots::Plot as Shape;

use super::curve::{CurvePoint, ValueCurve};
use crate::tables::plot::PlotOutput;

const LINE_COLOUR: &str = "#8a9199";
const VALUE_COLOUR: &str = "#3b7dd8";
const ERROR_COLOUR: &str = "#d8483b";

/// Most labels of moves; with more, the marks of errors have none.
const MAX_LABELS: usize = 16;

/// Room of a picture beside the first and the last mark, as a share of the plies.
const EDGE: f64 = 0.02;

/// Height of a picture above its middle, with room for the labels of wins.
const MOST_HEIGHT: f64 = 1.1;

/// Most numbers below the graph, about.
const MAX_TICKS: usize = 12;

/// Draws the value over the game to a file.
pub(super) fn draw(picture: PlotOutput, curve: &ValueCurve) -> Result<()> {
    if curve.points.is_empty() {
        bail!("nothing to draw: no value is known");
    }
    picture.draw_shapes(shapes(curve, true), |layout| {
        let wins = curve.players.map(|name| format!("{name} wins"));
        with_axes(layout, curve, wins)
            .with_title(&*curve.title)
            .with_title_size(18)
            .with_subtitle(&*curve.subtitle)
            .with_subtitle_wrap(90)
            .with_x_label("plies")
            .with_label_background(true)
            .with_x_axis_min(-EDGE * curve.plies as f64)
            .with_x_axis_max((1.0 + EDGE) * curve.plies as f64)
            .with_y_axis_min(-MOST_HEIGHT)
            .with_y_axis_max(MOST_HEIGHT)
    })
}

/// Prints the value over the game as text, if there is any.
pub(super) fn print(curve: &ValueCurve) -> Result<()> {
    if curve.points.len() < 2 {
        return Ok(());
    }
    let names = curve.players.map(String::from);
    PlotOutput::Terminal.draw_shapes(shapes(curve, false), |layout| {
        with_axes(layout, curve, names)
    })
}

/// Sets the axes; `ends` are the names of a win of player 0, at the top, and of player 1.
fn with_axes(layout: Layout, curve: &ValueCurve, ends: [String; 2]) -> Layout {
    let [top, bottom] = ends;
    let name = move |height: f64| match height {
        height if height > 0.99 => top.clone(),
        height if height < -0.99 => bottom.clone(),
        height if height.abs() < 0.01 => String::from("draw"),
        _ => String::new(),
    };
    layout
        .with_x_axis_min(0.0)
        .with_x_axis_max(curve.plies as f64)
        .with_x_tick_step(tick_step(curve.plies))
        .with_y_axis_min(-1.0)
        .with_y_axis_max(1.0)
        .with_y_tick_step(0.5)
        .with_y_tick_format(TickFormat::Custom(Arc::new(name)))
}

/// Returns the plies between two numbers below the graph: 1, 2, 5, 10, 20, ..
fn tick_step(plies: usize) -> f64 {
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
    let mut fitting = steps.skip_while(|step| plies / step > MAX_TICKS);
    fitting.next().unwrap_or(1) as f64
}

/// Returns the line and the marks. In a picture filled circles are proved, and hollow ones are
/// estimates.
fn shapes(curve: &ValueCurve, is_picture: bool) -> Vec<Shape> {
    let all = places(curve, |_| true);
    let line = LinePlot::new().with_data(all).with_color(LINE_COLOUR);
    let mut shapes: Vec<Shape> = vec![line.with_stroke_width(1.5).into()];
    if is_picture {
        let dots = |data| ScatterPlot::new().with_data(data).with_color(VALUE_COLOUR);
        let proved = places(curve, |point| point.is_proved && point.error.is_none());
        let estimated = places(curve, |point| !point.is_proved);
        if !proved.is_empty() {
            let filled = dots(proved).with_size(4.0).with_legend("proved (filled)");
            shapes.push(filled.into());
        }
        if !estimated.is_empty() {
            let hollow = dots(estimated).with_size(4.0).with_marker_opacity(0.0);
            let hollow = hollow.with_marker_stroke_width(1.5);
            shapes.push(hollow.with_legend("estimate (hollow)").into());
        }
    }
    shapes.extend(errors(curve, is_picture));
    shapes
}

/// Returns the marks of moves that gave away a result.
fn errors(curve: &ValueCurve, is_picture: bool) -> Option<Shape> {
    let data = places(curve, |point| point.error.is_some());
    if data.is_empty() {
        return None;
    }
    let is_labelled = data.len() <= MAX_LABELS;
    let marks = ScatterPlot::new().with_data(data).with_color(ERROR_COLOUR);
    let marks = marks.with_marker(MarkerShape::Cross).with_size(7.0);
    if !is_picture {
        return Some(marks.into());
    }
    let marks = marks.with_legend("gave away a result");
    if !is_labelled {
        return Some(marks.into());
    }
    let labels = curve.points.iter().filter_map(|point| point.error.clone());
    Some(marks.with_labels(labels).with_repel_labels().into())
}

fn places(curve: &ValueCurve, is_taken: impl Fn(&CurvePoint) -> bool) -> Vec<(f64, f64)> {
    let points = curve.points.iter().filter(|point| is_taken(point));
    points
        .map(|point| (point.ply as f64, point.height))
        .collect()
}
