//! Plots: in the terminal, or as SVG and PNG files.

use std::io::{IsTerminal, Write, stdout};
use std::path::Path;

use anyhow::{Result, bail};
use hindsight_core::Wdl;
use hindsight_draw::{
    CurveForm, Picture, Plot, PlotAxis, PlotColor, PlotContent, PlotCurve, PlotCurves, PlotInk,
    PlotMark, PlotPoint, TerminalStyle,
};
use hindsight_games::Histogram;

use crate::output::{self, Output, print};
use crate::shown::picture_format::PictureFormat;

/// Pixels of a PNG for each unit of a plot.
const PNG_SCALE: f32 = 2.0;

/// The destination of a plot.
pub(crate) enum PlotOutput {
    Terminal,
    File(Output, PictureFormat),
}

impl PlotOutput {
    /// Opens a file, its format by the ending; `-` is the terminal.
    pub(crate) fn open(file: &Path, force: bool) -> Result<Self> {
        if file.as_os_str() == "-" {
            return Ok(Self::Terminal);
        }
        let Some(format) = PictureFormat::of_ending(file) else {
            bail!(
                "'{}' ends like no picture; end it in .svg or .png, or give - for the terminal",
                file.display()
            );
        };
        format.check()?;
        Ok(Self::File(Output::file_or_stream(file, force)?, format))
    }

    /// Draws a plot. A file is returned unfinished.
    pub(crate) fn draw(self, plot: &Plot) -> Result<Option<Output>> {
        match self {
            Self::Terminal => print("\n").and_then(|()| print_plot(plot)).map(|()| None),
            Self::File(..) => self.draw_picture(&plot.picture()),
        }
    }

    /// Writes a picture to its file, which is returned unfinished; the terminal has none.
    pub(crate) fn draw_picture(self, picture: &Picture) -> Result<Option<Output>> {
        let Self::File(mut file, format) = self else {
            return Ok(None);
        };
        file.write_all(&format.bytes(picture, PNG_SCALE)?)?;
        Ok(Some(file))
    }

    /// Draws the numbers of won and lost positions by plies.
    pub(crate) fn draw_histogram(self, title: &str, histogram: &Histogram) -> Result<()> {
        let file = self.draw(&histogram_plot(title, histogram)?)?;
        file.map_or(Ok(()), Output::finish)
    }
}

/// Prints a plot; colours only if standard output is a terminal and `NO_COLOR` is unset.
pub(crate) fn print_plot(plot: &Plot) -> Result<()> {
    let style = TerminalStyle {
        has_colors: stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        columns: output::columns(),
    };
    print(&(plot.text(style) + "\n"))
}

/// Returns a line for wins and one for losses; a line without points is left out.
fn histogram_plot(title: &str, histogram: &Histogram) -> Result<Plot> {
    let series = [
        (Wdl::Win, "wins", PlotColor::Blue, PlotMark::Disc),
        (Wdl::Loss, "losses", PlotColor::Red, PlotMark::Ring),
    ];
    let curves = series.into_iter().enumerate().map(|(dash, (wdl, name, color, mark))| {
        let rows = histogram.rows().into_iter();
        let rows = rows.filter(|row| row.0.wdl() == wdl && row.1 > 0);
        let point = |(value, n): (hindsight_core::Value, u64)| {
            Some(PlotPoint {
                x: f64::from(value.remoteness()?),
                y: n as f64,
                ..PlotPoint::default()
            })
        };
        PlotCurve {
            name: name.to_string(),
            ink: PlotInk { color, dash, mark },
            form: CurveForm::Line,
            points: rows.filter_map(point).collect(),
        }
    });
    let curves: Vec<_> = curves.filter(|curve| !curve.points.is_empty()).collect();
    if curves.is_empty() {
        bail!("nothing to draw: no position is won or lost");
    }
    Ok(Plot {
        title: title.to_string(),
        subtitle: String::new(),
        content: PlotContent::Curves(PlotCurves {
            x: PlotAxis { label: "plies to the end".to_string(), ..PlotAxis::default() },
            y: PlotAxis { label: "positions".to_string(), is_log: true, ..PlotAxis::default() },
            curves,
        }),
    })
}
