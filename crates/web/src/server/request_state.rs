//! The state of a connection's request, which several parts of the server look at.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::Version;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::Notify;

/// Phases of a request.
const NONE: u8 = 0;
const READING: u8 = 1;
const ANSWERING: u8 = 2;

/// State of the request that a connection has at the moment, if any. Clones are the same state.
#[derive(Clone, Default, Debug)]
pub(crate) struct RequestState(Arc<StateFlags>);

#[derive(Default, Debug)]
struct StateFlags {
    phase: AtomicU8,
    /// True if any byte of the answer was sent.
    has_begun: AtomicBool,
    /// True if the client knows answers before the answer, as HTTP/1.1 has them.
    is_new: AtomicBool,
    /// True while bytes may not be with the client's system.
    is_unflushed: AtomicBool,
    /// Notified when the connection is not busy any more.
    idle: Arc<Notify>,
}

impl RequestState {
    /// Returns the state of a new connection, which notifies `idle` once an answer is sent.
    pub(super) fn new(idle: Arc<Notify>) -> Self {
        Self(Arc::new(StateFlags { idle, ..StateFlags::default() }))
    }

    /// Begins a request, which ends when the result is dropped.
    pub(super) fn begin(&self, version: Version) -> RequestInWork {
        self.0.has_begun.store(false, Ordering::Relaxed);
        let is_new = version == Version::HTTP_11;
        self.0.is_new.store(is_new, Ordering::Relaxed);
        self.0.phase.store(READING, Ordering::Release);
        RequestInWork(self.clone())
    }

    /// Says that the whole request was read.
    pub(crate) fn begin_answer(&self) {
        self.0.phase.store(ANSWERING, Ordering::Release);
    }

    /// Says that bytes are to be sent.
    pub(super) fn note_unflushed(&self) {
        self.0.is_unflushed.store(true, Ordering::Release);
    }

    /// Says that bytes were sent.
    pub(super) fn note_sent(&self) {
        self.0.has_begun.store(true, Ordering::Relaxed);
    }

    /// Says that all bytes so far are with the client's system.
    pub(super) fn note_flushed(&self) {
        self.0.is_unflushed.store(false, Ordering::Release);
        if !self.is_busy() {
            self.0.idle.notify_one();
        }
    }

    /// Returns true if there is a request, or an answer is still being sent.
    pub(super) fn is_busy(&self) -> bool {
        self.0.phase.load(Ordering::Acquire) != NONE || self.is_unflushed()
    }

    /// Returns true if bytes may not be with the client's system.
    pub(super) fn is_unflushed(&self) -> bool {
        self.0.is_unflushed.load(Ordering::Acquire)
    }

    /// Returns true if there is a whole request whose answer is not.
    pub(super) fn is_answering(&self) -> bool {
        self.0.phase.load(Ordering::Acquire) == ANSWERING
    }

    /// Returns true if the client may be sent an answer before the answer.
    pub(super) fn may_have_interim(&self) -> bool {
        let has_begun = self.0.has_begun.load(Ordering::Relaxed);
        self.is_answering() && !has_begun && self.0.is_new.load(Ordering::Relaxed)
    }
}

/// Request that ends when this value is dropped.
#[derive(Debug)]
pub(super) struct RequestInWork(RequestState);

impl Drop for RequestInWork {
    fn drop(&mut self) {
        self.0.0.phase.store(NONE, Ordering::Release);
    }
}

/// Body of an answer, with whose end the request ends.
pub(super) struct LastingBody {
    body: Body,
    _request: RequestInWork,
}

impl LastingBody {
    pub(super) const fn new(body: Body, request: RequestInWork) -> Self {
        Self { body, _request: request }
    }
}

impl HttpBody for LastingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
