use std::io::{IsTerminal, Write, stdout};
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use hindsight_core::Wdl;
use hindsight_solve::Histogram;
use kuva::prelude::{
    Layout, LinePlot, PngBackend, SvgBackend, TerminalBackend, Theme, render_multiple,
};
use kuva::render::plots::Plot as Shape;
use kuva::render::render::Scene;

use crate::output::{Output, print};

/// Where a plot goes.
pub(crate) enum PlotOutput {
    Terminal,
    Svg(Output),
    Png(Output),
}

impl PlotOutput {
    /// A plot for a file, its format by the ending; `-` is the terminal.
    pub(crate) fn open(file: &Path, force: bool) -> Result<Self> {
        if file.as_os_str() == "-" {
            return Ok(Self::Terminal);
        }
        let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Self::Svg(Output::file_or_stream(file, force)?)),
            Some("png") => Ok(Self::Png(Output::file_or_stream(file, force)?)),
            _ => bail!(
                "'{}' ends like no picture; end it in .svg or .png, or give - for the terminal",
                file.display()
            ),
        }
    }

    /// Draws how many positions are won and lost in how many plies.
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

    /// Draws what it is given; `label` says what the axes are.
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

    /// As [`Plot::picture`]; a file is still to be finished.
    pub(crate) fn render_shapes(
        self,
        shapes: Vec<Shape>,
        label: impl FnOnce(Layout) -> Layout,
    ) -> Result<Option<Output>> {
        // Grey is for dark and light terminals alike.
        let grey = matches!(self, Self::Terminal);
        let layout = Layout::auto_from_plots(&shapes)
            .with_theme(if grey { grey_theme() } else { Theme::light() })
            .with_legend_box(!grey);
        self.render(&render_multiple(shapes, label(layout)))
    }

    /// Writes or prints what was drawn.
    pub(crate) fn draw_scene(self, scene: &Scene) -> Result<()> {
        match self.render(scene)? {
            Some(file) => file.finish(),
            None => Ok(()),
        }
    }

    /// Prints what was drawn, or writes it to a file, which is still to be finished.
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

/// Colours only where somebody sees them.
fn terminal_text(scene: &Scene) -> String {
    let drawn = TerminalBackend::new(100, 30).render_scene(scene);
    let coloured = stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut text = if coloured {
        drawn
    } else {
        without_escapes(&drawn)
    };
    text.push('\n');
    text
}

/// Text without its escape sequences for colours, which end with an m.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or("", |(_, rest)| rest)
    })
}

fn grey_theme() -> Theme {
    Theme {
        axis_color: "#888888".into(),
        tick_color: "#888888".into(),
        text_color: "#888888".into(),
        grid_color: "#444444".into(),
        ..Theme::light()
    }
}

/// A line for wins and one for losses.
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
            (!points.is_empty()).then(|| line.with_legend(name).into())
        })
        .collect();
    if lines.is_empty() {
        bail!("nothing to draw: no position is won or lost");
    }
    Ok(lines)
}
