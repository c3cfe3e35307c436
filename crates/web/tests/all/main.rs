//! The server over real sockets: answers, limits, and clients that mean harm.

mod answers;
mod api;
mod bodies;
mod codings;
mod connections;
mod described;
mod description;
mod ending;
mod harness;
mod hosts;
mod memory;
mod numbers;
mod page;
mod pictures;
mod random_requests;
mod schema;
mod setup;
mod sharing;
mod times;
mod work;
