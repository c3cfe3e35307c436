//! Games, solves and tables without their types.

mod errors;
mod games;
mod solving;
mod tables;

/// Returns a table of the tests: `q.table` of `quoridor:3x3:1`, `ostle.table` of `ostle:3x3:2:1`.
fn table(name: &str) -> String {
    format!("{}/tests/{name}", env!("CARGO_MANIFEST_DIR"))
}
