//! Connections between processes: two for each pair, one for data and one for control.
//!
//! Each process listens at its address and calls every process before it. Whoever is not there yet
//! is called again. A connection begins with the [`Hello`]s of both sides; all that follows goes in
//! frames with a number and a checksum.

mod callers;
mod doorway;
mod frame;
mod hello;
mod link;
mod mesh;
mod pulse;
mod resources;
mod socket;
mod watch;
mod word;

pub(crate) use hello::{Hello, Role};
pub(crate) use link::{Link, WireBytes};
pub(crate) use mesh::{Meeting, meet};
pub(crate) use resources::{check_threads, no_thread, spawn};
pub(crate) use socket::DataSocket;
pub(crate) use watch::{ControlLink, Patience, Voice, Watch};
