//! Arguments of `serve`.

use std::net::{IpAddr, Ipv4Addr};

/// Port where the server listens unless another is named.
const DEFAULT_PORT: u16 = 8017;

/// Most playouts that `--playouts` may allow.
const MOST_PLAYOUTS: u64 = 1_000_000_000;

/// Most requests a second that `--requests-a-second` may allow.
const MOST_REQUESTS: u64 = 1_000_000;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight serve
  hindsight serve q.table onitama:3x4:boar
  hindsight serve ostle.table --port 0 --json
  hindsight serve q.table --bind 0.0.0.0 --requests-a-second 20

The address is printed once the server listens: a page for browsers, with boards, values, play \
and puzzles; the API for programs is below /api/v1. The server answers until Ctrl-C or SIGTERM, \
which end it with exit code 0; requests that run get three seconds. A second signal ends it at once.

A table is served under its name: that of the file without its ending, or NAME of NAME=FILE. \
Every game is served under its spec, and solved when it is asked for; those named here are listed.

With --bind 127.0.0.1, the default, only programs of this machine reach the server, and only \
under the name localhost or as 127.0.0.1. With 0.0.0.0 all networks reach it: anyone there may \
let this machine work. Addresses have equal shares of the work, and limits of requests and \
connections. Behind a proxy on another machine all clients have one address: \
--requests-a-second 0 lifts its limits. It reads only the files named here, and writes none.")]
pub(crate) struct ServeArgs {
    /// Tables and games to serve: FILE, NAME=FILE, or a spec; FILE may be an address https://..
    #[arg(value_name = "FILE-OR-SPEC")]
    pub(crate) sources: Vec<String>,
    /// Serve only what is named here, no other game
    #[arg(long, requires = "sources")]
    pub(crate) only: bool,
    /// Port to listen at; 0 takes a free one
    #[arg(
        long,
        value_name = "N",
        default_value_t = DEFAULT_PORT,
        allow_negative_numbers = true,
        value_parser = parse_port
    )]
    pub(crate) port: u16,
    /// Address to listen at
    #[arg(
        long,
        value_name = "ADDR",
        default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST),
        value_parser = parse_address
    )]
    pub(crate) bind: IpAddr,
    /// Most seconds that a request may work
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10.0,
        allow_negative_numbers = true,
        value_parser = super::parse_seconds
    )]
    pub(crate) seconds: f64,
    /// Most playouts of an agent's move
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u64>("playouts", 1..=MOST_PLAYOUTS)
    )]
    pub(crate) playouts: u64,
    /// Most requests of an address in a second; 0 for no limit, of connections neither [default: 0,
    /// or 50 where other machines reach the server]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = super::number_parser::<u32>("requests", 0..=MOST_REQUESTS)
    )]
    pub(crate) requests_a_second: Option<u32>,
}

fn parse_port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| String::from("a port, a number from 0 to 65535"))
}

fn parse_address(text: &str) -> Result<IpAddr, String> {
    let text = match text {
        "localhost" => "127.0.0.1",
        other => other.trim_start_matches('[').trim_end_matches(']'),
    };
    text.parse().map_err(|_| {
        String::from("an address in numbers, such as 127.0.0.1 or 0.0.0.0, without a port")
    })
}
