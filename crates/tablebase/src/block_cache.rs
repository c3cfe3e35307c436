//! Symbols by their places, with the blocks that were decoded last.

use std::sync::{Mutex, PoisonError};

use crate::coder::DecodeScratch;
use crate::index::Address;
use crate::info::Symbol;
use crate::layer_file::{BlockLookup, DecodedBlock, LayerFile};
use crate::layout::MAX_CHANNELS;
use crate::read_at::ReadAt;
use crate::{Table, TableError};

/// Decoded blocks that are kept.
const MAX_RECENT: usize = 64;

/// Reads symbols of a table, block by block.
pub(crate) struct BlockCache<'a, R> {
    pub(crate) table: &'a Table<R>,
    recent: Mutex<RecentBlocks>,
}

/// The blocks decoded last.
#[derive(Default)]
struct RecentBlocks {
    blocks: Vec<(u32, DecodedBlock)>,
    /// The one to be replaced next.
    next: usize,
    scratch: Option<DecodeScratch>,
}

impl<'a, R: ReadAt> BlockCache<'a, R> {
    pub(crate) fn new(table: &'a Table<R>) -> Self {
        Self {
            table,
            recent: Mutex::new(RecentBlocks::default()),
        }
    }

    /// The symbols at a place, as many as its layout has, the others as the first; `None` where the table
    /// has no such place.
    pub(crate) fn symbols(
        &self,
        place: Address,
    ) -> Result<Option<[Symbol; MAX_CHANNELS]>, TableError> {
        let Some(layer) = self.table.layer_of_tier(place.0) else {
            return Ok(None);
        };
        let file = self.table.layer(layer)?;
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match recent.lookup(layer, place) {
            BlockLookup::Symbols(symbols) => symbols,
            looked => match recent.read((layer, file), place, looked)? {
                Some(symbols) => symbols,
                None => return Ok(None),
            },
        };
        let symbol = |plane: usize| {
            let plane = if plane < file.channels() { plane } else { 0 };
            let symbol = file.info.symbols.get(usize::from(found[plane])).copied();
            symbol.ok_or_else(|| TableError::damaged("a block has a symbol that its layer lacks"))
        };
        Ok(Some([symbol(0)?, symbol(1)?, symbol(2)?]))
    }
}

impl RecentBlocks {
    fn lookup(&self, layer: u32, place: Address) -> BlockLookup {
        let mut found = BlockLookup::Elsewhere;
        for (_, block) in self.blocks.iter().filter(|(of, _)| *of == layer) {
            match block.lookup(place) {
                BlockLookup::Elsewhere => {}
                BlockLookup::NotDecoded => found = BlockLookup::NotDecoded,
                symbols => return symbols,
            }
        }
        found
    }

    /// Reads the block of a place and keeps it.
    fn read<R: ReadAt>(
        &mut self,
        (layer, file): (u32, &LayerFile<R>),
        place: Address,
        looked: BlockLookup,
    ) -> Result<Option<[u8; MAX_CHANNELS]>, TableError> {
        let Some((number, entry)) = file.find_entry(place)? else {
            return Ok(None);
        };
        let mut scratch = match self.scratch.take() {
            Some(scratch) => scratch,
            None => DecodeScratch::new()?,
        };
        // Who comes back for more gets all of it.
        let up_to = match looked {
            BlockLookup::NotDecoded => None,
            _ => Some(place),
        };
        let block = file.block((number, &entry), up_to, &mut scratch)?;
        self.scratch = Some(scratch);
        let looked = block.lookup(place);
        self.keep(layer, block);
        match looked {
            BlockLookup::Symbols(symbols) => Ok(Some(symbols)),
            _ => Ok(None),
        }
    }

    fn keep(&mut self, layer: u32, block: DecodedBlock) {
        if self.blocks.len() < MAX_RECENT {
            self.blocks.push((layer, block));
        } else {
            self.blocks[self.next] = (layer, block);
            self.next = (self.next + 1) % MAX_RECENT;
        }
    }
}
