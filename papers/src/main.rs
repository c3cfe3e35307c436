//! The program `hindsight-papers`: `hindsight study`, with the studies of papers.

use std::process::ExitCode;

use hindsight_cli::{HugePages, run_studies};
use hindsight_papers::Papers;

#[global_allocator]
static ALLOCATOR: HugePages = HugePages;

fn main() -> ExitCode {
    ExitCode::from(run_studies(std::env::args_os(), &Papers))
}
