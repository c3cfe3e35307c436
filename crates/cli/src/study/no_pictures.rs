//! Stand-in for the pictures of a study in a program that is built without plots.

use std::path::Path;

use anyhow::Result;
use hindsight_study::Drawing;

pub(super) fn write_figure(_: &Drawing, _: &Path) -> Result<()> {
    Ok(())
}

pub(super) fn write_page(_: &[Drawing], _: &str, _: &Path, _: &str) -> Result<()> {
    Ok(())
}
