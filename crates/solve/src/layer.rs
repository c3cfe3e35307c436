use std::convert::Infallible;

use hindsight_core::{Answer, Probe, Ranked, Value};

use crate::tiered::Plan;
use crate::{Error, Histogram};

/// What each code of a [`Layer`] means: `None` for a hole. At most 256.
pub type Palette = Vec<Option<Value>>;

/// Values of all tiers of a layer, a byte a rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Which layer it is.
    pub layer: u32,
    /// Its tiers, ascending.
    pub tiers: Vec<u64>,
    /// Where the codes of each tier begin, and the end of the last: one more than tiers.
    pub starts: Vec<u64>,
    /// Indices into the palette, rank by rank.
    pub codes: Vec<u8>,
    /// The meaning of the codes.
    pub palette: Palette,
}

impl Layer {
    /// A layer whose codes are not known yet: all 0.
    #[inline]
    pub(crate) fn unsolved<G: Ranked>(game: &G, layer: u32, tiers: &[u64]) -> Self {
        let mut unsolved = Self::shape(game, layer, tiers);
        unsolved.codes = vec![0; unsolved.starts[tiers.len()] as usize];
        unsolved
    }

    /// A layer without codes.
    #[inline]
    pub(crate) fn shape<G: Ranked>(game: &G, layer: u32, tiers: &[u64]) -> Self {
        let mut starts = Vec::with_capacity(tiers.len() + 1);
        starts.push(0);
        for &tier in tiers {
            starts.push(starts[starts.len() - 1] + game.tier_len(tier));
        }
        Self {
            layer,
            tiers: tiers.to_vec(),
            codes: Vec::new(),
            starts,
            palette: Palette::new(),
        }
    }

    /// The codes of the `i`-th tier.
    ///
    /// # Panics
    /// When there is no such tier.
    #[must_use]
    #[inline]
    pub fn tier_codes(&self, i: usize) -> &[u8] {
        &self.codes[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    #[inline]
    pub(crate) fn tier_codes_mut(&mut self, i: usize) -> &mut [u8] {
        &mut self.codes[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The value at a rank of a tier; `None` if the tier is not here, or for a hole.
    #[must_use]
    #[inline]
    pub fn value(&self, tier: u64, rank: u64) -> Option<Value> {
        let i = self.tiers.binary_search(&tier).ok()?;
        let code = *self.tier_codes(i).get(usize::try_from(rank).ok()?)?;
        *self.palette.get(usize::from(code))?
    }
}

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
        report: &mut Report<'_>,
    ) -> Result<Vec<bool>, Error>;

    /// Takes a layer that was stopped in the middle: the next solve is of this one and goes on with it.
    #[inline]
    fn resume(&self, _: Unfinished) {}

    /// The layer whose solve was stopped last, if it can go on.
    #[inline]
    fn unfinished(&self) -> Option<Unfinished> {
        None
    }

    /// Makes a layer that was read back one of this solver's: with its own codes, if it counts on them.
    #[inline]
    fn adopt(&self, _: &mut Layer) -> Result<(), Error> {
        Ok(())
    }

    /// Solves layer 0 and keeps of it only what it needs itself to solve layer 1. Positions by value;
    /// `None` if it cannot.
    #[inline]
    fn fold(&self, _: &Plan, _: &mut Report<'_>) -> Result<Option<Histogram>, Error> {
        Ok(None)
    }
}

/// Called with what is being done and the ranks done in this layer; fails to stop the work.
pub(crate) type Report<'a> = dyn FnMut(&'static str, u64) -> Result<(), Error> + 'a;

/// A layer of one tier in the middle of its solve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// Which layer it is.
    pub layer: u32,
    /// The pass over all ranks: 0 looks at every position once, n + 1 passes on what is decided at ply n.
    pub pass: u32,
    /// So many ranks are done in this pass.
    pub done: u64,
    /// The values of the codes from 2 on, and whether they are settled, that is, not passed on.
    pub meaning: Vec<(Value, bool)>,
    /// A code a rank; 0 is a hole or not looked at yet, 1 a draw or undecided.
    pub codes: Vec<u8>,
    /// For each rank the moves that may not lose.
    pub counts: Vec<u8>,
}

