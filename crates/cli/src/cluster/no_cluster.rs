//! Stand-in for the command `cluster` in a program that is built without it.

use anyhow::Result;

use crate::args::ClusterArgs;
use crate::context::Context;
use crate::process::exit::not_built_in;

/// Refuses to solve in several processes.
pub(crate) fn run(_: &ClusterArgs, _: &Context) -> Result<()> {
    Err(not_built_in("clusters", "cluster"))
}
