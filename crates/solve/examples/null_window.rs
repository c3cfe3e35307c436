//! Speed of the null-window search: `null_window MEGABYTES four:6x5 ..`. Prints the value, the
//! positions searched, and the time. `RAYON_NUM_THREADS` is the number of threads.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use hindsight_core::{Answer, Game, PackedGame};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::null_window;

fn search(game: &PackedGame, memory: u64) -> String {
    let Some(countdown) = game.countdown() else {
        return String::from("may have cycles");
    };
    let limits = Limits { memory, ..Limits::default() };
    let begin = Instant::now();
    let found = match null_window::solve(countdown, game.start(), limits, &mut NoMonitor) {
        Ok(found) => found,
        Err(error) => return error.to_string(),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let value = found.value().map_or(Answer::Unknown, Answer::Exact);
    let rate = found.nodes as f64 / seconds / 1e6;
    let nodes = found.nodes;
    format!("{value}  {nodes} positions, {seconds:.2} s, {rate:.2} million a second")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let megabytes: u64 = args.next().ok_or("megabytes")?.parse()?;
    for spec in args {
        let game = by_name(&spec, &Setup::default())?;
        println!("{spec}  {}", search(&game, megabytes << 20));
    }
    Ok(())
}
