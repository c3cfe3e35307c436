//! Decoded blocks that all readers of some tables share.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Weighter};

use crate::format::index::{IndexEntry, PAGE_ENTRIES};
use crate::format::layer_file::DecodedBlock;

/// Part of the memory for pages of the index.
const PAGES_DIVISOR: u64 = 8;

/// Bytes of a block without its symbols, or of a page without its entries.
const OVERHEAD_BYTES: u64 = 128;

/// Decoded blocks and pages of the index of some tables, within an amount of memory: those that
/// were seldom asked for make room. Readers of a table that
/// [keeps blocks](crate::Table::keep_blocks) find them here.
pub struct KeptBlocks {
    blocks: Cache<BlockKey, Arc<DecodedBlock>, PartWeight>,
    pages: Cache<BlockKey, Arc<Vec<IndexEntry>>, PartWeight>,
    tables: AtomicU32,
}

/// Block or page of a layer of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct BlockKey {
    table: u32,
    layer: u32,
    number: u64,
}

/// Weight of a block or a page: its bytes.
#[derive(Clone)]
struct PartWeight;

impl Weighter<BlockKey, Arc<DecodedBlock>> for PartWeight {
    fn weight(&self, _: &BlockKey, block: &Arc<DecodedBlock>) -> u64 {
        let tiers = size_of_val(&*block.tiers);
        (block.symbols.len() + tiers) as u64 + OVERHEAD_BYTES
    }
}

impl Weighter<BlockKey, Arc<Vec<IndexEntry>>> for PartWeight {
    fn weight(&self, _: &BlockKey, entries: &Arc<Vec<IndexEntry>>) -> u64 {
        size_of_val(&entries[..]) as u64 + OVERHEAD_BYTES
    }
}

impl KeptBlocks {
    /// Returns an empty store of at most `bytes` bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Arc<Self> {
        let page_bytes = bytes / PAGES_DIVISOR;
        let block_bytes = bytes - page_bytes;
        // Rough numbers, by which the stores are divided into parts.
        let pages = page_bytes / (PAGE_ENTRIES * size_of::<IndexEntry>()) as u64;
        let blocks = block_bytes / (1 << 12);
        let hash = DefaultHashBuilder::default;
        let (blocks, pages) = (blocks as usize, pages as usize);
        Arc::new(Self {
            blocks: Cache::with(blocks, block_bytes, PartWeight, hash(), Default::default()),
            pages: Cache::with(pages, page_bytes, PartWeight, hash(), Default::default()),
            tables: AtomicU32::new(0),
        })
    }
}

impl fmt::Debug for KeptBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptBlocks")
            .field("blocks", &self.blocks.len())
            .field("pages", &self.pages.len())
            .finish_non_exhaustive()
    }
}

/// The blocks of one table in a store.
#[derive(Clone, Debug)]
pub(crate) struct KeptTable {
    store: Arc<KeptBlocks>,
    table: u32,
}

impl KeptTable {
    /// Returns the place of a new table.
    pub(crate) fn new(store: &Arc<KeptBlocks>) -> Self {
        Self { table: store.tables.fetch_add(1, Ordering::Relaxed), store: store.clone() }
    }

    fn key(&self, layer: u32, number: u64) -> BlockKey {
        BlockKey { table: self.table, layer, number }
    }

    pub(crate) fn block(&self, layer: u32, number: u64) -> Option<Arc<DecodedBlock>> {
        self.store.blocks.get(&self.key(layer, number))
    }

    pub(super) fn keep_block(&self, layer: u32, number: u64, block: &Arc<DecodedBlock>) {
        let key = self.key(layer, number);
        self.store.blocks.insert(key, block.clone());
    }

    pub(crate) fn page(&self, layer: u32, page: usize) -> Option<Arc<Vec<IndexEntry>>> {
        self.store.pages.get(&self.key(layer, page as u64))
    }

    pub(super) fn keep_page(&self, layer: u32, page: usize, entries: &Arc<Vec<IndexEntry>>) {
        let key = self.key(layer, page as u64);
        self.store.pages.insert(key, entries.clone());
    }
}
