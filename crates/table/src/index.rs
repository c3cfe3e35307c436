//! Where each block lies: pages of entries, and a top that says where each page lies.

use crate::Error;
use crate::bytes::{Cursor, put_varint, seal, unseal};
use crate::read::ReadAt;

/// Entries of a page. A probe reads one page.
pub(crate) const PAGE: usize = 64;

/// Bytes of a page's entry in the top.
const TOP_ENTRY: usize = 32;

/// The longest page: entries of two numbers of ten bytes, one of five, and a checksum.
const MOST_PAGE_BYTES: u64 = (PAGE * 29 + 4) as u64;

/// A tier and a rank in it.
pub(crate) type Place = (u64, u64);

/// A block as the index knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Its first tier and rank.
    pub(crate) first: Place,
    /// Where it begins, counted from the first block.
    pub(crate) offset: u64,
    /// Its bytes.
    pub(crate) length: u32,
    /// Their checksum.
    pub(crate) sum: u32,
}

/// Collects the entries of a layer's blocks in their order.
#[derive(Default)]
pub(crate) struct IndexWriter {
    pages: Vec<u8>,
    top: Vec<u8>,
    open: Vec<Entry>,
    offset: u64,
}

impl IndexWriter {
    /// Takes the next block.
    pub(crate) fn push(&mut self, first: Place, block: &[u8]) {
        self.open.push(Entry {
            first,
            offset: self.offset,
            length: block.len() as u32,
            sum: crc32fast::hash(block),
        });
        self.offset += block.len() as u64;
        if self.open.len() == PAGE {
            self.close();
        }
    }

    fn close(&mut self) {
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
            self.pages.extend_from_slice(&entry.sum.to_le_bytes());
            last = entry.first;
        }
        seal(&mut self.pages, begin);
        self.open.clear();
    }

    /// The pages and the top.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.close();
        seal(&mut self.top, 0);
        (self.pages, self.top)
    }
}

/// Where the pages of a layer lie.
pub(crate) struct Index {
    /// First place, begin among the pages, begin among the blocks.
    pages: Vec<(Place, u64, u64)>,
    /// Bytes of all pages, and of all blocks.
    ends: (u64, u64),
    blocks: u64,
}

impl Index {
    /// Reads the top. `blocks` is their number, `ends` the bytes of all pages and of all blocks.
    pub(crate) fn read(top: &[u8], blocks: u64, ends: (u64, u64)) -> Result<Self, Error> {
        let top = unseal(top, "the top of the index")?;
        let mut cursor = Cursor::new(top, "the top of the index");
        if top.len() as u64 != blocks.div_ceil(PAGE as u64) * TOP_ENTRY as u64 {
            return Err(cursor.fail("it has the wrong length"));
        }
        let mut pages = Vec::with_capacity(top.len() / TOP_ENTRY);
        for _ in 0..top.len() / TOP_ENTRY {
            let place = (cursor.u64()?, cursor.u64()?);
            pages.push((place, cursor.u64()?, cursor.u64()?));
        }
        let ascending = pages
            .windows(2)
            .all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1 && two[0].2 <= two[1].2);
        let first = pages.first().map_or((0, 0), |page| (page.1, page.2));
        let last = pages
            .last()
            .is_none_or(|page| page.1 <= ends.0 && page.2 <= ends.1);
        if !ascending || !last || first != (0, 0) || (pages.is_empty() && ends != (0, 0)) {
            return Err(cursor.fail("pages out of order"));
        }
        Ok(Self {
            pages,
            ends,
            blocks,
        })
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
    ) -> Result<Vec<Entry>, Error> {
        let (first, begin, blocks_begin) = self.pages[page];
        let (end, blocks_end) = self
            .pages
            .get(page + 1)
            .map_or(self.ends, |next| (next.1, next.2));
        if end - begin > MOST_PAGE_BYTES {
            return Err(Error::damaged("a page of the index is too long"));
        }
        let mut bytes = vec![0; (end - begin) as usize];
        reader
            .read_at(base + begin, &mut bytes)
            .map_err(Error::io("read a page of the index"))?;
        let what = "a page of the index";
        let mut cursor = Cursor::new(unseal(&bytes, what)?, what);
        let count = (self.blocks - (page * PAGE) as u64).min(PAGE as u64);
        let mut entries = Vec::with_capacity(count as usize);
        let (mut place, mut offset) = (first, blocks_begin);
        for i in 0..count {
            let entry = take_entry(&mut cursor, place, offset)?;
            if entry.first <= place && i > 0 || i == 0 && entry.first != first {
                return Err(cursor.fail("blocks out of order"));
            }
            place = entry.first;
            offset = offset
                .checked_add(u64::from(entry.length))
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
    pub(crate) fn find(&self, place: Place) -> Option<usize> {
        self.pages
            .partition_point(|page| page.0 <= place)
            .checked_sub(1)
    }
}

fn take_entry(cursor: &mut Cursor<'_>, last: Place, offset: u64) -> Result<Entry, Error> {
    let (by, rank) = (cursor.varint()?, cursor.varint()?);
    let place = last.0.checked_add(by).and_then(|tier| {
        let base = if by == 0 { last.1 } else { 0 };
        Some((tier, base.checked_add(rank)?))
    });
    let first = place.ok_or_else(|| cursor.fail("numbers too large"))?;
    let length = u32::try_from(cursor.varint()?).map_err(|_| cursor.fail("numbers too large"))?;
    Ok(Entry {
        first,
        offset,
        length,
        sum: cursor.u32()?,
    })
}
