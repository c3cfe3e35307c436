//! The real binary: every command, every file it writes and reads, and every error a user may meet.

mod advice;
mod agent;
mod analyse;
mod audit;
mod batch;
mod boards;
mod bots;
mod checkpoints;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod cluster_damage;
#[cfg(feature = "cluster")]
mod cluster_ends;
#[cfg(feature = "cluster")]
mod cluster_harness;
#[cfg(feature = "cluster")]
mod cluster_proxy;
#[cfg(feature = "cluster")]
mod cluster_refusals;
#[cfg(feature = "cluster")]
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
#[cfg(feature = "http")]
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
#[cfg(feature = "serve")]
mod search;
mod serve;
#[cfg(feature = "serve")]
mod serve_answers;
mod slices;
mod sqlite;
mod states;
mod studies;
mod study_parts;
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
