//! One layer in a file: blocks, pages of the index, coder, top of the index.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::block_tiers::{BlockTiers, take_tiers};
use super::index::{BlockIndex, IndexEntry, IndexExtent};
use super::info::{LayerInfo, SectionOffsets};
use crate::address::Address;
use crate::codec::coder::{self, BlockSymbols, Coder, DecodeScratch, LayerDimensions};
use crate::error::TableError;
use crate::layout::{Layout, MAX_CHANNELS};
use crate::read_at::ReadAt;
use hindsight_engine::checkpoint::bytes::Cursor;

/// Most bytes of coder and top that are read at once, in one request to a server.
const MAX_OPENING_BYTES: u64 = 1 << 23;

/// A layer at known offsets of a file. Coder and top of the index are read on first use.
pub(crate) struct LayerFile<R> {
    reader: R,
    offsets: SectionOffsets,
    pub(crate) info: LayerInfo,
    layout: Layout,
    opened: OnceLock<OpenedLayer>,
    /// Held while coder and top are read, so that threads read them once.
    opening: Mutex<()>,
}

/// The parts of a layer that are read on first use.
pub(crate) struct OpenedLayer {
    pub(crate) index: BlockIndex,
    pub(crate) coder: Coder,
}

/// A decoded block.
pub(crate) struct DecodedBlock {
    pub(crate) tiers: BlockTiers,
    /// Rank of the first symbol in the first tier.
    pub(crate) first_rank: u64,
    ranks: u64,
    /// Symbols per rank.
    channels: usize,
    /// Symbols of the first ranks, at least up to the rank asked for; channels are interleaved.
    pub(crate) symbols: Vec<u8>,
}

/// Result of looking up an address in a decoded block.
#[derive(Clone, Copy)]
pub(crate) enum BlockLookup {
    /// The symbols of the rank, one per channel of the layout.
    Symbols([u8; MAX_CHANNELS]),
    /// The block has the address, but is not decoded that far.
    NotDecoded,
    /// The block does not have the address.
    Elsewhere,
}

impl DecodedBlock {
    /// Looks up the symbols of an address.
    pub(crate) fn lookup(&self, address: Address) -> BlockLookup {
        let Some(offset) = self.offset(address) else {
            return BlockLookup::Elsewhere;
        };
        let begin = offset as usize * self.channels;
        match self.symbols.get(begin..begin + self.channels) {
            Some(found) => {
                let mut symbols = [0; MAX_CHANNELS];
                symbols[..found.len()].copy_from_slice(found);
                BlockLookup::Symbols(symbols)
            }
            None => BlockLookup::NotDecoded,
        }
    }

    /// Ranks from the beginning of the block to an address. `None` if the block does not have it.
    fn offset(&self, address: Address) -> Option<u64> {
        let Address { tier, rank } = address;
        let i = self.tiers.binary_search_by_key(&tier, |tier| tier.0).ok()?;
        let rank = if i == 0 { rank.checked_sub(self.first_rank)? } else { rank };
        let offset = self.tiers[i].1.checked_add(rank)?;
        let end = self.tiers.get(i + 1).map_or(self.ranks, |next| next.1);
        (offset < end).then_some(offset)
    }
}

impl<R: ReadAt> LayerFile<R> {
    pub(crate) fn new(reader: R, offsets: SectionOffsets, info: LayerInfo, layout: Layout) -> Self {
        Self { reader, offsets, info, layout, opened: OnceLock::new(), opening: Mutex::new(()) }
    }

