//! How the symbols of a layer lie.

use crate::info::Symbol;
use crate::layout::Layout;

/// Symbols of a block that a model writes, at most.
const BLOCK: usize = 4096;

/// How many symbols a rank has, and a block.
#[derive(Clone, Copy)]
pub(crate) struct Grain {
    planes: usize,
}

impl Grain {
    pub(crate) const fn of(layout: Layout) -> Self {
        let planes = layout.planes();
        Self { planes }
    }

    /// The symbols of a rank.
    pub(crate) const fn planes(self) -> usize {
        self.planes
    }

    /// The symbols of a block that a model writes: whole ranks.
    pub(crate) const fn block(self) -> usize {
        BLOCK - BLOCK % self.planes
    }

    /// The symbols of a block that zstd writes, and of a part of a sample: four blocks of a model.
    pub(crate) const fn unit(self) -> usize {
        4 * self.block()
    }

    /// The most ranks of a block: of one that a model writes, or zstd.
    pub(crate) const fn block_ranks(self) -> [u32; 2] {
        [
            (self.block() / self.planes) as u32,
            (self.unit() / self.planes) as u32,
        ]
    }
}

/// The symbols of a layer, and how they lie.
#[derive(Clone, Copy)]
pub(crate) struct Alphabet<'a> {
    pub(crate) symbols: &'a [Symbol],
    pub(crate) grain: Grain,
}

/// The symbols that a model is of: one of each rank.
#[derive(Clone, Copy)]
pub(crate) struct Plane {
    pub(crate) plane: usize,
    pub(crate) planes: usize,
}

impl Plane {
    /// Whether it has the symbol at a place in a block.
    pub(crate) fn has(self, i: usize) -> bool {
        self.planes == 1 || i % self.planes == self.plane
    }

    /// The grain that it is a part of.
    pub(crate) fn grain(self) -> Grain {
        Grain {
            planes: self.planes,
        }
    }

    /// Those of all symbols of a rank.
    pub(crate) fn all(grain: Grain) -> impl Iterator<Item = Self> {
        let planes = grain.planes;
        (0..planes).map(move |plane| Self { plane, planes })
    }
}
