//! Solves every position of the given games, without files: `every_position quoridor:5x5:2 ..`.
//! Prints the value of the start, the signature, and positions per second (for Ostle, non-trivial
//! states).

use std::time::Instant;

use hindsight_core::{PackedGame, Structure};
use hindsight_engine::{Error, Limits, NoMonitor, NullStore, StrongSolution, Summary};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{forbidden_move, pawn_pairs, tiered};

/// Plans of more bytes are streamed.
const LARGE: u64 = 16 << 30;

fn solve(game: &PackedGame) -> Result<StrongSolution, Error> {
    let limits = Limits::default();
    match game.structure() {
        Structure::Plain | Structure::Subgames => Err(Error::TooMany("positions")),
        Structure::ForbiddenMove => {
            let solved = forbidden_move::solve(game, limits, &mut NoMonitor, &mut |_| ())?;
            Ok(StrongSolution {
                start: solved.start,
                summary: Summary::of(&solved.nontrivial),
                histogram: solved.nontrivial,
            })
        }
        Structure::Ranked | Structure::TwoSided => {
            tiered::solve(game, &TierPlan::new(game), &mut NullStore, limits, &mut NoMonitor)
        }
        Structure::PawnPairs => {
            let mut plan = TierPlan::new(game);
            if plan.peak() > LARGE {
                plan = plan.streamed();
            }
            pawn_pairs::solve(game, &plan, &mut NullStore, limits, &mut NoMonitor)
        }
    }
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for spec in std::env::args().skip(1) {
        let game = by_name(&spec, &Setup::default())?;
        let begin = Instant::now();
        let solved = solve(&game)?;
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
