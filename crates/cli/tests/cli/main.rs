//! The real binary: every command, every file it writes and reads, and every error a user may meet.

mod audit;
mod called;
mod command;
mod exports;
mod forged;
mod limits;
mod matches;
mod numbers;
mod outputs;
mod perft;
mod play;
mod puzzles;
mod reach;
mod running;
mod sqlite;
mod states;
mod studies;
mod tables;
mod weak;
