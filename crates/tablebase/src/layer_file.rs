//! One layer as it lies in a file: coder, blocks, pages of the index, top.

use std::sync::OnceLock;

use crate::TableError;
use crate::block_tiers::{BlockTiers, take_tiers};
use crate::bytes::Cursor;
use crate::coder::{self, Coder, DecodeScratch};
use crate::index::{Address, BlockIndex, IndexEntry, IndexExtent, PAGE_ENTRIES};
use crate::info::LayerInfo;
use crate::layout::{Layout, MAX_CHANNELS};
use crate::read_at::ReadAt;

/// A layer, its place in the file known, its index not yet read.
pub(crate) struct LayerFile<R> {
    reader: R,
    base: u64,
    pub(crate) info: LayerInfo,
    layout: Layout,
    opened: OnceLock<OpenedLayer>,
}

/// What is read when a layer is first used.
pub(crate) struct OpenedLayer {
    pub(crate) index: BlockIndex,
    pub(crate) coder: Coder,
}

/// The symbols of a block, and which ranks they are of.
pub(crate) struct DecodedBlock {
    pub(crate) tiers: BlockTiers,
    /// The rank of the first symbol in the first tier.
    pub(crate) first_rank: u64,
    /// How many ranks the block has.
    ranks: u64,
    /// The symbols of a rank.
    channels: usize,
    /// The symbols of all ranks, or of the first; those of a rank follow each other.
    pub(crate) symbols: Vec<u8>,
}

/// What a block knows of a place.
#[derive(Clone, Copy)]
pub(crate) enum BlockLookup {
    /// The symbols of the rank, as many as its layout has.
    Symbols([u8; MAX_CHANNELS]),
    /// The block has it, but it is not decoded so far.
    NotDecoded,
    /// It is not of this block.
    Elsewhere,
}

impl DecodedBlock {
    /// The symbols of a place.
    pub(crate) fn lookup(&self, place: Address) -> BlockLookup {
        let Some(at) = self.offset(place) else {
            return BlockLookup::Elsewhere;
        };
        let begin = at as usize * self.channels;
        match self.symbols.get(begin..begin + self.channels) {
            Some(found) => {
                let mut symbols = [0; MAX_CHANNELS];
                symbols[..found.len()].copy_from_slice(found);
                BlockLookup::Symbols(symbols)
            }
            None => BlockLookup::NotDecoded,
        }
    }

    /// How far from the beginning of the block a place is, if the block has it.
    fn offset(&self, (tier, rank): Address) -> Option<u64> {
        let i = self.tiers.binary_search_by_key(&tier, |tier| tier.0).ok()?;
        let rank = if i == 0 {
            rank.checked_sub(self.first_rank)?
        } else {
            rank
        };
        let at = self.tiers[i].1.checked_add(rank)?;
        let end = self.tiers.get(i + 1).map_or(self.ranks, |next| next.1);
        (at < end).then_some(at)
    }
}

impl<R: ReadAt> LayerFile<R> {
    pub(crate) fn new(reader: R, base: u64, info: LayerInfo, layout: Layout) -> Self {
        Self {
            reader,
            base,
            info,
            layout,
            opened: OnceLock::new(),
        }
    }

    /// The symbols of a rank.
    pub(crate) fn channels(&self) -> usize {
        self.layout.channels()
    }

    /// What the layer keeps.
    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Fails if the layer keeps something else.
    pub(crate) fn check_content(&self, layout: Layout) -> Result<(), TableError> {
        self.layout.check_content(layout)
    }

    /// Where a section begins.
    fn section_offset(&self, i: usize) -> u64 {
        self.base + self.info.sections[..i].iter().sum::<u64>()
    }

