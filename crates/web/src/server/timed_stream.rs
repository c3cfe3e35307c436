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
use super::request_state::RequestState;

/// Time between two looks if a client that sends no more is still there.
const LOOK_TIME: Duration = Duration::from_millis(200);

/// Looks after which such a client is sent something, by which its system tells if it has left: the
/// third one, and then every fifth.
const FIRST_PROBE: u32 = 3;
const PROBE_LOOKS: u32 = 5;

/// Answer before the answer, which says nothing (RFC 9110, 15.2.1).
const INTERIM: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// Bytes of an answer that a client must take in the time that it has.
const LEAST_BYTES: usize = 512 << 10;

/// Connection that fails when the client takes an answer too slowly.
///
/// A client that has sent all may close its side of the connection and wait for the answer. That
/// looks like one that has left, until it is sent something. So the end of its bytes is kept from
/// the HTTP library, which would drop the request, while the answer is on its way.
#[derive(Debug)]
pub(super) struct TimedStream {
    stream: TcpStream,
    write_time: Duration,
    /// Running while an answer waits for the client.
    patience: Option<Pin<Box<Sleep>>>,
    /// Bytes that the client has taken meanwhile.
    taken: usize,
    seen: SeenBytes,
    request: RequestState,
    /// The looks at a client that has closed its side.
    looks: Option<Looks>,
    /// Refusal that is sent instead of the bytes of the HTTP library.
    refusal: Option<Vec<u8>>,
    /// Bytes of the refusal that are sent.
    sent: usize,
}

/// Looks at a client that has closed its side.
#[derive(Debug)]
struct Looks {
    timer: Pin<Box<Sleep>>,
    number: u32,
}

/// Flags of the bytes that went over a connection. Clones are the same flags.
#[derive(Clone, Default, Debug)]
pub(super) struct SeenBytes(Arc<[AtomicBool; 2]>);

impl SeenBytes {
    /// Returns true if the client has sent anything.
    pub(super) fn has_read(&self) -> bool {
        self.0[0].load(Ordering::Relaxed)
    }

    /// Returns true if the client was sent anything.
    pub(super) fn has_written(&self) -> bool {
        self.0[1].load(Ordering::Relaxed)
    }
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, write_time: Duration, request: RequestState) -> Self {
        Self {
            stream,
            write_time,
            patience: None,
            taken: 0,
            seen: SeenBytes::default(),
            request,
            looks: None,
            refusal: None,
            sent: 0,
        }
    }

    /// Returns the flags of its bytes.
    pub(super) fn seen(&self) -> SeenBytes {
        self.seen.clone()
    }

    /// Keeps back the end of the client's bytes while an answer is on its way; an error if the
    /// client has left.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.request.is_answering() || self.request.is_unflushed() {
            let looks = self
                .looks
                .get_or_insert_with(|| Looks { timer: Box::pin(sleep(LOOK_TIME)), number: 0 });
            ready!(looks.timer.as_mut().poll(context));
            looks.timer = Box::pin(sleep(LOOK_TIME));
            looks.number += 1;
            if let Some(error) = self.stream.take_error()? {
                return Poll::Ready(Err(error));
            }
            let is_due = looks.number % PROBE_LOOKS == FIRST_PROBE;
            if is_due && self.request.may_have_interim() {
                match self.stream.try_write(INTERIM) {
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => {
                        return Poll::Ready(Err(error));
                    }
                    _ => {}
                }
            }
        }
        Poll::Ready(Ok(()))
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
            self.request.note_sent();
            self.seen.0[1].store(true, Ordering::Relaxed);
            self.taken += written.as_ref().copied().unwrap_or(0);
            if self.taken >= LEAST_BYTES {
                self.forget_time();
            }
            return Poll::Ready(written);
        }
        let write_time = self.write_time;
        let patience = self.patience.get_or_insert_with(|| Box::pin(sleep(write_time)));
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
        if self.looks.is_some() {
            return self.poll_end(context);
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.seen.0[0].store(true, Ordering::Relaxed);
            return Poll::Ready(Ok(()));
        }
        match buffer.remaining() {
            0 => Poll::Ready(Ok(())),
            _ => self.poll_end(context),
        }
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.request.note_unflushed();
        let result = self.poll_send(context, bytes);
        self.timed(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.request.note_unflushed();
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
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.request.note_flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
