//! The ordinals of a layer, and pieces of its codes.

use std::ops::Range;

use hindsight_core::{Game, PackedGame, Ranked, Tiers, Value};
use hindsight_engine::Layer;

use crate::address::Address;
use crate::error::TableError;
use crate::layout::Layout;
use crate::symbols::ordinals::{TierPiece, TierStarts, layer_shape, ordinal_runs, tier_pieces};
use crate::symbols::symbol::is_storable;
use crate::symbols::symbol_layout::SymbolLayout;

/// Ranks of a run: the largest block of a table of positions. The last run of a layer may be
/// shorter.
pub const RUN_RANKS: u64 = SymbolLayout::of(Layout::Full).block_ranks()[1] as u64;

/// Tiers of a layer, compared with those of the game.
#[derive(Clone, Copy)]
pub struct LayerShape<'a> {
    pub(super) game: &'a PackedGame,
    layer: &'a Layer,
}

impl<'a> LayerShape<'a> {
    /// Takes the tiers of a layer, and where each of them starts. The codes and the palette do not
    /// matter and may be empty, as [`Layer::without_codes`] makes them.
    ///
    /// # Errors
    /// [`TableError::Unfit`] if the game has no such layer, or other tiers in it.
    pub fn new(game: &'a PackedGame, layer: &'a Layer) -> Result<Self, TableError> {
        let shape = Self::trusted(game, layer);
        if layer.layer >= game.layers() {
            return Err(shape.unfit_error("there is no such layer"));
        }
        let expected = layer_shape(game, layer.layer)?;
        if expected.tiers != layer.tiers || expected.starts != layer.starts {
            return Err(shape.unfit_error("its tiers are others"));
        }
        Ok(shape)
    }

    /// As [`LayerShape::new`], for a layer that was made by the game's tiers.
    pub(crate) fn trusted(game: &'a PackedGame, layer: &'a Layer) -> Self {
        Self { game, layer }
    }

    /// Number of ranks in the layer, holes included.
    pub fn ranks(&self) -> u64 {
        self.layer.starts.last().copied().unwrap_or(0)
    }

    /// Number of runs in the layer.
    pub fn runs(&self) -> u64 {
        self.ranks().div_ceil(RUN_RANKS)
    }

    /// Ordinals of a run. Empty if the layer has no such run.
    pub fn run(&self, run: u64) -> Range<u64> {
        if run < self.runs() { ordinal_runs(self.ranks(), RUN_RANKS)(run) } else { 0..0 }
    }

    pub(crate) fn whole(&self) -> LayerPiece<'a> {
        LayerPiece { first: 0, codes: &self.layer.codes, palette: &self.layer.palette }
    }

    pub(crate) fn layer(&self) -> u32 {
        self.layer.layer
    }

    pub(super) fn tiers(&self) -> u64 {
        self.layer.tiers.len() as u64
    }

    /// Cuts a range of ordinals at the borders of tiers.
    pub(crate) fn tier_pieces(&self, ordinals: Range<u64>) -> impl Iterator<Item = TierPiece> + 'a {
        tier_pieces(TierStarts::of(self.layer), ordinals)
    }

    /// Tiers that have ranks, ascending.
    pub(super) fn tiers_with_ranks(&self) -> impl Iterator<Item = u64> + 'a {
        let lengths = self.layer.tiers.iter().zip(self.layer.starts.windows(2));
        lengths.filter_map(|(&tier, ends)| (ends[0] < ends[1]).then_some(tier))
    }

    /// Address of an ordinal. `None` if the layer has no such ordinal.
    pub(crate) fn address(&self, ordinal: u64) -> Option<Address> {
        let mut pieces = self.tier_pieces(ordinal..ordinal.checked_add(1)?);
        pieces.next().map(|piece| piece.address(piece.rank))
    }

    /// Ordinal and address of the game's start, if it belongs to the layer.
    pub(super) fn start(&self) -> Option<(u64, Address)> {
        let (tier, rank) = self.game.rank(self.game.start())?;
        let i = self.layer.tiers.binary_search(&tier).ok()?;
        let ordinal = self.layer.starts[i].checked_add(rank)?;
        (ordinal < self.layer.starts[i + 1]).then_some((ordinal, Address { tier, rank }))
    }

    pub(super) fn unfit_error(&self, reason: &'static str) -> TableError {
        let layer = self.layer.layer;
        TableError::Unfit { layer, reason }
    }
}

/// Codes of consecutive ordinals of a layer, with the meaning of the codes.
///
/// The same value may have other codes in other pieces, and several codes in the same piece.
#[derive(Clone, Copy, Debug)]
pub struct LayerPiece<'a> {
    /// Ordinal of the first code.
    pub first: u64,
    /// Indices into the palette.
    pub codes: &'a [u8],
    /// Meaning of the codes; `None` marks a hole, as does a code beyond the palette.
    pub palette: &'a [Option<Value>],
}

impl LayerPiece<'_> {
    /// Checks that the ordinals belong to the layer, and that the values can be stored.
    ///
    /// # Errors
    /// [`TableError::Unfit`] if not.
    pub(crate) fn check(&self, shape: &LayerShape<'_>) -> Result<(), TableError> {
        let end = self.first.checked_add(self.codes.len() as u64);
        if end.is_none_or(|end| end > shape.ranks()) {
            return Err(shape.unfit_error("it has too few codes, or too many"));
        }
        if self.palette.len() > 256 {
            return Err(shape.unfit_error("it has more than 256 codes"));
        }
        if !self.palette.iter().flatten().copied().all(is_storable) {
            return Err(shape.unfit_error("it has a value of more than 65,534 plies"));
        }
        Ok(())
    }

    /// Number of the run that the piece consists of.
    ///
    /// # Errors
    /// [`TableError::Unfit`] if the piece is not exactly one run.
    pub(super) fn run(&self, shape: &LayerShape<'_>) -> Result<u64, TableError> {
        self.check(shape)?;
        let run = self.first / RUN_RANKS;
        if self.ordinals() == shape.run(run) && !self.codes.is_empty() {
            Ok(run)
        } else {
            Err(shape.unfit_error("a piece to be encoded is not one run"))
        }
    }

    pub(crate) fn ordinals(&self) -> Range<u64> {
        self.first..self.first + self.codes.len() as u64
    }

    /// Codes of some of the piece's ordinals.
    pub(crate) fn part(&self, ordinals: Range<u64>) -> Self {
        let begin = (ordinals.start - self.first) as usize;
        let end = (ordinals.end - self.first) as usize;
        Self { first: ordinals.start, codes: &self.codes[begin..end], palette: self.palette }
    }

    pub(crate) fn value(&self, code: u8) -> Option<Value> {
        self.palette.get(usize::from(code)).copied().flatten()
    }
}
