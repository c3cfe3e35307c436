//! Distances from the start of the given games, without files: `distances ostle:5x5:3:2 ..`. Prints
//! the states at each distance, and positions per second.

use std::time::Instant;

use hindsight_core::Structure;
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::distance::{self, NextStates};

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for spec in std::env::args().skip(1) {
        let game = by_name(&spec, &Setup::default())?;
        if game.structure() != Structure::ForbiddenMove {
            return Err("no move may be forbidden".into());
        }
        let begin = Instant::now();
        let found = distance::solve(&game, NextStates::Allowed, Limits::default(), &mut NoMonitor)?;
        let seconds = begin.elapsed().as_secs_f64();
        let positions = distance::peak(&game) / 4;
        let speed = positions as f64 / seconds / 1e6;
        println!("{spec}  {:?}  {seconds:.3} s  {speed:.2} M/s", found.states_by_distance());
    }
    Ok(())
}
