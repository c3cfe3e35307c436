//! Plots: in the terminal, or as SVG and PNG files.

use std::io::{IsTerminal, Write, stdout};
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use hindsight_core::Wdl;
use hindsight_run::Histogram;
use kuva::prelude::{
    Layout, LinePlot, PngBackend, SvgBackend, TerminalBackend, Theme, render_multiple,
};
use kuva::render::plots::Plot as Shape;
use kuva::render::render::Scene;

use crate::output::{self, Output, print};
use crate::picture_format::PictureFormat;

/// Most columns of a plot in a terminal.
const MAX_COLUMNS: usize = 160;

/// The destination of a plot.
pub(crate) enum PlotOutput {
    Terminal,
    Svg(Output),
    Png(Output),
}

impl PlotOutput {
    /// Opens a file, its format by the ending; `-` is the terminal.
    pub(crate) fn open(file: &Path, force: bool) -> Result<Self> {
        if file.as_os_str() == "-" {
            return Ok(Self::Terminal);
        }
        match PictureFormat::of_ending(file) {
            Some(PictureFormat::Svg) => Ok(Self::Svg(Output::file_or_stream(file, force)?)),
            Some(PictureFormat::Png) => Ok(Self::Png(Output::file_or_stream(file, force)?)),
            None => bail!(
                "'{}' ends like no picture; end it in .svg or .png, or give - for the terminal",
                file.display()
            ),
        }
    }

    /// Draws the numbers of won and lost positions by plies.
    pub(crate) fn draw_histogram(self, title: &str, histogram: &Histogram) -> Result<()> {
        let lines = result_lines(histogram)?;
        self.draw_shapes(lines, |layout| {
            layout
                .with_title(title)
                .with_x_label("plies to the end")
                .with_y_label("positions")
                .with_log_y()
        })
    }

    /// Draws shapes; `label` adds titles and axis labels.
    pub(crate) fn draw_shapes(
        self,
        shapes: Vec<Shape>,
        label: impl FnOnce(Layout) -> Layout,
    ) -> Result<()> {
        match self.render_shapes(shapes, label)? {
            Some(file) => file.finish(),
            None => Ok(()),
        }
    }

    /// Draws shapes like [`PlotOutput::draw_shapes`]; a file is returned unfinished.
    pub(crate) fn render_shapes(
        self,
        shapes: Vec<Shape>,
        label: impl FnOnce(Layout) -> Layout,
    ) -> Result<Option<Output>> {
        // Grey can be read in dark and light terminals.
        let grey = matches!(self, Self::Terminal);
        let layout = Layout::auto_from_plots(&shapes)
            .with_theme(if grey { grey_theme() } else { Theme::light() })
            .with_legend_box(!grey);
        self.render(&render_multiple(shapes, label(layout)))
    }

    /// Prints a scene, or writes it to its file, which is returned unfinished.
    pub(crate) fn render(self, scene: &Scene) -> Result<Option<Output>> {
        let (mut file, picture) = match self {
            Self::Terminal => return print(&terminal_text(scene)).map(|()| None),
            Self::Svg(file) => (file, SvgBackend::new().render_scene(scene).into_bytes()),
            Self::Png(file) => {
                let picture = PngBackend::new().render_scene(scene);
                (
                    file,
                    picture.map_err(|error| anyhow!("cannot draw: {error}"))?,
                )
            }
        };
        file.write_all(&picture)?;
        Ok(Some(file))
    }
}

/// Draws a scene as text; colours only if standard output is a terminal and `NO_COLOR` is unset.
fn terminal_text(scene: &Scene) -> String {
    let columns = output::columns().min(MAX_COLUMNS);
    let drawn = TerminalBackend::new(columns, columns * 3 / 10).render_scene(scene);
    let coloured = stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if coloured {
        return drawn + "\n";
    }
    let plain = without_escapes(&drawn);
    let lines = plain.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// Removes escape sequences for colours, which end with `m`.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or("", |(_, rest)| rest)
    })
}

/// Returns a theme that can be read on dark and light backgrounds.
fn grey_theme() -> Theme {
    Theme {
        axis_color: "#888888".into(),
        tick_color: "#888888".into(),
        text_color: "#888888".into(),
        grid_color: "#444444".into(),
        ..Theme::light()
    }
}

/// Returns a line for wins and one for losses; a line without points is left out.
fn result_lines(histogram: &Histogram) -> Result<Vec<Shape>> {
    let series = [
        (Wdl::Win, "wins", "#3b7dd8"),
        (Wdl::Loss, "losses", "#d8483b"),
    ];
    let lines: Vec<_> = series
        .into_iter()
        .filter_map(|(wdl, name, colour)| {
            let rows = histogram.rows().into_iter();
            let rows = rows.filter(|row| row.0.wdl() == wdl && row.1 > 0);
            let point = |(value, n): (hindsight_core::Value, u64)| {
                Some((f64::from(value.remoteness()?), n as f64))
            };
            let points: Vec<(f64, f64)> = rows.filter_map(point).collect();
            let line = LinePlot::new().with_data(points.clone()).with_color(colour);
            // Lines differ without colours too.
            let line = match wdl {
                Wdl::Loss => line.with_dashed(),
                _ => line,
            };
            (!points.is_empty()).then(|| line.with_legend(name).into())
        })
        .collect();
    if lines.is_empty() {
        bail!("nothing to draw: no position is won or lost");
    }
    Ok(lines)
}
