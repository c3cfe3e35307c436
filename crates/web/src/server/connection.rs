//! One connection: its requests one after the other, and its end.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::ServerOptions;
use super::open_connections::ConnectionPlace;
use super::refusal::refusal;
use super::request_state::{LastingBody, RequestState};
use super::timed_stream::TimedStream;
use crate::ProblemKind;
use crate::clients::Client;

/// Most bytes of the head of a request.
const HEAD_BYTES: usize = 32 << 10;

/// Most headers of a request.
const HEADERS: usize = 64;

/// Most bytes that are read and thrown away after an answer, so that the client can read it.
const IGNORED_BYTES: usize = 16 << 20;

/// Most time for these bytes.
const IGNORING_TIME: Duration = Duration::from_secs(1);

/// Most times that a client may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionTimes {
    head: Duration,
    write: Duration,
}

impl ConnectionTimes {
    pub(super) const fn new(options: &ServerOptions) -> Self {
        Self { head: options.head_time, write: options.write_time }
    }
}

/// Connection that has its place.
pub(super) struct NewConnection {
    pub(super) stream: TcpStream,
    pub(super) client: Client,
    pub(super) request: RequestState,
    pub(super) place: ConnectionPlace,
}

impl NewConnection {
    /// Answers the requests until the client leaves, breaks a limit, another client needs the
    /// place of an idle one, or the server ends.
    pub(super) async fn serve(
        self,
        router: Router,
        times: ConnectionTimes,
        mut ending: watch::Receiver<bool>,
    ) {
        let Self { stream, client, request: state, mut place } = self;
        let _ = stream.set_nodelay(true);
        let router = TowerToHyperService::new(router);
        let asked = state.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            let in_work = asked.begin(request.version());
            if request.body().is_end_stream() {
                asked.begin_answer();
            }
            request.extensions_mut().insert(asked.clone());
            let answer = client.answer(router.call(request.map(Body::new)));
            Box::pin(async move {
                let answer = answer.await?;
                Ok::<_, Infallible>(answer.map(|body| LastingBody::new(body, in_work)))
            })
        });
        let stream = TimedStream::new(stream, times.write, state.clone());
        let seen = stream.seen();
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(times.head)
            .max_buf_size(HEAD_BYTES)
            .max_headers(HEADERS)
            .serve_connection(TokioIo::new(stream), service);
        let end = ending.wait_for(|is_ending| *is_ending);
        let mut is_replaced = false;
        let served = tokio::select! {
            served = poll_fn(|context| connection.poll_without_shutdown(context)) => Some(served),
            _ = end => None,
            _ = &mut place.should_end => {
                is_replaced = true;
                None
            }
        };
        let is_refused = matches!(&served, Some(Err(error)) if error.is_parse());
        if served.is_none() {
            if !seen.has_read() || (is_replaced && !state.is_busy()) {
                return;
            }
            Pin::new(&mut connection).graceful_shutdown();
            let _ = poll_fn(|context| connection.poll_without_shutdown(context)).await;
        }
        let mut stream = connection.into_parts().io.into_inner();
        if is_refused && !seen.has_written() {
            // The library says nothing to requests of HTTP/2.
            let detail = "this server speaks HTTP/1.1, without encryption";
            let _ = stream.write_all(&refusal(ProblemKind::Request, detail)).await;
        }
        leave(stream).await;
    }
}

/// Tells the client that it has too many connections, as far as that is possible at once.
pub(super) fn refuse_connection(stream: &TcpStream) {
    let detail = "this address has too many connections with requests; close some";
    let _ = stream.try_write(&refusal(ProblemKind::Rate, detail));
}

/// Closes a connection so that the last answer arrives: a socket with unread bytes would take it
/// back.
async fn leave(mut stream: TimedStream) {
    if stream.shutdown().await.is_err() {
        return;
    }
    let ignored = async {
        let (mut buffer, mut bytes) = ([0; 4096], 0);
        while bytes < IGNORED_BYTES {
            match stream.read(&mut buffer).await {
                Ok(read) if read > 0 => bytes += read,
                _ => return,
            }
        }
    };
    let _ = timeout(IGNORING_TIME, ignored).await;
}
