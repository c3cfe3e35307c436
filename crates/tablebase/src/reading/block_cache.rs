//! Symbols by address, from the blocks decoded last.

use std::sync::{Arc, Mutex, PoisonError};

use super::kept_blocks::KeptTable;
use super::table::Table;
use crate::address::Address;
use crate::codec::coder::DecodeScratch;
use crate::error::TableError;
use crate::format::index::{IndexEntry, PAGE_ENTRIES};
use crate::format::layer_file::{BlockLookup, DecodedBlock, LayerFile};
use crate::layout::MAX_CHANNELS;
use crate::read_at::ReadAt;
use crate::symbols::symbol::Symbol;

/// Most decoded blocks in the cache.
const MAX_RECENT: usize = 64;

/// Reads symbols of a table, block by block.
pub(crate) struct BlockCache<'a, R> {
    pub(crate) table: &'a Table<R>,
    recent: Mutex<RecentBlocks>,
}

/// The blocks decoded last.
#[derive(Default)]
struct RecentBlocks {
    blocks: Vec<(u32, Arc<DecodedBlock>)>,
    /// Index of the block to be replaced next.
    next: usize,
    scratch: Option<DecodeScratch>,
}

impl<'a, R: ReadAt> BlockCache<'a, R> {
    pub(crate) fn new(table: &'a Table<R>) -> Self {
        Self { table, recent: Mutex::new(RecentBlocks::default()) }
    }

    /// Returns the symbols at an address, one per channel; missing channels repeat the first.
    /// `None` if the address is in no block.
    pub(crate) fn symbols(
        &self,
        address: Address,
    ) -> Result<Option<[Symbol; MAX_CHANNELS]>, TableError> {
        let Some(layer) = self.table.layer_of_tier(address.tier) else {
            return Ok(None);
        };
        let file = self.table.layer(layer)?;
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let indices = match recent.lookup(layer, address) {
            BlockLookup::Symbols(symbols) => symbols,
            lookup => match recent.read(self.table, layer, address, lookup)? {
                Some(symbols) => symbols,
                None => return Ok(None),
            },
        };
        let symbol = |channel: usize| {
            let channel = if channel < file.channels() { channel } else { 0 };
            let symbol = file.info.symbols.get(usize::from(indices[channel])).copied();
            symbol.ok_or_else(|| TableError::damaged("a block has a symbol that its layer lacks"))
        };
        Ok(Some([symbol(0)?, symbol(1)?, symbol(2)?]))
    }
}

impl RecentBlocks {
    fn lookup(&self, layer: u32, address: Address) -> BlockLookup {
        let mut result = BlockLookup::Elsewhere;
        for (_, block) in self.blocks.iter().filter(|(number, _)| *number == layer) {
            match block.lookup(address) {
                BlockLookup::Elsewhere => {}
                BlockLookup::NotDecoded => result = BlockLookup::NotDecoded,
                symbols => return symbols,
            }
        }
        result
    }

    /// Reads the block of an address and keeps it.
    fn read<R: ReadAt>(
        &mut self,
        table: &Table<R>,
        layer: u32,
        address: Address,
        mut lookup: BlockLookup,
    ) -> Result<Option<[u8; MAX_CHANNELS]>, TableError> {
        let (file, kept) = (table.layer(layer)?, table.kept_blocks());
        let Some((number, entry)) = find_entry(file, kept, layer, address)? else {
            return Ok(None);
        };
        if let Some(block) = kept.and_then(|kept| kept.block(layer, number)) {
            lookup = block.lookup(address);
            if let BlockLookup::Symbols(symbols) = lookup {
                self.keep(layer, block);
                return Ok(Some(symbols));
            }
        }
        let mut scratch = match self.scratch.take() {
            Some(scratch) => scratch,
            None => DecodeScratch::new()?,
        };
        // A second look-up in a block that is decoded in part decodes all of it.
        let up_to = match lookup {
            BlockLookup::NotDecoded => None,
            _ => Some(address),
        };
        let block = Arc::new(file.block(number, &entry, up_to, &mut scratch)?);
        self.scratch = Some(scratch);
        if let Some(kept) = kept {
            kept.keep_block(layer, number, &block);
        }
        let lookup = block.lookup(address);
        self.keep(layer, block);
        match lookup {
            BlockLookup::Symbols(symbols) => Ok(Some(symbols)),
            _ => Ok(None),
        }
    }

    fn keep(&mut self, layer: u32, block: Arc<DecodedBlock>) {
        if self.blocks.len() < MAX_RECENT {
            self.blocks.push((layer, block));
        } else {
            self.blocks[self.next] = (layer, block);
            self.next = (self.next + 1) % MAX_RECENT;
        }
    }
}

/// Returns number and entry of the block that may contain an address, by a kept page of the index
/// if there is one. `None` if the address is before the first block.
fn find_entry<R: ReadAt>(
    file: &LayerFile<R>,
    kept: Option<&KeptTable>,
    layer: u32,
    address: Address,
) -> Result<Option<(u64, IndexEntry)>, TableError> {
    let Some(page) = file.page_of(address)? else {
        return Ok(None);
    };
    let entries = match kept.and_then(|kept| kept.page(layer, page)) {
        Some(entries) => entries,
        None => {
            let entries = Arc::new(file.page(page)?);
            if let Some(kept) = kept {
                kept.keep_page(layer, page, &entries);
            }
            entries
        }
    };
    let i = entries.partition_point(|entry| entry.first <= address);
    let entry = i.checked_sub(1);
    Ok(entry.map(|i| ((page * PAGE_ENTRIES + i) as u64, entries[i])))
}
