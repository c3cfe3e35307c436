//! Arrangement of a layer's symbols: rank after rank, one symbol per channel.

use super::symbol::Symbol;
use crate::layout::Layout;

/// Marks a symbol that need not be stored, because the reader knows the value without it.
pub(crate) const ANY_SYMBOL: u16 = 256;

/// Symbols of a block that a model encodes, at most.
const MODEL_BLOCK: usize = 4096;

/// Channels of a layer, and the block sizes that follow from them.
///
/// A channel is the sequence of the symbols with the same index inside their rank.
#[derive(Clone, Copy)]
pub(crate) struct SymbolLayout {
    channels: usize,
}

impl SymbolLayout {
    pub(crate) const fn of(layout: Layout) -> Self {
        let channels = layout.channels();
        Self { channels }
    }

    /// Symbols per rank.
    pub(crate) const fn channels(self) -> usize {
        self.channels
    }

    /// Symbols of a block that a model encodes: [`MODEL_BLOCK`] rounded down to whole ranks.
    pub(crate) const fn model_block(self) -> usize {
        MODEL_BLOCK - MODEL_BLOCK % self.channels
    }

    /// Symbols of a block that zstd encodes, and of a run of the sample: four blocks of a model.
    pub(crate) const fn zstd_block(self) -> usize {
        4 * self.model_block()
    }

    /// Ranks of a full block that a model encodes, and of one that zstd encodes.
    pub(crate) const fn block_ranks(self) -> [u32; 2] {
        [(self.model_block() / self.channels) as u32, (self.zstd_block() / self.channels) as u32]
    }
}

/// The symbols of a layer, and their arrangement.
#[derive(Clone, Copy)]
pub(crate) struct Alphabet<'a> {
    pub(crate) symbols: &'a [Symbol],
    pub(crate) symbol_layout: SymbolLayout,
}

/// One of the channels of a layer.
#[derive(Clone, Copy)]
pub(crate) struct Channel {
    pub(crate) index: usize,
    /// Channels of the layer.
    pub(crate) count: usize,
}

impl Channel {
    /// Layout of the layer that the channel belongs to.
    pub(crate) fn symbol_layout(self) -> SymbolLayout {
        SymbolLayout { channels: self.count }
    }

    pub(crate) fn all(symbol_layout: SymbolLayout) -> impl Iterator<Item = Self> {
        let count = symbol_layout.channels;
        (0..count).map(move |index| Self { index, count })
    }
}
