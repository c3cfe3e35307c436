//! A file on a server, with random access.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hindsight_tablebase::ReadAt;

use crate::client::RangeClient;
use crate::error::HttpError;
use crate::file_version::FileVersion;
use crate::options::HttpOptions;
use crate::recent_parts::RecentParts;

/// Bytes of the first request.
const HEAD_BYTES: usize = 1 << 16;

/// Small reads that are begun at once.
const CONCURRENT_READS: usize = 8;

/// File on a web server that is read by range requests. Threads may share it.
pub struct HttpFile {
    client: Arc<RangeClient>,
    address: String,
    version: FileVersion,
    recent: Mutex<RecentParts>,
    has_changed: AtomicBool,
}

impl HttpFile {
    /// Opens a file by its address, `http://..` or `https://..`. One request reads its first bytes.
    ///
    /// # Errors
    /// If the text is no address, the server cannot be reached, has no such file, does not hand it
    /// out, or answers no ranges.
    pub fn open(address: &str, options: &HttpOptions) -> Result<Self, HttpError> {
        let client = Arc::new(RangeClient::new(address, options)?);
        let head = client.read_head(HEAD_BYTES)?;
        let mut recent = RecentParts::default();
        recent.keep(0, head.bytes);
        Ok(Self {
            client,
            address: address.to_string(),
            version: head.version,
            recent: Mutex::new(recent),
            has_changed: AtomicBool::new(false),
        })
    }

    /// Returns true if a read has found another file at the address. What was read before is known
    /// still.
    pub fn has_changed(&self) -> bool {
        self.has_changed.load(Ordering::Relaxed)
    }

    /// Asks for bytes that are not known, and keeps them.
    fn request(&self, offset: u64, bytes: usize) -> Result<(), HttpError> {
        let result = self.request_part(offset, bytes);
        if let Err(HttpError::Changed) = result {
            self.has_changed.store(true, Ordering::Relaxed);
        }
        result
    }

    fn request_part(&self, offset: u64, bytes: usize) -> Result<(), HttpError> {
        let range = self.recent().to_request(offset, bytes, self.version.length);
        let length = (range.end - range.start) as usize;
        let part = self.client.read(range.start, length)?;
        if !part.version.agrees_with(&self.version) {
            return Err(HttpError::Changed);
        }
        self.recent().keep(range.start, part.bytes);
        Ok(())
    }

    fn recent(&self) -> MutexGuard<'_, RecentParts> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReadAt for HttpFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buf.len() as u64);
        if end.is_none_or(|end| end > self.version.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut done = 0;
        while done < buf.len() {
            let at = offset + done as u64;
            let copied = self.recent().copy(at, &mut buf[done..]);
            if copied == 0 {
                self.request(at, buf.len() - done)?;
            }
            done += copied;
        }
        Ok(())
    }

    fn concurrent_reads(&self) -> usize {
        CONCURRENT_READS
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.version.length)
    }
}

impl fmt::Debug for HttpFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HttpFile").field(&self.address).finish()
    }
}
