use hindsight_core::{PackedGame, Tiers, Value, orbit_runs};
use rayon::prelude::*;

use crate::Histogram;

/// Meaning of each code of a [`Layer`]; `None` marks a hole. At most 256 entries.
pub type Palette = Vec<Option<Value>>;

/// Values of all tiers of one layer, one byte per rank.
///
/// The value at rank `r` of the `i`-th tier is `palette[codes[starts[i] + r]]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Number of the layer.
    pub layer: u32,
    /// Tiers of the layer, ascending.
    pub tiers: Vec<u64>,
    /// Index of each tier's first code, then the number of all codes: `tiers.len() + 1` entries.
    pub starts: Vec<u64>,
    /// Indices into the palette, rank by rank, tier after tier.
    pub codes: Vec<u8>,
    /// Meaning of the codes.
    pub palette: Palette,
}

impl Layer {
    /// Makes a layer that is not solved yet: code 0 at every rank, an empty palette.
    ///
    /// Allocates one byte per rank.
    #[inline]
    pub fn unsolved(game: &PackedGame, layer: u32, tiers: &[u64]) -> Self {
        let mut unsolved = Self::without_codes(game, layer, tiers);
        unsolved.codes = vec![0; unsolved.starts[tiers.len()] as usize];
        unsolved
    }

    /// Makes a layer with the right `starts`, but no codes and an empty palette.
    #[inline]
    pub fn without_codes(game: &PackedGame, layer: u32, tiers: &[u64]) -> Self {
        let mut starts = Vec::with_capacity(tiers.len() + 1);
        starts.push(0);
        for &tier in tiers {
            starts.push(starts[starts.len() - 1] + game.tier_len(tier));
        }
        Self { layer, tiers: tiers.to_vec(), codes: Vec::new(), starts, palette: Palette::new() }
    }

    /// Codes of the `i`-th tier, rank by rank.
    ///
    /// # Panics
    /// If `i >= self.tiers.len()`.
    #[must_use]
    #[inline]
    pub fn tier_codes(&self, i: usize) -> &[u8] {
        &self.codes[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Codes of the `i`-th tier, rank by rank, for writing.
    ///
    /// # Panics
    /// If `i >= self.tiers.len()`.
    #[inline]
    pub fn tier_codes_mut(&mut self, i: usize) -> &mut [u8] {
        &mut self.codes[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Value at a rank of a tier; `None` for a hole, or if the layer has no such tier or rank.
    #[must_use]
    #[inline]
    pub fn value(&self, tier: u64, rank: u64) -> Option<Value> {
        let i = self.tiers.binary_search(&tier).ok()?;
        let code = *self.tier_codes(i).get(usize::try_from(rank).ok()?)?;
        *self.palette.get(usize::from(code))?
    }

    /// Returns, for each code, true if it stands for a wanted value.
    pub fn codes_with(&self, wanted: impl Fn(Value) -> bool) -> [bool; 256] {
        let mut codes = [false; 256];
        for (is_wanted, value) in codes.iter_mut().zip(&self.palette) {
            *is_wanted = value.is_some_and(&wanted);
        }
        codes
    }
}

impl Layer {
    /// Number of positions with each value; a rank that stands for `n` positions counts `n` times.
    ///
    /// One pass over the codes, on the threads of the current rayon pool.
    #[must_use]
    pub fn histogram(&self, game: &PackedGame) -> Histogram {
        let bins = self.bins(game);
        let rows = self.palette.iter().zip(bins);
        rows.filter_map(|(value, n)| Some(((*value)?, n)).filter(|_| n > 0)).collect()
    }

    /// Number of positions that the ranks with each code stand for.
    fn bins(&self, game: &PackedGame) -> [u64; 256] {
        let count = |i: usize| {
            let codes = self.tier_codes(i);
            let runs = orbit_runs(game, self.tiers[i], 0..codes.len() as u64);
            let counted = runs.map(|run| {
                let codes = &codes[run.ranks.start as usize..run.ranks.end as usize];
                counts_of_codes(codes).map(|n| n * run.orbit_size)
            });
            counted.fold([0; 256], added)
        };
        let tiers = (0..self.tiers.len()).into_par_iter().map(count);
        tiers.reduce(|| [0; 256], added)
    }
}

fn counts_of_codes(codes: &[u8]) -> [u64; 256] {
    let count = |codes: &[u8]| {
        let mut bins = [0_u64; 256];
        codes.iter().for_each(|&code| bins[usize::from(code)] += 1);
        bins
    };
    codes.par_chunks(1 << 20).map(count).reduce(|| [0; 256], added)
}

fn added(mut one: [u64; 256], other: [u64; 256]) -> [u64; 256] {
    one.iter_mut().zip(other).for_each(|(sum, n)| *sum += n);
    one
}
