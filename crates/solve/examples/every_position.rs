//! Solves every position of the given games, without files: `every_position quoridor:5x5:2 ..`.
//! Prints the value of the start, the signature, and positions per second (for Ostle, non-trivial
//! states).

use std::time::Instant;

use hindsight_core::{ForbiddenMove, Notation, PawnPairs, Retro};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::{Error, Limits, NoMonitor, NullStore, StrongSolution, Summary};
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{forbidden_move, pawn_pairs, tiered};

/// Plans of more bytes are streamed.
const LARGE: u64 = 16 << 30;

struct Solve;

impl Visitor for Solve {
    type Output = Result<StrongSolution, Error>;

    fn visit<G: Notation>(self, _: G) -> Self::Output {
        Err(Error::TooMany("positions"))
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Self::Output {
        let solved =
            forbidden_move::solve(&game, Limits::default(), &mut NoMonitor, &mut |_| Ok(()))?;
        Ok(StrongSolution {
            start: solved.start,
            summary: Summary::of(&solved.nontrivial),
            histogram: solved.nontrivial,
        })
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Self::Output {
        let plan = TierPlan::new(&game);
        tiered::solve(&game, &plan, &mut NullStore, Limits::default(), &mut NoMonitor)
    }

    fn pawn_pairs<G: PawnPairs + Retro + Notation>(self, game: G) -> Self::Output {
        let mut plan = TierPlan::new(&game);
        if plan.peak() > LARGE {
            plan = plan.streamed();
        }
        pawn_pairs::solve(&game, &plan, &mut NullStore, Limits::default(), &mut NoMonitor)
    }
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for spec in std::env::args().skip(1) {
        let begin = Instant::now();
        let solved = by_name(&spec, &Setup::default(), Solve)??;
        let seconds = begin.elapsed().as_secs_f64();
        let positions = solved.summary.positions;
        println!(
            "{spec}  {}  {}  {seconds:.3} s  {:.1} M/s",
            solved.start,
            solved.summary.signature(Some(&solved.histogram)),
            positions as f64 / seconds / 1e6
        );
    }
    Ok(())
}
