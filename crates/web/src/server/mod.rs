//! The server: a socket, its connections, and an end without losses.

mod bind;
mod connection;
mod open_connections;
mod options;
mod refusal;
pub(crate) mod request_state;
mod timed_stream;

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::clients::Client;
use crate::layers::with_layers;
use crate::metrics::Metrics;
use crate::{WorkPool, WorkPools};
pub use bind::BindError;
use connection::{ConnectionTimes, NewConnection, refuse_connection};
use open_connections::{Admission, OpenConnections};
pub use options::ServerOptions;

/// Wait after a connection could not be taken, such as for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Time for the threads of the server to end.
const THREAD_END_TIME: Duration = Duration::from_millis(100);

/// Most threads that read and write, which take little time.
const MOST_IO_THREADS: usize = 4;

/// Time between two looks at a condition.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// Waits until a condition holds, such as that a signal has come. It is looked at now and then.
pub async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        sleep(LOOK_INTERVAL).await;
    }
}

/// Server that listens. Connections wait until it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: ServerOptions,
    pools: WorkPools,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// An error if the address is not one of this machine, or the port is taken or not allowed.
    pub fn bind(options: &ServerOptions) -> Result<Self, BindError> {
        bind::raise_file_limit();
        let listener = bind::listen(options)?;
        let named = SocketAddr::new(options.address, options.port);
        Ok(Self {
            address: listener.local_addr().unwrap_or(named),
            listener,
            options: options.clone(),
            pools: WorkPools {
                quick: WorkPool::new(options.work_threads, options.waiting_work),
                long: WorkPool::new(options.long_work, options.waiting_long_work)
                    .retried_after(options.long_work_time.as_secs_f64().ceil() as u32),
            },
        })
    }

    /// Returns the address with the port where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the pools for the work of its requests.
    #[must_use]
    pub fn pools(&self) -> WorkPools {
        self.pools.clone()
    }

    /// Answers requests by `router`, and `/healthz` and `/metrics`, until `stop` is there. Requests
    /// that run then get the time of the options to end.
    ///
    /// # Errors
    /// An error if threads cannot be made.
    pub fn run(self, router: Router, stop: impl Future<Output = ()>) -> io::Result<()> {
        let threads = std::thread::available_parallelism();
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads.map_or(1, usize::from).min(MOST_IO_THREADS))
            .max_blocking_threads(self.options.work_threads + self.options.long_work + 1)
            .thread_name("server")
            .enable_io()
            .enable_time()
            .build()?;
        let result = runtime.block_on(self.serve(router, stop));
        runtime.shutdown_timeout(THREAD_END_TIME);
        result
    }

    async fn serve(self, router: Router, stop: impl Future<Output = ()>) -> io::Result<()> {
        let Self { listener, address, options, pools } = self;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let metrics = Arc::new(Metrics::new());
        let is_local = address.ip().to_canonical().is_loopback();
        let router = with_layers(router, &options, is_local, metrics.clone(), pools);
        let connections = OpenConnections::new(options.connections, options.client_connections);
        let connections = Arc::new(connections);
        let times = ConnectionTimes::new(&options);
        let (end, ending) = watch::channel(false);
        let mut stop = pin!(stop);
        loop {
            let accepted = tokio::select! {
                () = &mut stop => break,
                accepted = listener.accept() => accepted,
            };
            let Ok((stream, address)) = accepted else {
                // A client that left at once, or no descriptor: both pass.
                sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let (client, request) = (Client::of(address.ip()), connections.new_state());
            let admitted = async {
                loop {
                    match connections.admit(client, &request) {
                        Admission::Open(place) => return Some(place),
                        Admission::Refused => return None,
                        Admission::Full => connections.one_changed().await,
                    }
                }
            };
            let place = tokio::select! {
                () = &mut stop => break,
                place = admitted => place,
            };
            let Some(place) = place else {
                refuse_connection(&stream);
                continue;
            };
            let connection = NewConnection { stream, client, request, place };
            let (router, metrics, ending) = (router.clone(), metrics.clone(), ending.clone());
            tokio::spawn(async move {
                let _open = metrics.open_connection();
                connection.serve(router, times, ending).await;
            });
        }
        drop(listener);
        let _ = end.send(true);
        let _ = timeout(options.end_time, connections.all_closed()).await;
        Ok(())
    }
}
