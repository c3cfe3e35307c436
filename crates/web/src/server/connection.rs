//! One connection: its requests one after the other, and its end.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::ServerOptions;
use super::timed_stream::TimedStream;
use crate::layers::ClientAddress;

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
        Self {
            head: options.head_time,
            write: options.write_time,
        }
    }
}

/// Answers the requests of a connection until the client leaves, breaks a limit, or the server
/// ends.
pub(super) async fn serve_connection(
    stream: TcpStream,
    client: IpAddr,
    router: Router,
    times: ConnectionTimes,
    mut ending: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ClientAddress(client));
        router.call(request.map(Body::new))
    });
    let stream = TimedStream::new(stream, times.write);
    let has_read = stream.has_read();
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(times.head)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    let end = ending.wait_for(|is_ending| *is_ending);
    let is_done = tokio::select! {
        _ = poll_fn(|context| connection.poll_without_shutdown(context)) => true,
        _ = end => false,
    };
    if !is_done {
        if !has_read.load(Ordering::Relaxed) {
            return;
        }
        Pin::new(&mut connection).graceful_shutdown();
        let _ = poll_fn(|context| connection.poll_without_shutdown(context)).await;
    }
    leave(connection.into_parts().io.into_inner()).await;
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
