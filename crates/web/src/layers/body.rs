//! Bodies of requests: read before the request is answered, within a length and a time.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use tokio::time::timeout;

use crate::server::request_state::RequestState;
use crate::shared_bytes::{HeldBytes, SharedBytes};
use crate::{Problem, ProblemKind, ServerOptions};

/// Limits of bodies.
#[derive(Clone, Debug)]
pub(super) struct BodyLimits {
    bytes: usize,
    time: Duration,
    /// Bytes of the bodies of all requests.
    all: SharedBytes,
}

impl BodyLimits {
    pub(super) fn new(options: &ServerOptions) -> Self {
        Self {
            bytes: options.body_bytes,
            time: options.body_time,
            all: SharedBytes::new(options.all_body_bytes),
        }
    }

    fn too_large(&self) -> Problem {
        let detail = format!("the body may have {} bytes; send it in parts", self.bytes);
        Problem::new(ProblemKind::TooLarge, detail)
    }

    /// Reads a body, whose length is taken until the second result is dropped.
    async fn read(&self, mut body: Body) -> Result<(Vec<u8>, HeldBytes), Problem> {
        if body.size_hint().lower() > self.bytes as u64 {
            return Err(self.too_large());
        }
        let (mut bytes, mut taken) = (Vec::new(), self.all.begin());
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
            if !taken.take(data.len()) {
                let detail = "there are too many large bodies at this moment; ask again later";
                return Err(Problem::new(ProblemKind::Busy, detail).retry_after(1));
            }
            bytes.extend_from_slice(&data);
        }
        Ok((bytes, taken))
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
