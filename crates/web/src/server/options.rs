//! Address and limits of a server.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// Address and limits of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Address to listen at.
    pub address: IpAddr,
    /// Port to listen at; 0 takes a free one.
    pub port: u16,
    /// Most connections at once. For one more, a connection without a request is closed, of the
    /// client with the most of them; if there is none, it waits.
    pub connections: usize,
    /// Most connections of a client at once; `None` for no limit. For one more, one of its
    /// connections without a request is closed; if there is none, it is refused.
    pub client_connections: Option<usize>,
    /// Most bytes of the body of a request.
    pub body_bytes: usize,
    /// Most bytes of the bodies of all requests that are being read or answered.
    pub all_body_bytes: usize,
    /// Most requests of a client in a second; `None` for no limit.
    pub requests_a_second: Option<u32>,
    /// Time for the head of a request, the wait for it included.
    pub head_time: Duration,
    /// Time for the body of a request.
    pub body_time: Duration,
    /// Time in which a client must read an answer, or half a mebibyte of it.
    pub write_time: Duration,
    /// Time that requests get to end once the server stops.
    pub end_time: Duration,
    /// Most pieces of work of milliseconds at once.
    pub work_threads: usize,
    /// Most pieces of work of milliseconds that wait.
    pub waiting_work: usize,
    /// Most pieces of work of seconds at once.
    pub long_work: usize,
    /// Most pieces of work of seconds that wait.
    pub waiting_long_work: usize,
    /// Time of a piece of such work.
    pub long_work_time: Duration,
}

/// Most requests of a client in a second where other machines reach the server.
const OPEN_REQUESTS: u32 = 50;

/// Most connections of a client at once where its requests are limited.
const CLIENT_CONNECTIONS: usize = 250;

/// Port where the server listens unless another is named.
const DEFAULT_PORT: u16 = 8017;

impl ServerOptions {
    /// Returns the limits of a server at an address. Where other machines reach it, those of a
    /// client are among them. `requests_a_second` is another limit of these than the usual one; 0
    /// is none.
    #[must_use]
    pub fn at(address: IpAddr, requests_a_second: Option<u32>) -> Self {
        let options = Self { address, ..Self::default() };
        let usual = if options.is_local() { 0 } else { OPEN_REQUESTS };
        let requests = requests_a_second.unwrap_or(usual);
        let requests = Some(requests).filter(|requests| *requests > 0);
        Self {
            requests_a_second: requests,
            client_connections: requests.map(|_| CLIENT_CONNECTIONS),
            ..options
        }
    }

    /// Returns true if only this machine reaches the server.
    #[must_use]
    pub const fn is_local(&self) -> bool {
        self.address.to_canonical().is_loopback()
    }
}

impl Default for ServerOptions {
    /// Returns the limits of a server for this machine alone.
    fn default() -> Self {
        let threads = std::thread::available_parallelism();
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: DEFAULT_PORT,
            connections: 2000,
            client_connections: None,
            body_bytes: 1 << 20,
            all_body_bytes: 64 << 20,
            requests_a_second: None,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(10),
            write_time: Duration::from_secs(30),
            end_time: Duration::from_secs(3),
            work_threads: threads.map_or(1, usize::from),
            waiting_work: 256,
            long_work: 2,
            waiting_long_work: 16,
            long_work_time: Duration::from_secs(10),
        }
    }
}
