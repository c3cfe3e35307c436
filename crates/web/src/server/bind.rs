//! The socket that a server listens at, with errors that say what to do.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::ServerOptions;

/// Connections that the system keeps until the server takes them.
const BACKLOG: i32 = 1024;

/// Reason why a server cannot listen.
#[derive(Debug)]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

impl std::fmt::Display for BindError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (address, port) = (self.address.ip(), self.address.port());
        match self.source.kind() {
            ErrorKind::AddrInUse => write!(
                f,
                "port {port} of {address} is taken by another program: name another port, \
                 or port 0 for a free one"
            ),
            ErrorKind::AddrNotAvailable => write!(
                f,
                "{address} is no address of this machine: 127.0.0.1 is for this machine alone, \
                 0.0.0.0 for all its networks"
            ),
            ErrorKind::PermissionDenied => {
                write!(f, "port {port} is kept for the system: name a port above 1023")
            }
            _ => write!(f, "cannot listen at {}: {}", self.address, self.source),
        }
    }
}

impl std::error::Error for BindError {}

/// Opens the socket.
pub(super) fn listen(options: &ServerOptions) -> Result<TcpListener, BindError> {
    let address = SocketAddr::new(options.address, options.port);
    let listener = TcpListener::bind(address).and_then(|listener| {
        // The standard library lets only 128 wait.
        rustix::net::listen(&listener, BACKLOG)?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    listener.map_err(|source| BindError { address, source })
}

/// Lets the process open as many files as it may.
pub(super) fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    // A limit that cannot be raised leaves fewer connections, and these wait.
    let _ = setrlimit(Resource::Nofile, raised);
}
