//! Connections that stand.

use std::net::TcpStream;
use std::sync::atomic::AtomicU64;

use super::hello::Hello;

/// A connection that said hello.
pub(super) struct Greeted {
    pub(super) hello: Hello,
    pub(super) stream: TcpStream,
}

/// A connection that stands, with the seeds of its frames in both directions.
pub(crate) struct Link {
    pub(super) stream: TcpStream,
    /// Seed of the frames that this process sends.
    pub(super) sends: u32,
    /// Seed of the frames that it hears.
    pub(super) hears: u32,
}

/// Bytes that went over a data connection.
#[derive(Debug, Default)]
pub(crate) struct WireBytes {
    pub(crate) sent: AtomicU64,
    pub(crate) received: AtomicU64,
}
