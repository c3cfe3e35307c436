//! Finds the winner from the start: `proof SECONDS onitama:4x5:boar ..`. Prints the value, the
//! positions expanded, and the time.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::{Duration, Instant};

use hindsight_core::{Game, PackedGame, Structure};
use hindsight_engine::{Error, Limits, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::proof;

fn prove(game: &PackedGame, limits: Limits) -> Result<String, Error> {
    if game.structure() != Structure::TwoSided {
        let found = proof::solve(proof::ProofProblem::of_start(game), limits, &mut NoMonitor)?;
        return Ok(format!("{:?}  {} positions", found.value(), found.expansions));
    }
    let found = proof::solve_staged(game, game.start(), limits, &mut NoMonitor)?;
    Ok(format!(
        "{:?} {:?}  {} positions, tables of {} students in {:.1} s",
        found.solution.value(),
        found.solution.wins(),
        found.solution.expansions,
        found.tables.followers,
        found.tables.spent.as_secs_f64()
    ))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().ok_or("seconds")?.parse()?;
    let limits = Limits { memory: 16 << 30, time: Some(Duration::from_secs_f64(seconds)) };
    for spec in args {
        let game = by_name(&spec, &Setup::default())?;
        let begin = Instant::now();
        let found = prove(&game, limits).unwrap_or_else(|error| error.to_string());
        println!("{spec}  {found}  {:.1} s", begin.elapsed().as_secs_f64());
    }
    Ok(())
}