    /// Symbols per rank.
    pub(crate) fn channels(&self) -> usize {
        self.layout.channels()
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Checks that the layer has the same content as tables of `layout`.
    pub(crate) fn check_content(&self, layout: Layout) -> Result<(), TableError> {
        self.layout.check_content(layout)
    }

    /// Ranks and channels, which bound the size of the coder.
    fn dimensions(&self) -> LayerDimensions {
        LayerDimensions { ranks: self.info.ranks, channels: self.channels() }
    }

    /// Reads `length` bytes from the coder on. The header was checked, so they are in bounds.
    fn read_from_coder(&self, length: u64) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0; length as usize];
        self.reader
            .read_at(self.offsets[0], &mut bytes)
            .map_err(TableError::io("read the coder of a layer"))?;
        Ok(bytes)
    }

    /// Reads coder and top: at once if they are short and follow each other.
    fn open(&self) -> Result<OpenedLayer, TableError> {
        let [coder_offset, _, _, top_offset] = self.offsets;
        let [coder_bytes, blocks_bytes, pages_bytes, top_bytes] = self.info.sections;
        let extent = IndexExtent {
            blocks: self.info.blocks(),
            pages_bytes,
            blocks_bytes,
            max_block_bytes: self.info.max_block_bytes(self.layout),
        };
        let both = coder_bytes.saturating_add(top_bytes);
        let at_once = coder_offset + coder_bytes == top_offset && both <= MAX_OPENING_BYTES;
        let bytes = self.read_from_coder(if at_once { both } else { coder_bytes })?;
        let (coder, top) = bytes.split_at(coder_bytes as usize);
        let coder = Coder::read(coder, self.dimensions())?;
        let index = if at_once {
            BlockIndex::read(top, 0, extent)
        } else {
            BlockIndex::read(&self.reader, top_offset, extent)
        };
        let index = index?;
        Ok(OpenedLayer { index, coder })
    }

    /// Coder and index. The first call reads them.
    pub(crate) fn opened(&self) -> Result<&OpenedLayer, TableError> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = self.open()?;
        Ok(self.opened.get_or_init(|| opened))
    }

    /// Memory to read the coder besides its bytes in the file, in bytes. Reads only the first bytes
    /// of the coder.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if no coder of this layer begins with the bytes read;
    /// [`TableError::Io`] if they cannot be read.
    pub(crate) fn coder_memory(&self) -> Result<u64, TableError> {
        let length = (coder::PREFIX_BYTES as u64).min(self.info.sections[0]);
        Coder::read_memory(&self.read_from_coder(length)?, self.dimensions())
    }

    /// Memory for coder and index, in bytes. A damaged coder counts as none.
    pub(crate) fn open_memory(&self) -> Result<u64, TableError> {
        let coder = match self.coder_memory() {
            Err(error) if error.is_damage() => 0,
            bytes => bytes?,
        };
        // Its bytes, and a list that may have room for twice as many entries.
        let index = 3 * self.info.sections[3];
        Ok(self.info.sections[0] + coder + index)
    }

    /// Reads the entries of a page of the index.
    pub(crate) fn page(&self, page: usize) -> Result<Vec<IndexEntry>, TableError> {
        self.opened()?.index.page(page, &self.reader, self.offsets[2])
    }

    /// Returns the page of the index that may have the block of an address. `None` if the address
    /// is before the first block.
    pub(crate) fn page_of(&self, address: Address) -> Result<Option<usize>, TableError> {
        Ok(self.opened()?.index.page_of(address))
    }

    /// Reads the bytes of a block, and compares their checksum.
    pub(crate) fn block_bytes(&self, entry: &IndexEntry) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0; entry.length as usize];
        self.reader
            .read_at(self.offsets[1] + entry.offset, &mut bytes)
            .map_err(TableError::io("read a block"))?;
        if crc32fast::hash(&bytes) == entry.checksum {
            Ok(bytes)
        } else {
            let Address { tier, rank } = entry.first;
            Err(TableError::damaged(format!(
                "the checksum of the block from tier {tier} rank {rank} differs"
            )))
        }
    }

    /// Reads and decodes block `number`: at least up to the address `up_to`, or all of it if
    /// `None`.
    pub(crate) fn block(
        &self,
        number: u64,
        entry: &IndexEntry,
        up_to: Option<Address>,
        scratch: &mut DecodeScratch,
    ) -> Result<DecodedBlock, TableError> {
        let step = u64::from(self.info.block_ranks);
        let ranks = step.min(self.info.ranks - number * step);
        let bytes = self.block_bytes(entry)?;
        let mut cursor = Cursor::new(&bytes, "a block");
        let tiers = take_tiers(&mut cursor, entry.first.tier, ranks)?;
        let channels = self.channels();
        let mut block = DecodedBlock {
            tiers,
            first_rank: entry.first.rank,
            ranks,
            channels,
            symbols: Vec::new(),
        };
        let offset = up_to.and_then(|address| block.offset(address));
        let wanted = offset.map_or(ranks, |offset| offset + 1);
        let block_symbols = BlockSymbols {
            first: number * step * channels as u64,
            count: ranks as usize * channels,
            wanted: wanted as usize * channels,
        };
        let coder = &self.opened()?.coder;
        block.symbols = coder.decode(cursor.rest(), block_symbols, scratch)?;
        let largest = block.symbols.iter().max().copied().unwrap_or(0);
        if usize::from(largest) >= self.info.symbols.len().max(1) {
            return Err(TableError::damaged("a block has a symbol that its layer lacks"));
        }
        Ok(block)
    }
}
