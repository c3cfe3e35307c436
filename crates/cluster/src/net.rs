//! Connections between processes: two for each pair, one for data and one for control.
//!
//! Each process listens at its address and calls every process before it. Whoever is not there yet
//! is called again. A connection begins with the [`Hello`]s of both sides.

mod frame;
mod hello;
mod mesh;
mod socket;
mod watch;

pub(crate) use hello::{Hello, Role};
pub(crate) use mesh::{Meeting, meet};
pub(crate) use socket::{DataSocket, WireBytes};
pub(crate) use watch::{ControlLink, Watch};
