//! Data connections, as the dataflow engine sees them.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use timely::communication::allocator::zero_copy::stream::Stream;

use super::frame::{FrameFault, FrameReceiver, FrameSender, MAX_PAYLOAD};
use super::link::{Link, WireBytes};
use super::watch::Watch;

/// Data connection with another process. Its bytes go in frames; an empty one is the last.
///
/// The engine panics when a connection fails. So a failed connection, or a damaged frame, tells the
/// [`Watch`], and its thread then waits for ever; the process ends without it.
pub(crate) struct DataSocket {
    link: Arc<Link>,
    watch: Arc<Watch>,
    process: usize,
    bytes: Arc<WireBytes>,
    sender: Mutex<FrameSender>,
    receiver: FrameReceiver,
    /// Bytes of the frame received last that the engine has not taken.
    ready: Range<usize>,
    /// True once the last frame was received.
    is_ended: bool,
}

impl DataSocket {
    pub(crate) fn new(
        link: Arc<Link>,
        watch: Arc<Watch>,
        process: usize,
        bytes: Arc<WireBytes>,
    ) -> Self {
        Self {
            sender: Mutex::new(FrameSender::new(link.sends)),
            receiver: FrameReceiver::new(link.hears),
            link,
            watch,
            process,
            bytes,
            ready: 0..0,
            is_ended: false,
        }
    }

    /// Sends a frame; an empty one is the last.
    fn send(&self, payload: &[u8]) {
        let mut sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        match sender.send(payload, &mut &self.link.stream) {
            Ok(bytes) => self.bytes.sent.fetch_add(bytes as u64, Ordering::Relaxed),
            Err(_) => self.watch.lose(self.process),
        };
    }
}

impl Read for DataSocket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() && !self.is_ended {
            let mut from = Counted { stream: &self.link.stream, bytes: &self.bytes.received };
            match self.receiver.receive(&mut from) {
                Ok(payload) => {
                    self.is_ended = payload.is_empty();
                    self.ready = payload;
                }
                Err(FrameFault::Lost) => self.watch.lose(self.process),
                Err(FrameFault::Damaged(fault)) => self.watch.lose_damaged(self.process, &fault),
            }
        }
        let length = buffer.len().min(self.ready.len());
        let end = self.ready.start + length;
        buffer[..length].copy_from_slice(&self.receiver.bytes()[self.ready.start..end]);
        self.ready.start = end;
        Ok(length)
    }
}

impl Write for DataSocket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len().min(MAX_PAYLOAD);
        if length > 0 {
            self.send(&bytes[..length]);
        }
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for DataSocket {
    /// The engine makes a copy that reads and one that writes, before the first byte.
    fn try_clone(&self) -> io::Result<Self> {
        let (link, watch, bytes) = (self.link.clone(), self.watch.clone(), self.bytes.clone());
        Ok(Self::new(link, watch, self.process, bytes))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.link.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        self.send(&[]);
        // A process that has finished may have hung up already.
        let _ = self.link.stream.shutdown(Shutdown::Write);
        Ok(())
    }
}

/// Stream whose bytes are counted.
struct Counted<'a> {
    stream: &'a TcpStream,
    bytes: &'a AtomicU64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.stream.read(buffer)?;
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}
