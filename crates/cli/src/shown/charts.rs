//! Charts as SVG and PNG files.

use std::path::Path;

use anyhow::Result;
use hindsight_draw::{
    CurveForm, Picture, Plot, PlotAxis, PlotBar, PlotBars, PlotContent, PlotCurve, PlotCurves,
    PlotInk, PlotMap, PlotPoint,
};
use hindsight_study::{Chart, ChartCurve, ChartKind, ChartPoint};

use crate::output::{Output, finish_all};
use crate::shown::picture_format::PictureFormat;
use crate::tables::plot::PlotOutput;

/// Writes a figure as `figure-N.svg` and `.png`; files of an earlier run are overwritten.
pub fn write_figure(chart: &Chart, folder: &Path) -> Result<()> {
    let title = format!("Figure {}: {}", chart.figure, chart.title);
    let picture = plot(chart, title).picture();
    write_files(&picture, folder, &format!("figure-{}", chart.figure))
}

/// Writes a page of figures in two columns, as `name.svg` and `.png` in a folder.
/// Files of an earlier run are overwritten.
pub fn write_page(charts: &[Chart], title: &str, folder: &Path, name: &str) -> Result<()> {
    write_files(&page(charts, title), folder, name)
}

/// Draws a page of charts in two columns. A file is returned unfinished.
pub(crate) fn render_page(
    charts: &[Chart],
    title: &str,
    output: PlotOutput,
) -> Result<Option<Output>> {
    output.draw_picture(&page(charts, title))
}

/// Writes a picture as SVG, and as PNG if that is built in.
fn write_files(picture: &Picture, folder: &Path, name: &str) -> Result<()> {
    for format in [PictureFormat::Svg, PictureFormat::Png] {
        if format.check().is_ok() {
            let file = folder.join(format!("{name}.{}", format.ending()));
            let written = PlotOutput::open(&file, true)?.draw_picture(picture)?;
            finish_all(written.into_iter().collect())?;
        }
    }
    Ok(())
}

fn page(charts: &[Chart], title: &str) -> Picture {
    let plots = charts.iter().map(|chart| plot(chart, chart.title.clone()));
    Plot::page(title, &plots.collect::<Vec<_>>())
}

fn plot(chart: &Chart, title: String) -> Plot {
    let content = match chart.kind {
        ChartKind::Lines { log_x, log_y } => {
            // An axis begins at zero, so that shares are not exaggerated.
            let reach = if log_y { Vec::new() } else { vec![0.0] };
            curves(chart, CurveForm::Line, [log_x, log_y], reach)
        }
        ChartKind::Steps => curves(chart, CurveForm::Steps, [false; 2], vec![0.0]),
        ChartKind::Bars => PlotContent::Bars(PlotBars {
            names_label: chart.x_label.to_string(),
            label: chart.y_label.to_string(),
            legend: Default::default(),
            bars: chart.curves.iter().flat_map(bars).collect(),
        }),
        ChartKind::Map => PlotContent::Map(map(chart)),
    };
    Plot { title, subtitle: String::new(), content }
}

fn curves(chart: &Chart, form: CurveForm, is_log: [bool; 2], reach: Vec<f64>) -> PlotContent {
    let has_legend = chart.curves.len() > 1;
    let curves = chart.curves.iter().enumerate();
    let curves = curves.map(|(index, curve)| PlotCurve {
        name: if has_legend { curve.name.clone() } else { String::new() },
        ink: PlotInk::numbered(index),
        form,
        points: curve.points.iter().map(plot_point).collect(),
    });
    PlotContent::Curves(PlotCurves {
        x: PlotAxis { label: chart.x_label.to_string(), is_log: is_log[0], ..PlotAxis::default() },
        y: PlotAxis {
            label: chart.y_label.to_string(),
            is_log: is_log[1],
            reach,
            ..PlotAxis::default()
        },
        curves: curves.collect(),
    })
}

fn plot_point(point: &ChartPoint) -> PlotPoint {
    PlotPoint {
        x: point.x.parse().unwrap_or_default(),
        y: point.y,
        bounds: point.bounds,
        label: String::new(),
    }
}

fn bars(curve: &ChartCurve) -> impl Iterator<Item = PlotBar> {
    curve.points.iter().map(|point| PlotBar {
        name: point.x.clone(),
        number: point.y,
        bounds: point.bounds,
        other: None,
    })
}

fn map(chart: &Chart) -> PlotMap {
    let files = chart.curves.first().map_or(&[][..], |curve| &curve.points);
    let ranks = chart.curves.iter().map(|curve| {
        let numbers = curve.points.iter().map(|point| point.y);
        (curve.name.clone(), numbers.collect())
    });
    PlotMap {
        label: chart.y_label.to_string(),
        columns_label: chart.x_label.to_string(),
        columns: files.iter().map(|point| point.x.clone()).collect(),
        rows: ranks.collect(),
        darkest: darkest_value(chart),
    }
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