    /// Bytes of the coder. Their number was checked against the file's length and against what a coder takes.
    fn coder_section(&self) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0; self.info.sections[0] as usize];
        self.reader
            .read_at(self.section_offset(0), &mut bytes)
            .map_err(TableError::io("read the coder of a layer"))?;
        Ok(bytes)
    }

    /// The index and the coder, read at the first call.
    pub(crate) fn opened(&self) -> Result<&OpenedLayer, TableError> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let coder = Coder::read(&self.coder_section()?, (self.info.ranks, self.channels()))?;
        let extent = IndexExtent {
            blocks: self.info.blocks(),
            ends: (self.info.sections[2], self.info.sections[1]),
            max_block_bytes: self.info.max_block_bytes(self.layout),
        };
        let index = BlockIndex::read(&self.reader, self.section_offset(3), extent)?;
        Ok(self.opened.get_or_init(|| OpenedLayer { index, coder }))
    }

    /// Bytes of memory for the coder, as its first bytes tell.
    ///
    /// # Errors
    /// When these are damaged, or cannot be read.
    pub(crate) fn coder_memory(&self) -> Result<u64, TableError> {
        let mut begin = vec![0; (self.info.sections[0] as usize).min(coder::PREFIX_BYTES)];
        self.reader
            .read_at(self.section_offset(0), &mut begin)
            .map_err(TableError::io("read the coder of a layer"))?;
        Coder::bytes_to_read(&begin, (self.info.ranks, self.channels()))
    }

    /// Bytes of memory for the coder and the index: those of a layer that is decoded. A damaged coder takes
    /// none.
    pub(crate) fn open_memory(&self) -> Result<u64, TableError> {
        let of_coder = match self.coder_memory() {
            Err(error) if error.is_damage() => 0,
            bytes => bytes?,
        };
        let of_index = 2 * self.info.sections[3];
        Ok(self.info.sections[0] + of_coder + of_index)
    }

    /// The entries of a page, and the number of its first block.
    pub(crate) fn page(&self, page: usize) -> Result<Vec<IndexEntry>, TableError> {
        self.opened()?
            .index
            .page(page, &self.reader, self.section_offset(2))
    }

    /// The number and entry of the block that has a place, if any has.
    pub(crate) fn find_entry(
        &self,
        place: Address,
    ) -> Result<Option<(u64, IndexEntry)>, TableError> {
        let Some(page) = self.opened()?.index.page_of(place) else {
            return Ok(None);
        };
        let entries = self.page(page)?;
        let i = entries.partition_point(|entry| entry.first <= place);
        let entry = i
            .checked_sub(1)
            .map(|i| ((page * PAGE_ENTRIES + i) as u64, entries[i]));
        Ok(entry)
    }

    /// The bytes of a block, their checksum compared.
    pub(crate) fn block_bytes(&self, entry: &IndexEntry) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0; entry.length as usize];
        self.reader
            .read_at(self.section_offset(1) + entry.offset, &mut bytes)
            .map_err(TableError::io("read a block"))?;
        if crc32fast::hash(&bytes) == entry.checksum {
            Ok(bytes)
        } else {
            let (tier, rank) = entry.first;
            Err(TableError::damaged(format!(
                "the checksum of the block from tier {tier} rank {rank} differs"
            )))
        }
    }

    /// Reads and decodes a block: all of it, or at least up to a place.
    pub(crate) fn block(
        &self,
        (number, entry): (u64, &IndexEntry),
        up_to: Option<Address>,
        scratch: &mut DecodeScratch,
    ) -> Result<DecodedBlock, TableError> {
        let step = u64::from(self.info.block_ranks);
        let ranks = step.min(self.info.ranks - number * step);
        let bytes = self.block_bytes(entry)?;
        let mut cursor = Cursor::new(&bytes, "a block");
        let tiers = take_tiers(&mut cursor, entry.first.0, ranks)?;
        let mut block = DecodedBlock {
            tiers,
            first_rank: entry.first.1,
            ranks,
            channels: self.channels(),
            symbols: Vec::new(),
        };
        let offset = up_to.and_then(|place| block.offset(place));
        let wanted = offset.map_or(ranks, |offset| offset + 1);
        let planes = self.channels();
        let sizes = [ranks, wanted].map(|ranks| ranks as usize * planes);
        let first = number * step * planes as u64;
        let coder = &self.opened()?.coder;
        block.symbols = coder.decode(cursor.rest(), first, sizes.into(), scratch)?;
        let symbols = &block.symbols;
        let most = symbols.iter().max().copied().unwrap_or(0);
        if usize::from(most) >= self.info.symbols.len().max(1) {
            return Err(TableError::damaged(
                "a block has a symbol that its layer lacks",
            ));
        }
        Ok(block)
    }
}
