//! Distances from the start of the given games, without files: `distances ostle:5x5:3:2 ..`. Prints
//! the states at each distance, and positions per second.

use std::time::Instant;

use hindsight_core::{ForbiddenMove, Notation};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::{Error, Limits, NoMonitor};
use hindsight_solve::distance::{self, Distances, NextStates};

struct Search;

impl Visitor for Search {
    type Output = Result<(Distances, u64), Error>;

    fn visit<G: Notation>(self, _: G) -> Self::Output {
        Err(Error::TooMany("positions"))
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Self::Output {
        let found = distance::solve(&game, NextStates::Allowed, Limits::default(), &mut NoMonitor)?;
        Ok((found, distance::peak(&game) / 4))
    }
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for spec in std::env::args().skip(1) {
        let begin = Instant::now();
        let (found, positions) = by_name(&spec, &Setup::default(), Search)??;
        let seconds = begin.elapsed().as_secs_f64();
        let speed = positions as f64 / seconds / 1e6;
        println!("{spec}  {:?}  {seconds:.3} s  {speed:.2} M/s", found.states_by_distance());
    }
    Ok(())
}
