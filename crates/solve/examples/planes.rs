//! Solves every position of the games named by planes of bits, nothing written:
//! `planes [portable] onitama:4x4:boar ..`. Prints the value of the start, the signature and
//! positions a second.

use std::time::Instant;

use game::{Arrangements, Game, Notation, Retro};
use games::{Setup, Visitor, by_name};
use solve::arrangements::{Instructions, Plan, solve};
use solve::tiered::Outcome;
use solve::{Error, Limits, Silent};

struct Solve(Instructions);

impl Visitor for Solve {
    type Output = Result<Outcome, Error>;

    fn visit<G: Game + Notation>(self, _: G) -> Self::Output {
        Err(Error::TooMany("squares"))
    }

    fn arrangements<G: Arrangements + Retro + Notation>(self, game: G) -> Self::Output {
        let plan = Plan::new(&game);
        let nothing = &mut |_: &_, _| Ok(());
        solve(&game, plan, (self.0, Limits::default()), &mut Silent, nothing)
    }
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut instructions = Instructions::detect();
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "portable" => instructions = Instructions::all()[0],
            spec => {
                let begin = Instant::now();
                let solved = by_name(spec, &Setup::default(), Solve(instructions))??;
                let seconds = begin.elapsed().as_secs_f64();
                println!(
                    "{spec}  {}  {}  {seconds:.3} s  {:.1} M/s  {instructions:?}",
                    solved.start,
                    solved.summary.signature(Some(&solved.histogram)),
                    solved.summary.positions as f64 / seconds / 1e6
                );
            }
        }
    }
    Ok(())
}
