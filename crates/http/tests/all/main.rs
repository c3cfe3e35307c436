//! Files on a server of this machine: what is asked for, and what is refused.

mod encryption;
mod faults;
mod large_table;
mod requests;
mod shared;
mod stops;
