//! Stores of finished work: those of a folder, and their stand-in before the folder is made.

use hindsight_engine::{Error, Layer, NullStore, Poll, StateTierStore, Store, StoreError};
use hindsight_tablebase::{Layout, write_layer_memory};

/// Stores of finished work in a folder.
pub(crate) enum Stores<'a> {
    /// None: the game has no tables.
    Nothing,
    /// Store of layers of positions.
    Layers(Box<dyn Store + 'a>),
    /// Store of tiers of states.
    States(Box<dyn StateTierStore + 'a>),
}

/// Stand-in for a store of files that does not exist yet: it knows the memory that writing takes.
pub(crate) struct PlannedStore {
    layout: Layout,
}

impl PlannedStore {
    pub(crate) fn new(layout: Layout) -> Self {
        Self { layout }
    }
}

impl Store for PlannedStore {
    fn takes(&self, _: u32, ranks: u64, tiers: u64) -> u64 {
        let threads = rayon::current_num_threads();
        write_layer_memory(ranks, tiers, self.layout, threads)
    }

    fn put(&mut self, layer: &Layer, poll: &mut Poll<'_>) -> Result<(), Error> {
        Store::put(&mut NullStore, layer, poll)
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        NullStore.has(layer)
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        NullStore.get(layer)
    }
}