/// Where a solver puts finished layers, and finds those of an earlier run. Solvers know no files.
pub trait Store {
    /// Bytes of memory that it takes, beside the layer, to put a layer of so many ranks and tiers, or to get it.
    #[inline]
    fn takes(&self, _layer: u32, _ranks: u64, _tiers: u64) -> u64 {
        0
    }

    /// Tells how many bytes the next layer that is put or got may take beside itself: at least what
    /// [`Store::takes`] says.
    #[inline]
    fn allow(&mut self, _bytes: u64) {}

    /// Takes a finished layer. It is borrowed: the solver may need it further.
    ///
    /// # Errors
    /// When it cannot be kept; the solve ends with [`crate::Error::Store`].
    fn put(&mut self, layer: &Layer) -> Result<(), StoreError>;

    /// Whether this layer was finished before.
    ///
    /// # Errors
    /// As [`Store::put`].
    fn has(&mut self, layer: u32) -> Result<bool, StoreError>;

    /// A layer that was finished before.
    ///
    /// # Errors
    /// As [`Store::put`].
    fn get(&mut self, layer: u32) -> Result<Layer, StoreError>;

    /// Takes a layer whose solve is being stopped. Kept until a layer is put.
    ///
    /// # Errors
    /// As [`Store::put`].
    #[inline]
    fn put_unfinished(&mut self, _: &Unfinished) -> Result<(), StoreError> {
        Ok(())
    }

    /// The layer whose solve was stopped, if it was this one.
    ///
    /// # Errors
    /// As [`Store::put`].
    #[inline]
    fn get_unfinished(&mut self, _layer: u32) -> Result<Option<Unfinished>, StoreError> {
        Ok(None)
    }
}

/// Why a store failed, in a sentence of its own.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// Keeps nothing: for solves that only count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Store for Nowhere {
    #[inline]
    fn put(&mut self, _: &Layer) -> Result<(), StoreError> {
        Ok(())
    }

    #[inline]
    fn has(&mut self, _: u32) -> Result<bool, StoreError> {
        Ok(false)
    }

    #[inline]
    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        Err(format!("layer {layer} was not kept").into())
    }
}

/// Keeps every layer in memory: for small games, and for tests.
#[derive(Clone, Debug, Default)]
pub struct Kept(pub Vec<Layer>);

impl Store for Kept {
    #[inline]
    fn put(&mut self, layer: &Layer) -> Result<(), StoreError> {
        self.0.push(layer.clone());
        Ok(())
    }

    #[inline]
    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        Ok(self.0.iter().any(|kept| kept.layer == layer))
    }

    #[inline]
    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let kept = self.0.iter().find(|kept| kept.layer == layer);
        kept.cloned()
            .ok_or_else(|| format!("layer {layer} was not kept").into())
    }
}

impl Kept {
    /// Reads the values of the game whose layers these are.
    #[inline]
    pub fn with<'a, G: Ranked>(&'a self, game: &'a G) -> KeptReader<'a, G> {
        KeptReader { kept: self, game }
    }
}

/// Reads values of a game from layers in memory.
#[derive(Clone, Copy, Debug)]
pub struct KeptReader<'a, G> {
    kept: &'a Kept,
    game: &'a G,
}

impl<G: Ranked> Probe<G> for KeptReader<'_, G> {
    type Error = Infallible;

    #[inline]
    fn probe(&self, position: G::Position) -> Result<Answer, Infallible> {
        if let Some(wdl) = self.game.terminal(position) {
            return Ok(Answer::Exact(Value::terminal(wdl)));
        }
        let value = |(tier, rank)| {
            let mut layers = self.kept.0.iter();
            layers.find_map(|layer: &Layer| layer.value(tier, rank))
        };
        let value = self.game.rank(position).and_then(value);
        Ok(value.map_or(Answer::Unknown, Answer::Exact))
    }
}
