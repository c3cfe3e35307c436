//! Figures of a study as files.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow};
use kuva::plot::ColorMap;
use kuva::prelude::{
    BarPlot, Heatmap, Layout, LinePlot, Plot, PngBackend, SvgBackend, Theme, render_multiple,
};
use kuva::render::render::Scene;
use study::{Curve, Drawing, Form, Point};

use crate::output::Output;

const COLOURS: [&str; 4] = ["#3b7dd8", "#d8483b", "#5a9e4b", "#8a5ab5"];

/// Writes a figure as CSV, SVG and PNG, over what an earlier run wrote.
pub(super) fn write(drawing: &Drawing, folder: &Path) -> Result<()> {
    let scene = scene(drawing);
    let picture = PngBackend::new().render_scene(&scene);
    let picture = picture.map_err(|error| anyhow!("cannot draw: {error}"))?;
    let files = [
        ("csv", drawing.csv().into_bytes()),
        ("svg", SvgBackend::new().render_scene(&scene).into_bytes()),
        ("png", picture),
    ];
    for (ending, bytes) in files {
        let name = format!("figure-{}.{ending}", drawing.figure);
        let mut file = Output::create(&folder.join(name), true)?;
        file.write_all(&bytes)?;
        file.finish()?;
    }
    Ok(())
}

fn scene(drawing: &Drawing) -> Scene {
    let curves = drawing.curves.iter().zip(COLOURS.into_iter().cycle());
    let many = drawing.curves.len() > 1;
    let mut plots: Vec<Plot> = match drawing.form {
        Form::Lines { .. } => curves
            .map(|(curve, colour)| line(curve, colour, many))
            .collect(),
        Form::Steps => curves.map(|(curve, colour)| steps(curve, colour)).collect(),
        Form::Bars => curves.map(|(curve, colour)| bars(curve, colour)).collect(),
        Form::Map => vec![map(drawing)],
    };
    // An axis that begins at zero shows shares as they are.
    if matches!(drawing.form, Form::Lines { log_y: false, .. }) {
        plots.extend(drawing.curves.first().map(ground));
    }
    let title = format!("Figure {}: {}", drawing.figure, drawing.title);
    let layout = Layout::auto_from_plots(&plots)
        .with_theme(Theme::light())
        .with_title(title)
        .with_x_label(drawing.x)
        .with_y_label(drawing.y);
    render_multiple(plots, with_axes(layout, drawing))
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
                .with_equal_aspect()
        }
    }
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_default()
}

fn places(curve: &Curve) -> Vec<(f64, f64)> {
    let place = |point: &Point| (number(&point.x), point.y);
    curve.points.iter().map(place).collect()
}

fn line(curve: &Curve, colour: &str, named: bool) -> Plot {
    let bound = |which: usize| {
        let bounds = curve.points.iter();
        bounds.map(move |point| point.bounds.map_or(point.y, |bounds| bounds[which]))
    };
    let line = LinePlot::new().with_data(places(curve)).with_color(colour);
    let line = line.with_band(bound(0), bound(1));
    if named {
        line.with_legend(&*curve.name)
    } else {
        line
    }
    .into()
}

/// A line along the foot of a figure, which nobody sees.
fn ground(curve: &Curve) -> Plot {
    let foot = curve.points.iter().map(|point| (number(&point.x), 0.0));
    let foot: Vec<(f64, f64)> = foot.collect();
    LinePlot::new().with_data(foot).with_color("#ffffff").into()
}

fn steps(curve: &Curve, colour: &str) -> Plot {
    let mut places = places(curve);
    // The last step is as wide as the one before.
    if let [.., (before, _), (last, _)] = places[..] {
        let end = 2.0 * last - before;
        places.extend([(end, places[places.len() - 1].1), (end, 0.0)]);
    }
    let line = LinePlot::new().with_data(places).with_color(colour);
    line.with_step().with_fill().into()
}

fn bars(curve: &Curve, colour: &str) -> Plot {
    let bars = curve.points.iter().map(|point| (point.x.clone(), point.y));
    let errors = curve.points.iter().map(|point| {
        let [low, high] = point.bounds.unwrap_or([point.y; 2]);
        (point.y - low, high - point.y)
    });
    let bars = BarPlot::new().with_bars(bars.collect::<Vec<_>>());
    bars.with_color(colour).with_asymmetric_error(errors).into()
}

fn map(drawing: &Drawing) -> Plot {
    // The first row is drawn at the bottom.
    let ranks = drawing.curves.iter().rev();
    let ranks = ranks.map(|curve| curve.points.iter().map(|point| point.y).collect::<Vec<_>>());
    let map = Heatmap::new().with_data(ranks.collect::<Vec<_>>());
    map.with_color_map(ColorMap::BluePurple)
        .with_legend(drawing.y)
        .into()
}
