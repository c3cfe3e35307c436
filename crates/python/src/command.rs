//! The command `hindsight` of the package.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs a command line, with the name of the program first, and returns the exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, line: Vec<OsString>) -> u8 {
    py.detach(|| hindsight_cli::run_command_in_host(line))
}
