//! Solves every position of the games named whose pieces cannot go back, nothing written: `onward onitama:4x4:boar ..`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use game::{Arrangements, Game, Notation, Retro};
use games::{Setup, Visitor, by_name};
use solve::arrangements::{Instructions, OnwardPlan, OnwardTerms, Plan, solve_onward};
use solve::tiered::Outcome;
use solve::{Error, Limits, Silent};

struct Solve;

impl Visitor for Solve {
    type Output = Result<Outcome, Error>;

    fn visit<G: Game + Notation>(self, _: G) -> Self::Output {
        Err(Error::TooMany("squares"))
    }

    fn arrangements<G: Arrangements + Retro + Notation>(self, game: G) -> Self::Output {
        let plan = OnwardPlan::new(Plan::new(&game));
        println!("{:.3} GB", plan.peak() as f64 / 1e9);
        let terms = OnwardTerms {
            instructions: Instructions::detect(),
            limits: Limits::default(),
            monitor: &mut Silent,
        };
        Ok(solve_onward(&game, plan, terms, std::iter::empty())?.0)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for spec in std::env::args().skip(1) {
        let begin = Instant::now();
        let solved = by_name(&spec, &Setup::default(), Solve)??;
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "{spec}  {}  {}  {seconds:.3} s",
            solved.start,
            solved.summary.signature(Some(&solved.histogram)),
        );
    }
    Ok(())
}
