//! Which worker owns which ranks.

use std::ops::Range;

use hindsight_engine::Layer;

/// Deal of the ordinals of a layer to workers, in runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deal {
    ordinals: u64,
    /// Ordinals in a run; the last run may have fewer.
    run: u64,
    /// Binary logarithm of `run`, if that is a power of two.
    run_shift: Option<u32>,
    workers: u64,
    /// `2^64 / workers`, rounded up. A multiplication by it replaces a division.
    inverse: u64,
}

/// Owner of an ordinal, and its place in the owner's part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) worker: usize,
    pub(crate) index: u64,
}

impl Deal {
    /// Deals `ordinals` ordinals in runs of `run`.
    pub(crate) fn new(ordinals: u64, run: u64, workers: usize) -> Self {
        Self {
            ordinals,
            run,
            run_shift: run.is_power_of_two().then(|| run.ilog2()),
            workers: workers as u64,
            inverse: (u64::MAX / workers as u64).wrapping_add(1),
        }
    }

    pub(crate) fn ordinals(&self) -> u64 {
        self.ordinals
    }

    /// Owner and place of an ordinal.
    #[inline]
    pub(crate) fn place(&self, ordinal: u64) -> Place {
        let (run, rest) = match self.run_shift {
            Some(shift) => (ordinal >> shift, ordinal & (self.run - 1)),
            None => (ordinal / self.run, ordinal % self.run),
        };
        let turn = self.turn_of(run);
        Place { worker: (run - turn * self.workers) as usize, index: turn * self.run + rest }
    }

    /// `run / workers`.
    #[inline]
    fn turn_of(&self, run: u64) -> u64 {
        // Exact as long as `run * workers < 2^64`; the inverse of one worker would be 2^64.
        match self.workers {
            1 => run,
            _ => ((u128::from(run) * u128::from(self.inverse)) >> 64) as u64,
        }
    }

    /// Ordinal of a place in the part of a worker.
    pub(crate) fn ordinal(&self, worker: usize, index: u64) -> u64 {
        let run = index / self.run * self.workers + worker as u64;
        run * self.run + index % self.run
    }

    /// Number of places in the part of a worker.
    pub(crate) fn part_len(&self, worker: usize) -> u64 {
        let (runs, rest) = (self.ordinals / self.run, self.ordinals % self.run);
        let worker = worker as u64;
        let whole = runs / self.workers + u64::from(worker < runs % self.workers);
        let last = if runs % self.workers == worker { rest } else { 0 };
        whole * self.run + last
    }

    /// Number of places of a worker whose ordinals are below one.
    pub(crate) fn places_before(&self, worker: usize, ordinal: u64) -> u64 {
        let ordinals = ordinal.min(self.ordinals);
        Self { ordinals, ..*self }.part_len(worker)
    }

    /// Number of runs in the part of a worker.
    pub(crate) fn runs(&self, worker: usize) -> u64 {
        self.part_len(worker).div_ceil(self.run)
    }

    /// Ordinals of a run in the part of a worker. Its first place is `run` times the length of a
    /// run.
    pub(crate) fn ordinals_of_run(&self, worker: usize, run: u64) -> Range<u64> {
        let begin = (run * self.workers + worker as u64) * self.run;
        begin..self.ordinals.min(begin + self.run)
    }

    /// End of the run of an ordinal.
    pub(crate) fn stretch_end(&self, ordinal: u64) -> u64 {
        self.ordinals.min((ordinal / self.run + 1) * self.run)
    }

    /// Places of a run in the part of a worker.
    pub(crate) fn places_of_run(&self, worker: usize, run: u64) -> Range<usize> {
        let begin = run * self.run;
        let end = self.part_len(worker).min(begin + self.run);
        begin as usize..end as usize
    }
}

/// Consecutive ranks of one tier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TierPiece {
    pub(crate) tier: u64,
    /// Ordinal of rank 0 of the tier.
    pub(crate) start: u64,
    pub(crate) ranks: Range<u64>,
}

/// Cuts ordinals of a layer at the borders of its tiers.
pub(crate) fn pieces(shape: &Layer, ordinals: Range<u64>) -> impl Iterator<Item = TierPiece> {
    let first = shape.starts.partition_point(|&start| start <= ordinals.start);
    let tiers = (first.saturating_sub(1)..shape.tiers.len())
        .take_while(move |&i| shape.starts[i] < ordinals.end);
    tiers.filter_map(move |i| {
        let (start, end) = (shape.starts[i], shape.starts[i + 1]);
        let ranks = ordinals.start.max(start) - start..ordinals.end.min(end) - start;
        (!ranks.is_empty()).then(|| TierPiece { tier: shape.tiers[i], start, ranks })
    })
}

/// Ordinal of a rank of a tier; `None` if the layer has no such tier.
#[inline]
pub(crate) fn ordinal_of(shape: &Layer, tier: u64, rank: u64) -> Option<u64> {
    let i = match shape.tiers[..] {
        [only] if only == tier => 0,
        _ => shape.tiers.binary_search(&tier).ok()?,
    };
    Some(shape.starts[i] + rank)
}

#[cfg(test)]
mod tests {
    use hindsight_engine::Layer;

    use super::{Deal, Place, TierPiece, ordinal_of, pieces};

    #[test]
    fn every_ordinal_has_one_place() {
        for (ordinals, run, workers) in [(0, 4, 3), (1, 4, 3), (100, 4, 3), (96, 8, 4), (7, 9, 1)] {
            let deal = Deal::new(ordinals, run, workers);
            let mut seen = 0;
            for worker in 0..workers {
                let mut places = 0;
                for i in 0..deal.runs(worker) {
                    let range = deal.places_of_run(worker, i);
                    assert_eq!(range.start as u64, places);
                    for (index, ordinal) in (places..).zip(deal.ordinals_of_run(worker, i)) {
                        assert_eq!(deal.place(ordinal), Place { worker, index });
                        assert_eq!(deal.ordinal(worker, index), ordinal);
                        seen += 1;
                    }
                    places = range.end as u64;
                }
                assert_eq!(places, deal.part_len(worker));
            }
            assert_eq!(seen, ordinals);
        }
    }

    #[test]
    fn ordinals_are_cut_at_tiers() {
        let shape = Layer {
            layer: 0,
            tiers: vec![4, 7, 9],
            starts: vec![0, 5, 5, 8],
            codes: Vec::new(),
            palette: Vec::new(),
        };
        let found: Vec<TierPiece> = pieces(&shape, 3..7).collect();
        let piece = |tier, start, ranks| TierPiece { tier, start, ranks };
        assert_eq!(found, [piece(4, 0, 3..5), piece(9, 5, 0..2)]);
        assert_eq!(pieces(&shape, 8..8).count(), 0);
        assert_eq!(ordinal_of(&shape, 9, 2), Some(7));
        assert_eq!(ordinal_of(&shape, 5, 0), None);
    }
}
