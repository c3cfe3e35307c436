//! Charts as SVG and PNG files.

use std::path::Path;

use anyhow::Result;
use hindsight_study::{Chart, ChartCurve, ChartKind, ChartPoint};
use kuva::plot::ColorMap;
use kuva::prelude::{BarPlot, Figure, Heatmap, Layout, LinePlot};
use kuva::render::plots::Plot as Shape;

use crate::output::{Output, finish_all};
use crate::tables::plot::PlotOutput;

const COLOURS: [&str; 4] = ["#3b7dd8", "#d8483b", "#5a9e4b", "#8a5ab5"];

/// Writes a figure as `figure-N.svg` and `.png`; files of an earlier run are overwritten.
pub(crate) fn write_figure(chart: &Chart, folder: &Path) -> Result<()> {
    let file = |ending: &str| folder.join(format!("figure-{}.{ending}", chart.figure));
    for ending in ["svg", "png"] {
        let picture = PlotOutput::open(&file(ending), true)?;
        picture.draw_shapes(shapes(chart), |layout| labelled(layout, chart))?;
    }
    Ok(())
}

/// Writes a page of figures in two columns, as `name.svg` and `.png` in a folder.
/// Files of an earlier run are overwritten.
pub(crate) fn write_page(charts: &[Chart], title: &str, folder: &Path, name: &str) -> Result<()> {
    for ending in ["svg", "png"] {
        let page = PlotOutput::open(&folder.join(format!("{name}.{ending}")), true)?;
        let page = render_page(charts, title, page)?;
        finish_all(page.into_iter().collect())?;
    }
    Ok(())
}

/// Draws a page of charts in two columns. A file is returned unfinished.
pub(crate) fn render_page(
    charts: &[Chart],
    title: &str,
    page: PlotOutput,
) -> Result<Option<Output>> {
    let panels = charts.iter().map(|chart| {
        let shapes = shapes(chart);
        let layout = Layout::auto_from_plots(&shapes);
        let layout = layout
            .with_title(&*chart.title)
            .with_x_label(chart.x_label)
            .with_y_label(chart.y_label);
        (shapes, with_axes(layout, chart))
    });
    let (shapes, layouts) = panels.unzip();
    let figure = Figure::new(charts.len().div_ceil(2), 2).with_title(title);
    let figure = figure.with_cell_size(560.0, 400.0);
    page.render(&figure.with_plots(shapes).with_layouts(layouts).render())
}

fn shapes(chart: &Chart) -> Vec<Shape> {
    let curves = chart.curves.iter().zip(COLOURS.into_iter().cycle());
    let has_legend = chart.curves.len() > 1;
    let mut shapes: Vec<Shape> = match chart.kind {
        ChartKind::Lines { .. } => curves
            .map(|(curve, colour)| line(curve, colour, has_legend))
            .collect(),
        ChartKind::Steps => curves.map(|(curve, colour)| steps(curve, colour)).collect(),
        ChartKind::Bars => curves.map(|(curve, colour)| bars(curve, colour)).collect(),
        ChartKind::Map => vec![heat_map(chart)],
    };
    // An invisible line at zero makes the axis begin there, so that shares are not exaggerated.
    if matches!(chart.kind, ChartKind::Lines { log_y: false, .. }) {
        shapes.extend(chart.curves.first().map(zero_line));
    }
    shapes
}

fn labelled(layout: Layout, chart: &Chart) -> Layout {
    let layout = layout
        .with_title(format!("Figure {}: {}", chart.figure, chart.title))
        .with_x_label(chart.x_label)
        .with_y_label(chart.y_label);
    with_axes(layout, chart)
}

