//! Finds the winner from the start: `proof SECONDS onitama:4x5:boar ..`. Prints the value, the
//! positions expanded, and the time.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::{Duration, Instant};

use hindsight_core::{Notation, Retro, TwoSided};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::{Limits, NoMonitor};
use hindsight_solve::proof;

struct Prove {
    seconds: f64,
}

impl Prove {
    fn limits(&self) -> Limits {
        Limits { memory: 16 << 30, time: Some(Duration::from_secs_f64(self.seconds)) }
    }
}

impl Visitor for Prove {
    type Output = String;

    fn visit<G: Notation>(self, game: G) -> String {
        let problem = proof::ProofProblem::of_start(&game);
        let found = match proof::solve(problem, self.limits(), &mut NoMonitor) {
            Ok(found) => found,
            Err(error) => return error.to_string(),
        };
        format!("{:?}  {} positions", found.value(), found.expansions)
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) -> String {
        let start = game.start();
        let found = match proof::solve_staged(&game, start, self.limits(), &mut NoMonitor) {
            Ok(found) => found,
            Err(error) => return error.to_string(),
        };
        format!(
            "{:?} {:?}  {} positions, tables of {} students in {:.1} s",
            found.solution.value(),
            found.solution.wins(),
            found.solution.expansions,
            found.tables.followers,
            found.tables.spent.as_secs_f64()
        )
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().ok_or("seconds")?.parse()?;
    for spec in args {
        let begin = Instant::now();
        let found = by_name(&spec, &Setup::default(), Prove { seconds })?;
        println!("{spec}  {found}  {:.1} s", begin.elapsed().as_secs_f64());
    }
    Ok(())
}
