//! Bodies of requests: read before the request is answered, within a length and a time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::server::request_state::RequestState;
use crate::{Problem, ProblemKind, ServerOptions};

/// Limits of bodies.
#[derive(Clone, Debug)]
pub(super) struct BodyLimits {
    bytes: usize,
    time: Duration,
    /// Bytes that may still be read, for all requests together.
    free: Arc<Semaphore>,
}

impl BodyLimits {
    pub(super) fn new(options: &ServerOptions) -> Self {
        Self {
            bytes: options.body_bytes,
            time: options.body_time,
            free: Arc::new(Semaphore::new(options.all_body_bytes)),
        }
    }

    fn too_large(&self) -> Problem {
        let detail = format!("the body may have {} bytes; send it in parts", self.bytes);
        Problem::new(ProblemKind::TooLarge, detail)
    }

    /// Reads a body, and takes its length from the free bytes until the permit is dropped.
    async fn read(
        &self,
        mut body: Body,
    ) -> Result<(Vec<u8>, Option<SemaphorePermit<'_>>), Problem> {
        if body.size_hint().lower() > self.bytes as u64 {
            return Err(self.too_large());
        }
        let (mut bytes, mut taken) = (Vec::new(), None);
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| {
                let detail = "the body ends before its length, or its chunks are wrong";
                Problem::new(ProblemKind::Body, detail)
            })?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            if bytes.len() + data.len() > self.bytes {
                return Err(self.too_large());
            }
            self.take(&data, &mut taken)?;
            bytes.extend_from_slice(&data);
        }
        Ok((bytes, taken))
    }

    /// Takes the length of `data` from the free bytes.
    fn take<'a>(
        &'a self,
        data: &Bytes,
        taken: &mut Option<SemaphorePermit<'a>>,
    ) -> Result<(), Problem> {
        let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let permit = self.free.try_acquire_many(length).map_err(|_| {
            let detail = "other requests have too large bodies at this moment; ask again later";
            Problem::new(ProblemKind::Busy, detail).retry_after(1)
        })?;
        match taken {
            Some(taken) => taken.merge(permit),
            None => *taken = Some(permit),
        }
        Ok(())
    }
}

/// Reads the body of a request, then lets it be answered.
pub(super) async fn read_body(
    State(limits): State<BodyLimits>,
    request: Request,
    next: Next,
) -> Response {
    let (head, body) = request.into_parts();
    let state = head.extensions.get::<RequestState>().cloned();
    if body.is_end_stream() {
        return next.run(Request::from_parts(head, body)).await;
    }
    let read = timeout(limits.time, limits.read(body)).await;
    let read = read.unwrap_or_else(|_| {
        let seconds = limits.time.as_secs_f64();
        let detail = format!("the body must come within {seconds} seconds");
        Err(Problem::new(ProblemKind::Slow, detail))
    });
    match read {
        Ok((bytes, _taken)) => {
            state.iter().for_each(RequestState::begin_answer);
            next.run(Request::from_parts(head, Body::from(bytes))).await
        }
        Err(problem) => problem.into_response(),
    }
}