fn with_axes(layout: Layout, chart: &Chart) -> Layout {
    match chart.kind {
        ChartKind::Lines { log_x, log_y } => {
            let layout = if log_x { layout.with_log_x() } else { layout };
            if log_y { layout.with_log_y() } else { layout }
        }
        ChartKind::Steps => layout,
        ChartKind::Bars => layout.with_x_tick_rotate(-45.0),
        ChartKind::Map => {
            let files = chart.curves.first().map(|curve| &curve.points);
            let files = files.into_iter().flatten().map(|point| point.x.clone());
            let ranks = chart.curves.iter().rev().map(|curve| curve.name.clone());
            layout
                .with_x_categories(files.collect())
                .with_y_categories(ranks.collect())
                .with_y_label("rank")
                .with_subtitle(format!("darkest: {} or more", darkest_value(chart)))
                .with_equal_aspect()
        }
    }
}

fn parse_coordinate(text: &str) -> f64 {
    text.parse().unwrap_or_default()
}

fn coordinates(curve: &ChartCurve) -> Vec<(f64, f64)> {
    let place = |point: &ChartPoint| (parse_coordinate(&point.x), point.y);
    curve.points.iter().map(place).collect()
}

fn line(curve: &ChartCurve, colour: &str, has_legend: bool) -> Shape {
    let bound = |index: usize| {
        let points = curve.points.iter();
        points.map(move |point| point.bounds.map_or(point.y, |bounds| bounds[index]))
    };
    let line = LinePlot::new()
        .with_data(coordinates(curve))
        .with_color(colour);
    let line = line.with_band(bound(0), bound(1));
    if has_legend {
        line.with_legend(&*curve.name)
    } else {
        line
    }
    .into()
}

/// White line at zero, invisible on the white ground.
fn zero_line(curve: &ChartCurve) -> Shape {
    let zeros = curve
        .points
        .iter()
        .map(|point| (parse_coordinate(&point.x), 0.0));
    let zeros: Vec<(f64, f64)> = zeros.collect();
    LinePlot::new()
        .with_data(zeros)
        .with_color("#ffffff")
        .into()
}

fn steps(curve: &ChartCurve, colour: &str) -> Shape {
    let mut places = coordinates(curve);
    // The last step has the width of the one before.
    if let [.., (before, _), (last, _)] = places[..] {
        let end = 2.0 * last - before;
        places.extend([(end, places[places.len() - 1].1), (end, 0.0)]);
    }
    let line = LinePlot::new().with_data(places).with_color(colour);
    line.with_step().with_fill().into()
}

fn bars(curve: &ChartCurve, colour: &str) -> Shape {
    let bars = curve.points.iter().map(|point| (point.x.clone(), point.y));
    let bars = BarPlot::new().with_bars(bars.collect::<Vec<_>>());
    let bars = bars.with_color(colour);
    if curve.points.iter().all(|point| point.bounds.is_none()) {
        return bars.into();
    }
    let errors = curve.points.iter().map(|point| {
        let [low, high] = point.bounds.unwrap_or([point.y; 2]);
        (point.y - low, high - point.y)
    });
    bars.with_asymmetric_error(errors).into()
}

/// Value of the darkest shade: the largest, or the second largest if the largest is over twice as
/// large.
fn darkest_value(chart: &Chart) -> f64 {
    let points = chart.curves.iter().flat_map(|curve| &curve.points);
    let mut numbers: Vec<f64> = points.map(|point| point.y).collect();
    numbers.sort_by(f64::total_cmp);
    match numbers[..] {
        [.., second, first] if second > 0.0 && first > 2.0 * second => second,
        [.., first] => first,
        [] => 0.0,
    }
}

fn heat_map(chart: &Chart) -> Shape {
    // A heat map draws its first row at the bottom.
    let ranks = chart.curves.iter().rev();
    let max = darkest_value(chart);
    let shade = |point: &ChartPoint| point.y.min(max);
    let ranks = ranks.map(|curve| curve.points.iter().map(shade).collect::<Vec<_>>());
    let map = Heatmap::new().with_data(ranks.collect::<Vec<_>>());
    map.with_color_map(ColorMap::BluePurple).into()
}
