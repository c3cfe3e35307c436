use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use game::Wdl;
use kuva::prelude::{Layout, LinePlot, PngBackend, SvgBackend, TerminalBackend, render_multiple};
use kuva::render::render::Scene;
use solve::Histogram;

use crate::output::{Output, print};

/// Where a plot goes.
pub(crate) enum Plot {
    Terminal,
    Svg(Output),
    Png(Output),
}

impl Plot {
    /// A plot for a file, its format by the ending; `-` is the terminal.
    pub(crate) fn to(file: &Path, force: bool) -> Result<Self> {
        if file.as_os_str() == "-" {
            return Ok(Self::Terminal);
        }
        let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Self::Svg(Output::create(file, force)?)),
            Some("png") => Ok(Self::Png(Output::create(file, force)?)),
            _ => bail!(
                "'{}' ends like no picture; end it in .svg or .png, or give - for the terminal",
                file.display()
            ),
        }
    }

    /// Draws how many positions are won and lost in how many plies.
    pub(crate) fn draw(self, title: &str, histogram: &Histogram) -> Result<()> {
        let scene = scene(title, histogram)?;
        let (mut file, picture) = match self {
            Self::Terminal => return print(&TerminalBackend::new(100, 30).render_scene(&scene)),
            Self::Svg(file) => (file, SvgBackend::new().render_scene(&scene).into_bytes()),
            Self::Png(file) => {
                let picture = PngBackend::new().render_scene(&scene);
                (
                    file,
                    picture.map_err(|error| anyhow!("cannot draw: {error}"))?,
                )
            }
        };
        file.write_all(&picture)?;
        file.finish()
    }
}

fn scene(title: &str, histogram: &Histogram) -> Result<Scene> {
    let series = [
        (Wdl::Win, "wins", "#3b7dd8"),
        (Wdl::Loss, "losses", "#d8483b"),
    ];
    let plots: Vec<_> = series
        .into_iter()
        .filter_map(|(wdl, name, colour)| {
            let rows = histogram.rows().into_iter();
            let rows = rows.filter(|row| row.0.wdl() == wdl && row.1 > 0);
            let point =
                |(value, n): (game::Value, u64)| Some((f64::from(value.remoteness()?), n as f64));
            let points: Vec<(f64, f64)> = rows.filter_map(point).collect();
            let line = LinePlot::new().with_data(points.clone()).with_color(colour);
            (!points.is_empty()).then(|| line.with_legend(name).into())
        })
        .collect();
    if plots.is_empty() {
        bail!("nothing to draw: no position is won or lost");
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("plies to the end")
        .with_y_label("positions")
        .with_log_y();
    Ok(render_multiple(plots, layout))
}
