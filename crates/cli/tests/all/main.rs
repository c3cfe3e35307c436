//! The real binary: every command, every file it writes and reads, and every error a user may meet.

mod advice;
mod agent;
mod analyse;
mod audit;
mod batch;
mod boards;
mod bots;
mod checkpoints;
mod cluster;
mod cluster_damage;
mod cluster_ends;
mod cluster_harness;
mod cluster_proxy;
mod cluster_refusals;
mod cluster_strangers;
mod command;
mod draw;
mod examples;
mod exports;
mod fairness;
mod forged;
mod full_disk;
mod harness;
mod help;
mod http;
mod limits;
mod matches;
mod named_cards;
mod numbers;
mod outputs;
mod perft;
mod play;
mod puzzles;
mod reach;
mod review;
mod running;
mod search;
mod serve;
mod serve_answers;
mod slices;
mod sqlite;
mod states;
mod study_program;
mod tables;
mod typos;
mod weak;
mod width;

// The unit tests of these files run here: a test build of the command would compile the whole
// command once more.
#[path = "../../src/board_form.rs"]
#[expect(dead_code, reason = "only what is tested is used")]
mod board_form;
#[path = "../../src/memory.rs"]
#[expect(dead_code, reason = "only what is tested is used")]
mod memory;
#[path = "../../src/sizes.rs"]
mod sizes;

/// Returns the program that the tests run.
fn program() -> &'static std::path::Path {
    assert_cmd::cargo::cargo_bin!("hindsight")
}
