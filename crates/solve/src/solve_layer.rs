//! Interface between the loop over layers and a solver of one layer.

use hindsight_engine::{Error, Histogram, Layer};

/// Solves the tiers of a layer from the layers that they lead to.
pub trait SolveLayer {
    /// Solves the tiers of a layer. Returns, for each tier, true if it was solved.
    ///
    /// With `previous`, solves only the tiers whose exits have other values by `current` than by
    /// `previous`. With `None`, solves all tiers. Moves to a layer that is not in `current` do not
    /// count.
    ///
    /// # Errors
    /// Any error of `report`, and [`Error::TooLong`] for values that the solver cannot keep.
    fn solve(
        &self,
        layer: &mut Layer,
        previous: Option<&[Layer]>,
        current: &[Layer],
        report: &mut LayerProgress<'_>,
    ) -> Result<Vec<bool>, Error>;

    /// Converts a layer that was read back to the codes of this solver, if it has fixed codes.
    ///
    /// # Errors
    /// If the layer has values that the solver has no codes for.
    #[inline]
    fn adopt(&self, _: &mut Layer) -> Result<(), Error> {
        Ok(())
    }

    /// Solves layer 0 and keeps only the values that the tiers `above` of layer 1 need. `tiers` are
    /// the tiers of layer 0. Returns positions by value, or `None` if the solver cannot stream.
    ///
    /// # Errors
    /// As [`SolveLayer::solve`].
    #[inline]
    fn solve_streamed(
        &self,
        _tiers: &[u64],
        _above: &[u64],
        _: &mut LayerProgress<'_>,
    ) -> Result<Option<Histogram>, Error> {
        Ok(None)
    }
}

/// Callback with the phase and the number of ranks done in this layer. An error stops the work.
pub(crate) type LayerProgress<'a> = dyn FnMut(&'static str, u64) -> Result<(), Error> + 'a;
