//! Storage of finished layers.

use std::convert::Infallible;

use hindsight_core::{Answer, Game, Packed, PackedGame, Probe, Ranked, Value};

use crate::{Error, Layer};

/// Ranks of which every piece of a layer, but for the last one, has a multiple.
pub const PIECE_RANKS: u64 = 1 << 14;

/// Takes a piece of the codes of a layer: the index of its first rank, and the codes.
pub type TakeCodes<'a> = dyn FnMut(u64, &[u8]) -> Result<(), StoreError> + 'a;

/// Codes of a layer that are not in memory all at once.
pub trait LayerCodes {
    /// Calls `take` with the codes, piece after piece from rank 0 on, and the index of each piece's
    /// first rank in the layer. Pieces have a multiple of [`PIECE_RANKS`] ranks, the last one
    /// perhaps another number. Every call yields the same codes.
    ///
    /// # Errors
    /// The first error of `take`, which ends the loop; [`Error::Stopped`], or any error of reading
    /// the codes.
    fn for_each_piece(&mut self, take: &mut TakeCodes<'_>) -> Result<(), Error>;
}

/// Collects all codes in memory.
///
/// # Errors
/// As [`LayerCodes::for_each_piece`].
#[inline]
pub fn all_codes(codes: &mut dyn LayerCodes) -> Result<Vec<u8>, Error> {
    let mut all = Vec::new();
    codes.for_each_piece(&mut |_, piece| {
        all.extend_from_slice(piece);
        Ok(())
    })?;
    Ok(all)
}

/// Called often while a layer is stored. An error, such as [`Error::Stopped`], ends the storing.
pub type Poll<'a> = dyn FnMut() -> Result<(), Error> + 'a;

/// Ranks between two polls of [`CodesInMemory`]: a tenth of a second or less.
const POLL_RANKS: usize = 128 * PIECE_RANKS as usize;

/// Codes of a layer in memory, which are polled for piece by piece.
pub struct CodesInMemory<'a, 'p> {
    /// Codes of all ranks.
    pub codes: &'a [u8],
    /// Called before each piece.
    pub poll: &'a mut Poll<'p>,
}

impl LayerCodes for CodesInMemory<'_, '_> {
    #[inline]
    fn for_each_piece(&mut self, take: &mut TakeCodes<'_>) -> Result<(), Error> {
        for (first, piece) in (0..).step_by(POLL_RANKS).zip(self.codes.chunks(POLL_RANKS)) {
            (self.poll)()?;
            take(first, piece).map_err(Error::Store)?;
        }
        Ok(())
    }
}

/// Storage of layers: a solver writes finished ones, and reads back those of an earlier run.
pub trait Store {
    /// Bytes of memory needed to put or get a layer of `ranks` ranks and `tiers` tiers, besides the
    /// layer itself.
    #[inline]
    fn takes(&self, _layer: u32, _ranks: u64, _tiers: u64) -> u64 {
        0
    }

    /// Sets the bytes that the next put or get may take besides its layer: at least
    /// [`Store::takes`].
    #[inline]
    fn allow(&mut self, _bytes: u64) {}

    /// Number of times that [`Store::put_pieces`] goes through the codes of a layer. Reports of
    /// progress rely on it.
    #[inline]
    fn rounds(&self) -> u64 {
        1
    }

    /// Stores a finished layer. A store that takes long calls `poll`.
    ///
    /// # Errors
    /// [`Error::Store`] for any error of the storage, and the errors of `poll`. The layer is not
    /// stored then.
    fn put(&mut self, layer: &Layer, poll: &mut Poll<'_>) -> Result<(), Error>;

    /// Stores a finished layer whose codes come in pieces. `layer` has everything but them.
    ///
    /// The default collects all codes in memory.
    ///
    /// # Errors
    /// [`Error::Store`] for any error of the storage, and the errors of the codes.
    #[inline]
    fn put_pieces(&mut self, layer: &Layer, codes: &mut dyn LayerCodes) -> Result<(), Error> {
        let whole = Layer { codes: all_codes(codes)?, ..layer.clone() };
        self.put(&whole, &mut || Ok(()))
    }

    /// Returns true if an earlier run, or this one, has put the layer.
    ///
    /// # Errors
    /// Any error of the storage.
    fn has(&mut self, layer: u32) -> Result<bool, StoreError>;

    /// Reads a layer back.
    ///
    /// # Errors
    /// Any error of the storage, and if the layer was never put.
    fn get(&mut self, layer: u32) -> Result<Layer, StoreError>;
}

/// Cause of a store's failure. Its text stands alone.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// Store that keeps nothing: for solves that only count.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullStore;

impl Store for NullStore {
    #[inline]
    fn put(&mut self, _: &Layer, _: &mut Poll<'_>) -> Result<(), Error> {
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

/// Store that keeps every layer in memory: for small games and tests.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(pub Vec<Layer>);

impl Store for MemoryStore {
    #[inline]
    fn put(&mut self, layer: &Layer, poll: &mut Poll<'_>) -> Result<(), Error> {
        poll()?;
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
        kept.cloned().ok_or_else(|| format!("layer {layer} was not kept").into())
    }
}

impl MemoryStore {
    /// Returns a reader of the values. `game` must be the solved one.
    #[inline]
    pub fn with<'a>(&'a self, game: &'a PackedGame) -> impl Probe<Error = Infallible> {
        MemoryStoreReader { kept: self, game }
    }
}

/// Reads values of a game from a [`MemoryStore`].
struct MemoryStoreReader<'a> {
    kept: &'a MemoryStore,
    game: &'a PackedGame,
}

impl Probe for MemoryStoreReader<'_> {
    type Error = Infallible;

    #[inline]
    fn probe(&self, position: Packed) -> Result<Answer, Infallible> {
        if let Some(wdl) = self.game.terminal(position) {
            return Ok(Answer::Exact(Value::terminal(wdl)));
        }
        let value_at = |(tier, rank)| {
            let mut layers = self.kept.0.iter();
            layers.find_map(|layer: &Layer| layer.value(tier, rank))
        };
        let value = self.game.rank(position).and_then(value_at);
        Ok(value.map_or(Answer::Unknown, Answer::Exact))
    }
}
