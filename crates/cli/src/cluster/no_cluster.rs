//! Stand-in for the command `cluster` in a program that is built without it.

use anyhow::{Result, bail};

use crate::args::ClusterArgs;
use crate::context::Context;

/// Refuses to solve in several processes.
pub(crate) fn run(_: &ClusterArgs, _: &Context) -> Result<()> {
    bail!(
        "this program was built without clusters; its feature 'cluster' adds them: \
         cargo build --release -p hindsight-cli --features cluster"
    )
}
