//! The command `serve`: tables and games over HTTP.

mod sources;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use hindsight_web::{ApiLimits, ApiState, Server, ServerOptions, report_faults, router, until};
use serde::Serialize;

use crate::args::ServeArgs;
use crate::context::Context;
use crate::output::{print, print_json, print_message};
use crate::signals::{StopListener, stopped};

/// Most requests of an address in a second where other machines reach the server.
const OPEN_REQUESTS: u32 = 50;

const NO_THREADS: &str =
    "cannot make the threads of the server; see the limits of the system (ulimit)";

/// Most solves, analyses and agents at once. Each has all threads.
const MOST_LONG_WORK: usize = 4;

/// Address in JSON.
#[derive(Serialize)]
struct AddressRow {
    address: String,
}

/// Serves until a signal.
pub(crate) fn run(args: &ServeArgs, context: &Context) -> Result<()> {
    let mut shelf = sources::open(&args.sources)?;
    if args.only {
        shelf.close();
    }
    let options = server_options(args);
    let server = Server::bind(&options);
    let server = server.map_err(|error| anyhow!("{error} (--port, --bind)"))?;
    let _listener = StopListener::new();
    let limits = ApiLimits {
        body_bytes: options.body_bytes,
        requests_a_second: options.requests_a_second,
        seconds: args.seconds,
        playouts: args.playouts,
        memory: context.limits().memory,
        ..ApiLimits::default()
    };
    let state = ApiState::new(shelf, limits, server.pools()).context(NO_THREADS)?;
    report_faults(|fault| print_message(&format!("hindsight: {fault}")));
    let address = format!("http://{}/", server.address());
    match context.json {
        true => print_json(&AddressRow { address })?,
        false => print(&format!("{address}\n"))?,
    }
    let served = server.run(router(Arc::new(state)), until(stopped));
    served.context(NO_THREADS)
}

fn server_options(args: &ServeArgs) -> ServerOptions {
    let is_local = args.bind.to_canonical().is_loopback();
    let default = if is_local { 0 } else { OPEN_REQUESTS };
    let requests = args.requests_a_second.unwrap_or(default);
    ServerOptions {
        address: args.bind,
        port: args.port,
        requests_a_second: Some(requests).filter(|requests| *requests > 0),
        work_threads: rayon::current_num_threads(),
        long_work: rayon::current_num_threads().min(MOST_LONG_WORK),
        long_work_time: Duration::from_secs_f64(args.seconds),
        ..ServerOptions::default()
    }
}
