//! Replacement of the graph of a review in a program that is built without plots.

use anyhow::Result;

use super::curve::ValueCurve;
use crate::tables::plot::PlotOutput;

pub(super) fn draw(picture: PlotOutput, _: &ValueCurve) -> Result<()> {
    match picture {}
}

/// Prints nothing.
pub(super) fn print(_: &ValueCurve) -> Result<()> {
    Ok(())
}
