//! Figures of a study as SVG and PNG files.

use std::path::Path;

use anyhow::Result;
use hindsight_study::{Curve, Drawing, Form, Point};
use kuva::plot::ColorMap;
use kuva::prelude::{BarPlot, Figure, Heatmap, Layout, LinePlot};
use kuva::render::plots::Plot as Shape;

use crate::tables::plot::PlotOutput;

const COLOURS: [&str; 4] = ["#3b7dd8", "#d8483b", "#5a9e4b", "#8a5ab5"];

/// Writes a figure as `figure-N.svg` and `.png`; files of an earlier run are overwritten.
pub(super) fn write_figure(drawing: &Drawing, folder: &Path) -> Result<()> {
    let file = |ending: &str| folder.join(format!("figure-{}.{ending}", drawing.figure));
    for ending in ["svg", "png"] {
        let picture = PlotOutput::open(&file(ending), true)?;
        picture.draw_shapes(shapes(drawing), |layout| labelled(layout, drawing))?;
    }
    Ok(())
}

/// Writes a page of figures in two columns, as `name.svg` and `.png` in a folder.
/// Files of an earlier run are overwritten.
pub(super) fn write_page(
    drawings: &[Drawing],
    title: &str,
    folder: &Path,
    name: &str,
) -> Result<()> {
    for ending in ["svg", "png"] {
        let page = PlotOutput::open(&folder.join(format!("{name}.{ending}")), true)?;
        let panels = drawings.iter().map(|drawing| {
            let shapes = shapes(drawing);
            let layout = Layout::auto_from_plots(&shapes);
            let layout = layout
                .with_title(&*drawing.title)
                .with_x_label(drawing.x)
                .with_y_label(drawing.y);
            (shapes, with_axes(layout, drawing))
        });
        let (shapes, layouts) = panels.unzip();
        let figure = Figure::new(drawings.len().div_ceil(2), 2).with_title(title);
        let figure = figure.with_cell_size(560.0, 400.0);
        page.draw_scene(&figure.with_plots(shapes).with_layouts(layouts).render())?;
    }
    Ok(())
}

fn shapes(drawing: &Drawing) -> Vec<Shape> {
    let curves = drawing.curves.iter().zip(COLOURS.into_iter().cycle());
    let has_legend = drawing.curves.len() > 1;
    let mut shapes: Vec<Shape> = match drawing.form {
        Form::Lines { .. } => curves
            .map(|(curve, colour)| line(curve, colour, has_legend))
            .collect(),
        Form::Steps => curves.map(|(curve, colour)| steps(curve, colour)).collect(),
        Form::Bars => curves.map(|(curve, colour)| bars(curve, colour)).collect(),
        Form::Map => vec![heat_map(drawing)],
    };
    // An invisible line at zero makes the axis begin there, so that shares are not exaggerated.
    if matches!(drawing.form, Form::Lines { log_y: false, .. }) {
        shapes.extend(drawing.curves.first().map(zero_line));
    }
    shapes
}

fn labelled(layout: Layout, drawing: &Drawing) -> Layout {
    let layout = layout
        .with_title(format!("Figure {}: {}", drawing.figure, drawing.title))
        .with_x_label(drawing.x)
        .with_y_label(drawing.y);
    with_axes(layout, drawing)
}

fn with_axes(layout: Layout, drawing: &Drawing) -> Layout {
    match drawing.form {
        Form::Lines { log_x, log_y } => {
            let layout = if log_x { layout.with_log_x() } else { layout };
            if log_y { layout.with_log_y() } else { layout }
        }
        Form::Steps => layout,
        Form::Bars => layout.with_x_tick_rotate(-45.0),
        Form::Map => {
            let files = drawing.curves.first().map(|curve| &curve.points);
            let files = files.into_iter().flatten().map(|point| point.x.clone());
            let ranks = drawing.curves.iter().rev().map(|curve| curve.name.clone());
            layout
                .with_x_categories(files.collect())
                .with_y_categories(ranks.collect())
                .with_y_label("rank")
                .with_subtitle(format!("darkest: {} or more", darkest_value(drawing)))
                .with_equal_aspect()
        }
    }
}

fn parse_coordinate(text: &str) -> f64 {
    text.parse().unwrap_or_default()
}

fn coordinates(curve: &Curve) -> Vec<(f64, f64)> {
    let place = |point: &Point| (parse_coordinate(&point.x), point.y);
    curve.points.iter().map(place).collect()
}

fn line(curve: &Curve, colour: &str, has_legend: bool) -> Shape {
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
fn zero_line(curve: &Curve) -> Shape {
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

fn steps(curve: &Curve, colour: &str) -> Shape {
    let mut places = coordinates(curve);
    // The last step has the width of the one before.
    if let [.., (before, _), (last, _)] = places[..] {
        let end = 2.0 * last - before;
        places.extend([(end, places[places.len() - 1].1), (end, 0.0)]);
    }
    let line = LinePlot::new().with_data(places).with_color(colour);
    line.with_step().with_fill().into()
}

fn bars(curve: &Curve, colour: &str) -> Shape {
    let bars = curve.points.iter().map(|point| (point.x.clone(), point.y));
    let errors = curve.points.iter().map(|point| {
        let [low, high] = point.bounds.unwrap_or([point.y; 2]);
        (point.y - low, high - point.y)
    });
    let bars = BarPlot::new().with_bars(bars.collect::<Vec<_>>());
    bars.with_color(colour).with_asymmetric_error(errors).into()
}

/// Value of the darkest shade: the largest, or the second largest if the largest is over twice as
/// large.
fn darkest_value(drawing: &Drawing) -> f64 {
    let points = drawing.curves.iter().flat_map(|curve| &curve.points);
    let mut numbers: Vec<f64> = points.map(|point| point.y).collect();
    numbers.sort_by(f64::total_cmp);
    match numbers[..] {
        [.., second, first] if second > 0.0 && first > 2.0 * second => second,
        [.., first] => first,
        [] => 0.0,
    }
}

fn heat_map(drawing: &Drawing) -> Shape {
    // A heat map draws its first row at the bottom.
    let ranks = drawing.curves.iter().rev();
    let max = darkest_value(drawing);
    let shade = |point: &Point| point.y.min(max);
    let ranks = ranks.map(|curve| curve.points.iter().map(shade).collect::<Vec<_>>());
    let map = Heatmap::new().with_data(ranks.collect::<Vec<_>>());
    map.with_color_map(ColorMap::BluePurple).into()
}
