//! Index of a layer's blocks: pages of entries, and a top with an entry per page.

use crate::address::Address;
use crate::error::TableError;
use crate::read_at::ReadAt;
use hindsight_engine::checkpoint::bytes::{Cursor, push_checksum, put_varint, split_checksum};

/// Entries per page. A probe reads one page.
pub(crate) const PAGE_ENTRIES: usize = 64;

/// Bytes of a page's entry in the top: address, offset of the page, offset of its first block.
const TOP_ENTRY_BYTES: usize = 32;

/// Longest page in bytes: entries of two numbers of ten bytes, one of five, and a checksum.
pub(super) const MAX_PAGE_BYTES: u64 = (PAGE_ENTRIES * 29 + 4) as u64;

/// Shortest entry in bytes: three numbers and a checksum.
pub(super) const MIN_ENTRY_BYTES: u64 = 7;

/// Bytes of the top of an index with `pages` pages.
pub(super) const fn top_bytes(pages: u64) -> u64 {
    pages * TOP_ENTRY_BYTES as u64 + 4
}

/// Sizes of a layer's index and blocks, from the header.
#[derive(Clone, Copy)]
pub(crate) struct IndexExtent {
    pub(crate) blocks: u64,
    pub(super) pages_bytes: u64,
    pub(crate) blocks_bytes: u64,
    /// Bytes of the longest possible block.
    pub(crate) max_block_bytes: u64,
}

/// Index entry of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IndexEntry {
    /// Address of the first rank.
    pub(crate) first: Address,
    /// Offset of the block from the first block, in bytes.
    pub(crate) offset: u64,
    /// Length of the block in bytes.
    pub(crate) length: u32,
    pub(crate) checksum: u32,
}

/// Collects the entries of a layer's blocks in order.
#[derive(Default)]
pub(crate) struct BlockIndexWriter {
    pages: Vec<u8>,
    top: Vec<u8>,
    /// Entries of the current page.
    open: Vec<IndexEntry>,
    offset: u64,
}

impl BlockIndexWriter {
    /// Adds the next block.
    pub(crate) fn push(&mut self, first: Address, block: &[u8]) {
        self.open.push(IndexEntry {
            first,
            offset: self.offset,
            length: block.len() as u32,
            checksum: crc32fast::hash(block),
        });
        self.offset += block.len() as u64;
        if self.open.len() == PAGE_ENTRIES {
            self.close_page();
        }
    }

    fn close_page(&mut self) {
        let Some(first) = self.open.first() else {
            return;
        };
        let begin = self.pages.len();
        let Address { tier, rank } = first.first;
        for number in [tier, rank, begin as u64, first.offset] {
            self.top.extend_from_slice(&number.to_le_bytes());
        }
        let mut previous = first.first;
        for entry in &self.open {
            let Address { tier, rank } = entry.first;
            put_varint(&mut self.pages, tier - previous.tier);
            let base = if tier == previous.tier { previous.rank } else { 0 };
            put_varint(&mut self.pages, rank - base);
            put_varint(&mut self.pages, u64::from(entry.length));
            self.pages.extend_from_slice(&entry.checksum.to_le_bytes());
            previous = entry.first;
        }
        push_checksum(&mut self.pages, begin);
        self.open.clear();
    }

    /// Returns the pages and the top.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.close_page();
        push_checksum(&mut self.top, 0);
        (self.pages, self.top)
    }
}

/// Entry of the top: a page of the index.
#[derive(Clone, Copy)]
struct IndexPage {
    /// Address of the first rank of its first block.
    first: Address,
    /// Offset from the first page, in bytes.
    offset: u64,
    /// Offset of its first block from the first block, in bytes.
    blocks_offset: u64,
}

/// Top of a layer's index.
pub(crate) struct BlockIndex {
    pages: Vec<IndexPage>,
    extent: IndexExtent,
}

/// Bytes of the top that are read at once: the top of 68 billion ranks, in one request to a server.
const TOP_CHUNK_BYTES: usize = TOP_ENTRY_BYTES << 18;

impl BlockIndex {
    /// Reads the top, which begins at offset `base`.
    ///
    /// The list of pages grows only while they are in order, so a wrong length takes no memory.
    pub(crate) fn read(
        reader: &(impl ReadAt + ?Sized),
        base: u64,
        extent: IndexExtent,
    ) -> Result<Self, TableError> {
        let subject = "the top of the index";
        let count = extent.blocks.div_ceil(PAGE_ENTRIES as u64);
        let out_of_order = || Cursor::new(&[], subject).fail("pages out of order");
        let mut checksum = crc32fast::Hasher::new();
        let mut pages: Vec<IndexPage> = Vec::new();
        let end = count * TOP_ENTRY_BYTES as u64;
        let read = |offset: u64, bytes: &mut [u8]| {
            let read = reader.read_at(base + offset, bytes);
            read.map_err(TableError::io("read the top of the index"))
        };
        let mut bytes = vec![0; TOP_CHUNK_BYTES.min(end as usize)];
        for offset in (0..end).step_by(TOP_CHUNK_BYTES) {
            bytes.truncate((end - offset) as usize);
            read(offset, &mut bytes)?;
            checksum.update(&bytes);
            let mut cursor = Cursor::new(&bytes, subject);
            for _ in 0..bytes.len() / TOP_ENTRY_BYTES {
                let page = IndexPage {
                    first: Address { tier: cursor.u64()?, rank: cursor.u64()? },
                    offset: cursor.u64()?,
                    blocks_offset: cursor.u64()?,
                };
                let follows = match pages.last() {
                    Some(last) => {
                        last.first < page.first
                            && last.offset < page.offset
                            && last.blocks_offset <= page.blocks_offset
                    }
                    None => page.offset == 0 && page.blocks_offset == 0,
                };
                let inside =
                    page.offset <= extent.pages_bytes && page.blocks_offset <= extent.blocks_bytes;
                if !follows || !inside {
                    return Err(out_of_order().into());
                }
                pages.push(page);
            }
        }
        let mut stored = [0; 4];
        read(end, &mut stored)?;
        if checksum.finalize() != u32::from_le_bytes(stored) {
            return Err(TableError::damaged(format!("the checksum of {subject} differs")));
        }
        if pages.is_empty() && (extent.pages_bytes, extent.blocks_bytes) != (0, 0) {
            return Err(out_of_order().into());
        }
        Ok(Self { pages, extent })
    }

