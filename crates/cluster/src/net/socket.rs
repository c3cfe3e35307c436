//! Data connections, as the dataflow engine sees them.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use timely::communication::allocator::zero_copy::stream::Stream;

use super::watch::Watch;

/// Bytes that went over the data connections of a process.
#[derive(Debug, Default)]
pub(crate) struct WireBytes {
    pub(crate) sent: AtomicU64,
    pub(crate) received: AtomicU64,
}

/// Zeros with which the engine ends a connection: the head of a message without bytes.
const END_ZEROS: usize = 48;

/// Data connection with another process.
///
/// The engine panics when a connection fails. So a failed connection tells the [`Watch`], and its
/// thread then waits for ever; the process ends without it.
pub(crate) struct DataSocket {
    stream: TcpStream,
    /// Number of zeros that were received last.
    zeros: usize,
    watch: Arc<Watch>,
    process: usize,
    bytes: Arc<WireBytes>,
}

impl DataSocket {
    pub(crate) fn new(
        stream: TcpStream,
        watch: Arc<Watch>,
        process: usize,
        bytes: Arc<WireBytes>,
    ) -> Self {
        Self {
            stream,
            zeros: 0,
            watch,
            process,
            bytes,
        }
    }
}

impl Read for DataSocket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if self.zeros >= END_ZEROS => return Ok(0),
                Ok(0) => self.watch.wait_for_ever(self.process),
                Ok(n) => {
                    let zeros = buffer[..n]
                        .iter()
                        .rev()
                        .take_while(|&&byte| byte == 0)
                        .count();
                    self.zeros = if zeros == n { self.zeros + n } else { zeros };
                    self.bytes.received.fetch_add(n as u64, Ordering::Relaxed);
                    return Ok(n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.watch.wait_for_ever(self.process),
            }
        }
    }
}

impl Write for DataSocket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Ok(n) if n > 0 => {
                    self.bytes.sent.fetch_add(n as u64, Ordering::Relaxed);
                    return Ok(n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ => self.watch.wait_for_ever(self.process),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for DataSocket {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self {
            stream: self.stream.try_clone()?,
            zeros: 0,
            watch: self.watch.clone(),
            process: self.process,
            bytes: self.bytes.clone(),
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // A process that has finished may have hung up already.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
