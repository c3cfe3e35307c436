//! The contract between layer-by-layer solving and a solver of one layer.

use hindsight_run::{Error, Histogram, Layer, UnfinishedLayer};

/// How the tiers of a layer are solved from layers that are.
pub(crate) trait SolveLayer {
    /// Solves those tiers of a layer whose moves out are worth something else by the layers `now` than
    /// by the layers `then`, by which they were solved before; all, if `then` is `None`. Which they were.
    ///
    /// Moves to a layer that is not among these do not count.
    fn solve(
        &self,
        layer: &mut Layer,
        then: Option<&[Layer]>,
        now: &[Layer],
        report: &mut LayerProgress<'_>,
    ) -> Result<Vec<bool>, Error>;

    /// Takes a layer that was stopped in the middle: the next solve is of this one and goes on with it.
    #[inline]
    fn resume(&self, _: UnfinishedLayer) {}

    /// The layer whose solve was stopped last, if it can go on.
    #[inline]
    fn unfinished(&self) -> Option<UnfinishedLayer> {
        None
    }

    /// Makes a layer that was read back one of this solver's: with its own codes, if it counts on them.
    #[inline]
    fn adopt(&self, _: &mut Layer) -> Result<(), Error> {
        Ok(())
    }

    /// Solves layer 0, whose tiers are `tiers`, and keeps of it only what layer 1 needs, whose tiers
    /// are `above`. Returns positions by value; `None` if the solver cannot.
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

/// Called with what is being done and the ranks done in this layer; fails to stop the work.
pub(crate) type LayerProgress<'a> = dyn FnMut(&'static str, u64) -> Result<(), Error> + 'a;
