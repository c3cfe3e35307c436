//! How the symbols of a layer lie.

use crate::info::Symbol;
use crate::layout::Layout;

/// Symbols of a block that a model writes, at most.
const MODEL_BLOCK: usize = 4096;

/// How many symbols a rank has, and a block.
#[derive(Clone, Copy)]
pub(crate) struct SymbolLayout {
    channels: usize,
}

impl SymbolLayout {
    pub(crate) const fn of(layout: Layout) -> Self {
        let planes = layout.channels();
        Self { channels: planes }
    }

    /// The symbols of a rank.
    pub(crate) const fn channels(self) -> usize {
        self.channels
    }

    /// The symbols of a block that a model writes: whole ranks.
    pub(crate) const fn model_block(self) -> usize {
        MODEL_BLOCK - MODEL_BLOCK % self.channels
    }

    /// The symbols of a block that zstd writes, and of a part of a sample: four blocks of a model.
    pub(crate) const fn zstd_block(self) -> usize {
        4 * self.model_block()
    }

    /// The most ranks of a block: of one that a model writes, or zstd.
    pub(crate) const fn block_ranks(self) -> [u32; 2] {
        [
            (self.model_block() / self.channels) as u32,
            (self.zstd_block() / self.channels) as u32,
        ]
    }
}

/// The symbols of a layer, and how they lie.
#[derive(Clone, Copy)]
pub(crate) struct Alphabet<'a> {
    pub(crate) symbols: &'a [Symbol],
    pub(crate) symbol_layout: SymbolLayout,
}

/// The symbols that a model is of: one of each rank.
#[derive(Clone, Copy)]
pub(crate) struct Channel {
    pub(crate) index: usize,
    pub(crate) count: usize,
}

impl Channel {
    /// Whether it has the symbol at a place in a block.
    pub(crate) fn contains(self, i: usize) -> bool {
        self.count == 1 || i % self.count == self.index
    }

    /// The grain that it is a part of.
    pub(crate) fn symbol_layout(self) -> SymbolLayout {
        SymbolLayout {
            channels: self.count,
        }
    }

    /// Those of all symbols of a rank.
    pub(crate) fn all(grain: SymbolLayout) -> impl Iterator<Item = Self> {
        let planes = grain.channels;
        (0..planes).map(move |plane| Self {
            index: plane,
            count: planes,
        })
    }
}
