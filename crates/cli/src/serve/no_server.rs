//! Stand-in for the command `serve` in a program that is built without it.

use anyhow::{Result, bail};

use crate::args::ServeArgs;
use crate::context::Context;

/// Refuses to serve.
pub(crate) fn run(_: &ServeArgs, _: &Context) -> Result<()> {
    bail!(
        "this program was built without the server; its feature 'serve' adds it: \
         cargo build --release -p hindsight-cli --features serve"
    )
}
