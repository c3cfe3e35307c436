//! Stand-in for the command `serve` in a program that is built without it.

use anyhow::Result;

use crate::args::ServeArgs;
use crate::context::Context;
use crate::process::exit::not_built_in;

/// Refuses to serve.
pub(crate) fn run(_: &ServeArgs, _: &Context) -> Result<()> {
    Err(not_built_in("servers", "serve"))
}
