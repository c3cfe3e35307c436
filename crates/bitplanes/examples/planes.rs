//! Solves every position of some games in planes of bits, and writes nothing.
//!
//! ```text
//! planes [portable|avx2|avx512] [passes|bytes] onitama:4x4:boar ..
//! ```
//!
//! Prints the value of the start, the signature, and positions per second. `passes` also prints the
//! time at which each pass was over. `bytes` solves by tiers of bytes instead.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use hindsight_bitplanes::{
    AcyclicOptions, AcyclicPlan, BitplanePlan, InMemoryOptions, Instructions, solve, solve_acyclic,
};
use hindsight_core::{PackedGame, Structure};
use hindsight_engine::{Error, Limits, NoMonitor, StrongSolution};
use hindsight_rules::{Setup, by_name};

/// Solves a game in one of the two ways.
struct Solve {
    instructions: Instructions,
    /// True to print the time of each pass.
    passes: bool,
    /// True to solve by tiers of bytes.
    bytes: bool,
}

impl Solve {
    fn run(self, game: &PackedGame) -> Result<StrongSolution, Error> {
        if game.structure() != Structure::TwoSided {
            return Err(Error::TooMany("squares"));
        }
        let plan = BitplanePlan::new(game);
        if self.bytes {
            let options = AcyclicOptions {
                instructions: self.instructions,
                limits: Limits::default(),
                monitor: &mut NoMonitor,
            };
            let plan = AcyclicPlan::new(plan);
            return Ok(solve_acyclic(game, plan, options, std::iter::empty())?.0);
        }
        let begin = Instant::now();
        let mut after_pass = |_: &_, value| {
            if self.passes {
                println!("{value}: {:.3} s", begin.elapsed().as_secs_f64());
            }
            Ok(())
        };
        let options = InMemoryOptions {
            instructions: self.instructions,
            limits: Limits::default(),
            monitor: &mut NoMonitor,
            checkpoint: None,
        };
        solve(game, plan, options, &mut after_pass)
    }
}

/// Instruction set number `n`, counted from the portable one.
fn instruction_set(n: usize) -> Result<Instructions, &'static str> {
    let all = Instructions::all();
    all.get(n).copied().ok_or("this processor does not have these instructions")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut instructions = Instructions::detect();
    let [mut passes, mut bytes] = [false; 2];
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "portable" => instructions = instruction_set(0)?,
            "avx2" => instructions = instruction_set(1)?,
            "avx512" => instructions = instruction_set(2)?,
            "passes" => passes = true,
            "bytes" => bytes = true,
            spec => {
                let begin = Instant::now();
                let game = by_name(spec, &Setup::default())?;
                let solved = Solve { instructions, passes, bytes }.run(&game)?;
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
