//! The real binary: every command, every file it writes and reads, and every error a user may meet.

mod agents;
mod analyse;
mod batch;
mod cluster;
mod command;
mod deals;
mod draw;
mod fairness;
mod files;
mod harness;
mod limits;
mod outputs;
mod own_games;
mod own_ranks;
mod perft;
mod puzzles;
mod reach;
mod running;
mod search;
mod server;
mod slices;
mod study_program;
mod weak;
mod words;

// The unit tests of these files run here: a test build of the command would compile the whole
// command once more.
#[path = "../../src/shown/board_form.rs"]
#[expect(dead_code, reason = "only what is tested is used")]
mod board_form;
#[path = "../../src/process/memory.rs"]
#[expect(dead_code, reason = "only what is tested is used")]
mod memory;
#[path = "../../src/shown/sizes.rs"]
mod sizes;

/// The folder of files above, as they name it.
mod shown {
    pub(crate) use crate::sizes;
}

/// Returns true for a call of a program that is not there: the tests of a single crate make no
/// `hindsight-papers`.
fn lacks_papers(call: &str) -> bool {
    let is_of_paper = call.split_once("study ").is_some_and(|(_, study)| {
        !["onitama-deals", "merge"].iter().any(|own| study.starts_with(own))
    });
    is_of_paper && !program().with_file_name("hindsight-papers").exists()
}

/// Returns the program that the tests run.
fn program() -> &'static std::path::Path {
    assert_cmd::cargo::cargo_bin!("hindsight")
}
