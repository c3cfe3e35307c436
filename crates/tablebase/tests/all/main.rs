//! All tests of the crate in one program, so that games and tables are compiled only once.

mod distances;
mod forged;
mod memory;
mod model;
mod old_version;
mod pairs;
mod parts;
mod states;
mod table;
mod verify_pairs;
mod wdl;