    pub(crate) fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Reads the entries of a page, which are those of blocks `PAGE_ENTRIES * page ..`. The pages
    /// begin at offset `base`.
    pub(crate) fn page(
        &self,
        page: usize,
        reader: &impl ReadAt,
        base: u64,
    ) -> Result<Vec<IndexEntry>, TableError> {
        let IndexPage { first, offset: begin, blocks_offset } = self.pages[page];
        let (end, blocks_end) = match self.pages.get(page + 1) {
            Some(next) => (next.offset, next.blocks_offset),
            None => (self.extent.pages_bytes, self.extent.blocks_bytes),
        };
        if end - begin > MAX_PAGE_BYTES {
            return Err(TableError::damaged("a page of the index is too long"));
        }
        let mut bytes = vec![0; (end - begin) as usize];
        reader
            .read_at(base + begin, &mut bytes)
            .map_err(TableError::io("read a page of the index"))?;
        let subject = "a page of the index";
        let mut cursor = Cursor::new(split_checksum(&bytes, subject)?, subject);
        let count = (self.extent.blocks - (page * PAGE_ENTRIES) as u64).min(PAGE_ENTRIES as u64);
        let mut entries = Vec::with_capacity(count as usize);
        let (mut address, mut offset) = (first, blocks_offset);
        for i in 0..count {
            let entry = take_entry(&mut cursor, address, offset)?;
            if entry.first <= address && i > 0 || i == 0 && entry.first != first {
                return Err(cursor.fail("blocks out of order").into());
            }
            address = entry.first;
            let length = Some(u64::from(entry.length));
            offset = length
                .filter(|&length| length <= self.extent.max_block_bytes)
                .and_then(|length| offset.checked_add(length))
                .filter(|&offset| offset <= blocks_end)
                .ok_or_else(|| cursor.fail("a block is too long"))?;
            entries.push(entry);
        }
        if offset != blocks_end {
            return Err(cursor.fail("bytes between blocks").into());
        }
        cursor.end()?;
        Ok(entries)
    }

    /// Number of the page that lists the block of an address. `None` if no block has the address.
    pub(crate) fn page_of(&self, address: Address) -> Option<usize> {
        self.pages.partition_point(|page| page.first <= address).checked_sub(1)
    }
}

/// Reads an entry. `previous` is the first address of the block before, `offset` the entry's
/// offset.
fn take_entry(
    cursor: &mut Cursor<'_>,
    previous: Address,
    offset: u64,
) -> Result<IndexEntry, TableError> {
    let (tier_step, rank) = (cursor.varint()?, cursor.varint()?);
    let first = previous.tier.checked_add(tier_step).and_then(|tier| {
        let base = if tier_step == 0 { previous.rank } else { 0 };
        let rank = base.checked_add(rank)?;
        Some(Address { tier, rank })
    });
    let first = first.ok_or_else(|| cursor.fail("numbers too large"))?;
    let length = u32::try_from(cursor.varint()?).map_err(|_| cursor.fail("numbers too large"))?;
    Ok(IndexEntry { first, offset, length, checksum: cursor.u32()? })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use super::*;

    /// Bytes that note the lengths of reads.
    struct NotingReader {
        bytes: Vec<u8>,
        reads: Mutex<Vec<usize>>,
    }

    impl ReadAt for NotingReader {
        fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
            self.reads.lock().expect("no panic").push(buf.len());
            buf.copy_from_slice(&self.bytes[offset as usize..][..buf.len()]);
            Ok(())
        }

        fn len(&self) -> io::Result<u64> {
            Ok(self.bytes.len() as u64)
        }
    }

    #[test]
    fn the_top_of_a_large_layer_is_read_at_once() {
        let pages = 40_000;
        let blocks = pages * PAGE_ENTRIES as u64;
        let mut writer = BlockIndexWriter::default();
        for block in 0..blocks {
            let rank = 4096 * block;
            writer.push(Address { tier: 0, rank }, &[0]);
        }
        let (pages_bytes, top) = writer.finish();
        assert_eq!(top.len() as u64, top_bytes(pages));
        let extent = IndexExtent {
            blocks,
            pages_bytes: pages_bytes.len() as u64,
            blocks_bytes: blocks,
            max_block_bytes: 1,
        };
        let reader = NotingReader { bytes: [pages_bytes, top].concat(), reads: Mutex::default() };
        let index = BlockIndex::read(&reader, extent.pages_bytes, extent);
        let index = index.unwrap_or_else(|error| panic!("{error}"));
        let page = index.page(39_999, &reader, 0);
        let page = page.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(page[63].first.rank, 4096 * (blocks - 1));
        let reads = reader.reads.into_inner().expect("no panic");
        assert_eq!(reads.len(), 3, "top, checksum, page: {reads:?}");
    }
}
