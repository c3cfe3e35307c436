//! Keys of a table, read from its bytes when they are needed.

use std::io;
use std::sync::{Arc, OnceLock};

use hindsight_core::Packed;
use hindsight_engine::keys::{KeyIndex, KeySections, KeySet};

use crate::error::TableError;
use crate::read_at::ReadAt;

/// Fewest positions for which all keys are read.
const LEAST_POSITIONS: usize = 256;

/// Keys of reachable positions.
pub(crate) trait Keys: Send + Sync {
    /// Returns the number of keys.
    fn len(&self) -> u64;

    /// Returns the number of a position. Reads the page that may have it, and no other.
    ///
    /// # Errors
    /// Any error of its bytes.
    fn find(&self, position: &Packed) -> Result<Option<u64>, TableError>;

    /// Returns the position of a number. Reads its page, and no other.
    ///
    /// # Errors
    /// As [`Keys::find`].
    fn get(&self, rank: u64) -> Result<Option<Packed>, TableError>;

    /// Returns all keys.
    ///
    /// # Errors
    /// As [`Keys::find`].
    fn whole(&self) -> Result<&Arc<KeySet>, TableError>;
}

impl Keys for Arc<KeySet> {
    fn len(&self) -> u64 {
        KeySet::len(self)
    }

    fn find(&self, position: &Packed) -> Result<Option<u64>, TableError> {
        Ok(KeySet::find(self, position))
    }

    fn get(&self, rank: u64) -> Result<Option<Packed>, TableError> {
        Ok(KeySet::get(self, rank))
    }

    fn whole(&self) -> Result<&Arc<KeySet>, TableError> {
        Ok(self)
    }
}

/// Keys in a file: their index in memory, and the pages that were needed.
pub(crate) struct TableKeys<R> {
    reader: Arc<R>,
    index: KeyIndex,
    /// Bytes of the index, as they are in the file.
    top: Vec<u8>,
    /// Offset of the first page, in bytes.
    offset: u64,
    pages: Vec<OnceLock<Box<[u8]>>>,
    whole: OnceLock<Arc<KeySet>>,
}

impl<R: ReadAt> TableKeys<R> {
    /// Reads the index of keys at an offset.
    pub(crate) fn open(
        reader: &Arc<R>,
        offset: u64,
        sections: KeySections,
    ) -> Result<Self, TableError> {
        let top = read(reader, offset, sections.top)?;
        let index = KeyIndex::decode(&top, sections.pages)?;
        let mut pages = Vec::new();
        pages.resize_with(index.pages(), OnceLock::new);
        let offset = offset + sections.top;
        Ok(Self { reader: Arc::clone(reader), index, top, offset, pages, whole: OnceLock::new() })
    }

    /// Returns true if all keys are in memory, or if some positions may well need all their pages.
    pub(crate) fn are_worth_reading(&self, positions: usize) -> bool {
        self.whole.get().is_some() || positions >= self.index.pages().max(LEAST_POSITIONS)
    }

    fn page(&self, number: usize) -> Result<&[u8], TableError> {
        if let Some(bytes) = self.pages[number].get() {
            return Ok(bytes);
        }
        let range = self.index.bytes_of(number);
        let bytes = read(&self.reader, self.offset + range.start, range.end - range.start)?;
        self.index.check_page(number, &bytes)?;
        Ok(self.pages[number].get_or_init(|| bytes.into()))
    }
}

impl<R: ReadAt> Keys for TableKeys<R> {
    fn len(&self) -> u64 {
        self.index.len()
    }

    fn find(&self, position: &Packed) -> Result<Option<u64>, TableError> {
        if let Some(whole) = self.whole.get() {
            return Ok(KeySet::find(whole, position));
        }
        let Some(page) = self.index.page_of(position) else { return Ok(None) };
        Ok(self.index.find_in(page, self.page(page)?, position))
    }

    fn get(&self, rank: u64) -> Result<Option<Packed>, TableError> {
        if let Some(whole) = self.whole.get() {
            return Ok(KeySet::get(whole, rank));
        }
        let Some(page) = self.index.page_of_rank(rank) else { return Ok(None) };
        Ok(Some(self.index.get_in(page, self.page(page)?, rank)))
    }

    fn whole(&self) -> Result<&Arc<KeySet>, TableError> {
        if let Some(whole) = self.whole.get() {
            return Ok(whole);
        }
        let end = self.index.bytes_of(self.index.pages() - 1).end;
        let keys = Arc::new(KeySet::read(&self.top, read(&self.reader, self.offset, end)?)?);
        Ok(self.whole.get_or_init(|| keys))
    }
}

fn read<R: ReadAt>(reader: &R, offset: u64, length: u64) -> Result<Vec<u8>, TableError> {
    let failed = TableError::io("read the keys");
    let mut bytes = Vec::new();
    // A forged header may name any length.
    let Ok(()) = bytes.try_reserve_exact(length as usize) else {
        return Err(failed(io::ErrorKind::OutOfMemory.into()));
    };
    bytes.resize(length as usize, 0);
    reader.read_at(offset, &mut bytes).map_err(failed).map(|()| bytes)
}
