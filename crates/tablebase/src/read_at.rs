//! Random access to the bytes of a table.

use std::fs::File;
use std::io;
use std::sync::Arc;

/// Bytes with random access: a file, a slice, a memory map, a file on a server.
pub trait ReadAt: Send + Sync {
    /// Fills the buffer with the bytes from `offset` on.
    ///
    /// # Errors
    /// `UnexpectedEof` if there are fewer bytes; any error of the storage.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()>;

    /// Returns the number of bytes.
    ///
    /// # Errors
    /// Any error of the storage.
    fn len(&self) -> io::Result<u64>;

    /// Returns the number of small reads that are best begun at once: 1, the default, unless each
    /// takes long, as from a server.
    fn concurrent_reads(&self) -> usize {
        1
    }

    /// Returns true if there are no bytes.
    ///
    /// # Errors
    /// As [`ReadAt::len`].
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }
}

impl ReadAt for [u8] {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let begin = usize::try_from(offset).ok();
        let bytes = begin
            .and_then(|begin| self.get(begin..))
            .and_then(|rest| rest.get(..buf.len()))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buf.copy_from_slice(bytes);
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        Ok(<[u8]>::len(self) as u64)
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, buf)
    }

    fn len(&self) -> io::Result<u64> {
        ReadAt::len(self.as_slice())
    }
}

impl ReadAt for File {
    #[cfg(unix)]
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buf, offset)
    }

    #[cfg(not(unix))]
    fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl<R: ReadAt + ?Sized> ReadAt for &R {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buf)
    }

    fn concurrent_reads(&self) -> usize {
        (**self).concurrent_reads()
    }

    fn len(&self) -> io::Result<u64> {
        (**self).len()
    }
}

impl<R: ReadAt + ?Sized> ReadAt for Arc<R> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buf)
    }

    fn concurrent_reads(&self) -> usize {
        (**self).concurrent_reads()
    }

    fn len(&self) -> io::Result<u64> {
        (**self).len()
    }
}
