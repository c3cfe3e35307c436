//! The program `hindsight`.

use std::process::ExitCode;

use hindsight_cli::{HugePages, run_command};

#[global_allocator]
static ALLOCATOR: HugePages = HugePages;

fn main() -> ExitCode {
    ExitCode::from(run_command(std::env::args_os()))
}
