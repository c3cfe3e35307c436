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
use crate::process::signals::{StopListener, stopped};

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
    if !options.is_local() && !context.quiet {
        print_message(&open_warning(args));
    }
    let address = format!("http://{}/", server.address());
    if context.json {
        print_json(&AddressRow { address })?;
    } else {
        print(&format!("{address}\n"))?;
    }
    let served = server.run(router(Arc::new(state)), until(stopped));
    served.context(NO_THREADS)
}

/// Returns what it means that other machines reach the server.
fn open_warning(args: &ServeArgs) -> String {
    let reached = if args.bind.is_unspecified() {
        String::from("every network of this machine")
    } else {
        args.bind.to_string()
    };
    let files =
        if args.sources.is_empty() { "" } else { ", and read all values of the tables named here" };
    format!(
        "note: other machines reach this server by {reached}: anyone there may let this machine \
         solve and analyse, within --memory and --threads{files}. There is no password and no \
         encryption; --bind 127.0.0.1 is for this machine alone"
    )
}

fn server_options(args: &ServeArgs) -> ServerOptions {
    ServerOptions {
        port: args.port,
        work_threads: rayon::current_num_threads(),
        long_work: rayon::current_num_threads().min(MOST_LONG_WORK),
        long_work_time: Duration::from_secs_f64(args.seconds),
        ..ServerOptions::at(args.bind, args.requests_a_second)
    }
}
