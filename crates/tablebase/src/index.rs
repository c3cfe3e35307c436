//! Where each block lies: pages of entries, and a top that says where each page lies.

use crate::TableError;
use crate::bytes::{Cursor, push_checksum, put_varint, split_checksum};
use crate::read_at::ReadAt;

/// Entries of a page. A probe reads one page.
pub(crate) const PAGE_ENTRIES: usize = 64;

/// Bytes of a page's entry in the top.
const TOP_ENTRY_BYTES: usize = 32;

/// The longest page: entries of two numbers of ten bytes, one of five, and a checksum.
pub(crate) const MAX_PAGE_BYTES: u64 = (PAGE_ENTRIES * 29 + 4) as u64;

/// Bytes of the shortest entry: three numbers and a checksum.
pub(crate) const MIN_ENTRY_BYTES: u64 = 7;

/// Bytes of the top for so many pages.
pub(crate) const fn top_bytes(pages: u64) -> u64 {
    pages * TOP_ENTRY_BYTES as u64 + 4
}

/// A layer's blocks, as the header has them.
#[derive(Clone, Copy)]
pub(crate) struct IndexExtent {
    /// Their number.
    pub(crate) blocks: u64,
    /// Bytes of all pages, and of all blocks.
    pub(crate) ends: (u64, u64),
    /// Bytes of the longest block.
    pub(crate) max_block_bytes: u64,
}

/// A tier and a rank in it.
pub(crate) type Address = (u64, u64);

/// A block as the index knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IndexEntry {
    /// Its first tier and rank.
    pub(crate) first: Address,
    /// Where it begins, counted from the first block.
    pub(crate) offset: u64,
    /// Its bytes.
    pub(crate) length: u32,
    /// Their checksum.
    pub(crate) checksum: u32,
}

/// Collects the entries of a layer's blocks in their order.
#[derive(Default)]
pub(crate) struct BlockIndexWriter {
    pages: Vec<u8>,
    top: Vec<u8>,
    open: Vec<IndexEntry>,
    offset: u64,
}

impl BlockIndexWriter {
    /// Takes the next block.
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
        for n in [first.first.0, first.first.1, begin as u64, first.offset] {
            self.top.extend_from_slice(&n.to_le_bytes());
        }
        let mut last = first.first;
        for entry in &self.open {
            put_varint(&mut self.pages, entry.first.0 - last.0);
            let rank = if entry.first.0 == last.0 {
                entry.first.1 - last.1
            } else {
                entry.first.1
            };
            put_varint(&mut self.pages, rank);
            put_varint(&mut self.pages, u64::from(entry.length));
            self.pages.extend_from_slice(&entry.checksum.to_le_bytes());
            last = entry.first;
        }
        push_checksum(&mut self.pages, begin);
        self.open.clear();
    }

    /// The pages and the top.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.close_page();
        push_checksum(&mut self.top, 0);
        (self.pages, self.top)
    }
}

/// Where the pages of a layer lie.
pub(crate) struct BlockIndex {
    /// First place, begin among the pages, begin among the blocks.
    pages: Vec<(Address, u64, u64)>,
    extent: IndexExtent,
}

/// Bytes of the top that are read at once.
const TOP_CHUNK_BYTES: usize = TOP_ENTRY_BYTES << 10;

