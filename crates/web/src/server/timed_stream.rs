//! A connection whose client must go on reading, and where every error is a problem.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::refusal::full_refusal;

/// Bytes of an answer that a client must take in the time that it has.
const LEAST_BYTES: usize = 512 << 10;

/// Connection that fails when the client takes an answer too slowly.
#[derive(Debug)]
pub(super) struct TimedStream {
    stream: TcpStream,
    write_time: Duration,
    /// Running while an answer waits for the client.
    patience: Option<Pin<Box<Sleep>>>,
    /// Bytes that the client has taken meanwhile.
    taken: usize,
    has_read: Arc<AtomicBool>,
    /// Refusal that is sent instead of the bytes of the HTTP library.
    refusal: Option<Vec<u8>>,
    /// Bytes of the refusal that are sent.
    sent: usize,
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, write_time: Duration) -> Self {
        Self {
            stream,
            write_time,
            patience: None,
            taken: 0,
            has_read: Arc::default(),
            refusal: None,
            sent: 0,
        }
    }

    /// Returns a flag that is set once the client has sent anything.
    pub(super) fn has_read(&self) -> Arc<AtomicBool> {
        self.has_read.clone()
    }

    /// Writes bytes, or the refusal that stands for them.
    fn poll_send(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.refusal.is_none() {
            self.refusal = full_refusal(bytes);
        }
        let Some(refusal) = &self.refusal else {
            return Pin::new(&mut self.stream).poll_write(context, bytes);
        };
        while self.sent < refusal.len() {
            let rest = &refusal[self.sent..];
            match ready!(Pin::new(&mut self.stream).poll_write(context, rest))? {
                0 => return Poll::Ready(Ok(0)),
                written => self.sent += written,
            }
        }
        (self.refusal, self.sent) = (None, 0);
        Poll::Ready(Ok(bytes.len()))
    }

    /// Passes on the result of a write, or an error if the client has taken too little.
    fn timed(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = result {
            self.taken += written.as_ref().copied().unwrap_or(0);
            if self.taken >= LEAST_BYTES {
                self.forget_time();
            }
            return Poll::Ready(written);
        }
        let write_time = self.write_time;
        let patience = self
            .patience
            .get_or_insert_with(|| Box::pin(sleep(write_time)));
        ready!(patience.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn forget_time(&mut self) {
        (self.patience, self.taken) = (None, 0);
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.has_read.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = self.poll_send(context, bytes);
        self.timed(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // A refusal has no body, and so one slice.
        let result = match slices {
            [slice] => self.poll_send(context, slice),
            _ => Pin::new(&mut self.stream).poll_write_vectored(context, slices),
        };
        self.timed(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // All bytes before are with the client's system.
        self.forget_time();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
