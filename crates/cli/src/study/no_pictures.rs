//! Stand-in for the pictures of a study in a program that is built without plots.

use std::path::Path;

use anyhow::Result;
use hindsight_study::Chart;

pub(super) fn write_figure(_: &Chart, _: &Path) -> Result<()> {
    Ok(())
}

pub(super) fn write_page(_: &[Chart], _: &str, _: &Path, _: &str) -> Result<()> {
    Ok(())
}