impl BlockIndex {
    /// Reads the top, which begins at `base`. The list of pages grows no further than they are in order, so that a
    /// length that is not true takes no memory.
    pub(crate) fn read(
        reader: &impl ReadAt,
        base: u64,
        extent: IndexExtent,
    ) -> Result<Self, TableError> {
        let what = "the top of the index";
        let (ends, count) = (extent.ends, extent.blocks.div_ceil(PAGE_ENTRIES as u64));
        let fail = || Cursor::new(&[], what).fail("pages out of order");
        let mut sum = crc32fast::Hasher::new();
        let mut pages: Vec<(Address, u64, u64)> = Vec::new();
        let end = count * TOP_ENTRY_BYTES as u64;
        let read = |at: u64, bytes: &mut [u8]| {
            let read = reader.read_at(base + at, bytes);
            read.map_err(TableError::io("read the top of the index"))
        };
        let mut bytes = vec![0; TOP_CHUNK_BYTES.min(end as usize)];
        for at in (0..end).step_by(TOP_CHUNK_BYTES) {
            bytes.truncate((end - at) as usize);
            read(at, &mut bytes)?;
            sum.update(&bytes);
            let mut cursor = Cursor::new(&bytes, what);
            for _ in 0..bytes.len() / TOP_ENTRY_BYTES {
                let place = (cursor.u64()?, cursor.u64()?);
                let page = (place, cursor.u64()?, cursor.u64()?);
                let follows = match pages.last() {
                    Some(last) => last.0 < page.0 && last.1 < page.1 && last.2 <= page.2,
                    None => (page.1, page.2) == (0, 0),
                };
                if !follows || page.1 > ends.0 || page.2 > ends.1 {
                    return Err(fail());
                }
                pages.push(page);
            }
        }
        let mut stored = [0; 4];
        read(end, &mut stored)?;
        if sum.finalize() != u32::from_le_bytes(stored) {
            return Err(TableError::damaged(format!(
                "the checksum of {what} differs"
            )));
        }
        if pages.is_empty() && ends != (0, 0) {
            return Err(fail());
        }
        Ok(Self { pages, extent })
    }

    pub(crate) fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Reads a page: the entries of blocks `PAGE * page ..`. `base` is where the pages begin.
    pub(crate) fn page(
        &self,
        page: usize,
        reader: &impl ReadAt,
        base: u64,
    ) -> Result<Vec<IndexEntry>, TableError> {
        let (first, begin, blocks_begin) = self.pages[page];
        let (end, blocks_end) = self
            .pages
            .get(page + 1)
            .map_or(self.extent.ends, |next| (next.1, next.2));
        if end - begin > MAX_PAGE_BYTES {
            return Err(TableError::damaged("a page of the index is too long"));
        }
        let mut bytes = vec![0; (end - begin) as usize];
        reader
            .read_at(base + begin, &mut bytes)
            .map_err(TableError::io("read a page of the index"))?;
        let what = "a page of the index";
        let mut cursor = Cursor::new(split_checksum(&bytes, what)?, what);
        let count = (self.extent.blocks - (page * PAGE_ENTRIES) as u64).min(PAGE_ENTRIES as u64);
        let mut entries = Vec::with_capacity(count as usize);
        let (mut place, mut offset) = (first, blocks_begin);
        for i in 0..count {
            let entry = take_entry(&mut cursor, place, offset)?;
            if entry.first <= place && i > 0 || i == 0 && entry.first != first {
                return Err(cursor.fail("blocks out of order"));
            }
            place = entry.first;
            let length = Some(u64::from(entry.length));
            offset = length
                .filter(|&length| length <= self.extent.max_block_bytes)
                .and_then(|length| offset.checked_add(length))
                .filter(|&offset| offset <= blocks_end)
                .ok_or_else(|| cursor.fail("a block is too long"))?;
            entries.push(entry);
        }
        if offset != blocks_end {
            return Err(cursor.fail("bytes between blocks"));
        }
        cursor.end()?;
        Ok(entries)
    }

    /// The page that holds the block of a place, if any does.
    pub(crate) fn page_of(&self, place: Address) -> Option<usize> {
        self.pages
            .partition_point(|page| page.0 <= place)
            .checked_sub(1)
    }
}

fn take_entry(
    cursor: &mut Cursor<'_>,
    last: Address,
    offset: u64,
) -> Result<IndexEntry, TableError> {
    let (by, rank) = (cursor.varint()?, cursor.varint()?);
    let place = last.0.checked_add(by).and_then(|tier| {
        let base = if by == 0 { last.1 } else { 0 };
        Some((tier, base.checked_add(rank)?))
    });
    let first = place.ok_or_else(|| cursor.fail("numbers too large"))?;
    let length = u32::try_from(cursor.varint()?).map_err(|_| cursor.fail("numbers too large"))?;
    Ok(IndexEntry {
        first,
        offset,
        length,
        checksum: cursor.u32()?,
    })
}
