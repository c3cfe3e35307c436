//! Replacement of plots in a program that is built without them.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_solve::Histogram;

/// A plot; no value of this type exists.
pub(crate) enum PlotOutput {}

impl PlotOutput {
    /// Refuses every plot.
    pub(crate) fn open(_: &Path, _: bool) -> Result<Self> {
        bail!("this program was built without plots; its feature 'plots' adds them")
    }

    pub(crate) fn draw_histogram(self, _: &str, _: &Histogram) -> Result<()> {
        match self {}
    }
}
