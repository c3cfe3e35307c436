//! All tests of tables in one program: games and tables are compiled once for them.

mod distances;
mod forged;
mod memory;
mod model;
mod pairs;
mod states;
mod table;
