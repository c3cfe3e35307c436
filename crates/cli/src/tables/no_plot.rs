//! Replacement of plots in a program that is built without them.

use std::path::Path;

use anyhow::Result;
use hindsight_run::Histogram;

use crate::exit::not_built_in;

/// A plot; no value of this type exists.
pub(crate) enum PlotOutput {}

impl PlotOutput {
    /// Refuses every plot.
    pub(crate) fn open(_: &Path, _: bool) -> Result<Self> {
        Err(not_built_in("plots", "plots"))
    }

    pub(crate) fn draw_histogram(self, _: &str, _: &Histogram) -> Result<()> {
        match self {}
    }
}
