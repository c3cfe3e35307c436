//! Stand-in for charts in a program that is built without plots.

use std::path::Path;

use anyhow::Result;
use hindsight_study::Chart;

use crate::output::Output;
use crate::tables::plot::PlotOutput;

pub(crate) fn write_figure(_: &Chart, _: &Path) -> Result<()> {
    Ok(())
}

pub(crate) fn write_page(_: &[Chart], _: &str, _: &Path, _: &str) -> Result<()> {
    Ok(())
}

pub(crate) fn render_page(_: &[Chart], _: &str, page: PlotOutput) -> Result<Option<Output>> {
    match page {}
}
