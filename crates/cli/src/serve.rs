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

/// Most connections of an address at once where its requests are limited.
const CLIENT_CONNECTIONS: usize = 250;

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
    if !is_local(args) && !context.quiet {
        print_message(&open_warning(args));
    }
    let address = format!("http://{}/", server.address());
    match context.json {
        true => print_json(&AddressRow { address })?,
        false => print(&format!("{address}\n"))?,
    }
    let served = server.run(router(Arc::new(state)), until(stopped));
    served.context(NO_THREADS)
}

/// Returns true if only this machine reaches the server.
fn is_local(args: &ServeArgs) -> bool {
    args.bind.to_canonical().is_loopback()
}

/// Returns what it means that other machines reach the server.
fn open_warning(args: &ServeArgs) -> String {
    let reached = match args.bind.is_unspecified() {
        true => String::from("every network of this machine"),
        false => args.bind.to_string(),
    };
    let files = match args.sources.is_empty() {
        true => "",
        false => ", and read all values of the tables named here",
    };
    format!(
        "note: other machines reach this server by {reached}: anyone there may let this machine \
         solve and analyse, within --memory and --threads{files}. There is no password and no \
         encryption; --bind 127.0.0.1 is for this machine alone"
    )
}

fn server_options(args: &ServeArgs) -> ServerOptions {
    let default = if is_local(args) { 0 } else { OPEN_REQUESTS };
    let requests = args.requests_a_second.unwrap_or(default);
    let requests = Some(requests).filter(|requests| *requests > 0);
    ServerOptions {
        address: args.bind,
        port: args.port,
        requests_a_second: requests,
        client_connections: requests.map(|_| CLIENT_CONNECTIONS),
        work_threads: rayon::current_num_threads(),
        long_work: rayon::current_num_threads().min(MOST_LONG_WORK),
        long_work_time: Duration::from_secs_f64(args.seconds),
        ..ServerOptions::default()
    }
}
